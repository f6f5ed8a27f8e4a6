import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, answered } from '../../api/client';
import { CreateGuardrailRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { requestFields, SelectField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { type ReplayedRecords, ReplaySection } from '../replays/replay';
import { KeyAssignments, MemberAssignments } from './assignments';
import { draftOf, toGuardrail, UNRESTRICTED } from './guardrail-draft';
import { GuardrailFields } from './guardrail-fields';
import { TryRequest } from './try-request';

const CRUMBS = [{ label: 'Guardrails', to: '/guardrails' }];

/** A new guardrail, which can be tried before it is made. Then its page is shown, where it can be assigned. */
export function NewGuardrailPage(): ReactNode {
  const [, navigate] = useLocation();
  const workspaces = useWorkspaces();
  const { draft: form, change, forget } = useKeptForm('new guardrail', () => ({ draft: UNRESTRICTED, workspace: '' }));
  const { draft, workspace } = form;
  const guardrail = useMemo(
    () => ({ ...toGuardrail(draft), ...(workspace !== '' && { workspace_id: workspace }) }),
    [draft, workspace],
  );
  // It can be tried before it has a name.
  const tried = useMemo(() => ({ draft: { ...guardrail, name: guardrail.name || 'New guardrail' } }), [guardrail]);
  const create = useChange({
    run: () => answered(api.POST('/api/v1/guardrails', { body: guardrail })),
    invalidates: ['guardrails'],
    says: 'The guardrail was created. It has an effect once it is assigned.',
    then: ({ data }) => {
      forget();
      navigate(`/guardrails/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New guardrail" crumbs={CRUMBS}>
      <div className="beside">
        <Section title="Settings">
          <PageForm submit="Create the guardrail" isWide change={create}>
            <SelectField
              label="Workspace"
              {...requestFields(CreateGuardrailRequest, create.error)('workspace_id')}
              value={workspace}
              options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
              onChange={(value) => change({ draft, workspace: value })}
            />
            <GuardrailFields
              draft={draft}
              onChange={(changed) => change({ draft: changed, workspace })}
              error={create.error}
            />
          </PageForm>
        </Section>
        <TryRequest guardrail={tried} />
      </div>
    </Page>
  );
}

/** One guardrail: its form with a trial beside it, and what it is assigned to. */
export function GuardrailPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const workspaces = useWorkspaces();
  const found = useQuery({
    queryKey: ['guardrails', id],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/guardrails/{id}', { params: { path: { id } }, signal })),
  });
  const remove = useChange({
    run: () => answered(api.DELETE('/api/v1/guardrails/{id}', { params: { path: { id } } })),
    invalidates: [],
    says: 'The guardrail was deleted.',
    then: () => navigate('/guardrails'),
  });
  const guardrail = found.data?.data;
  const isDefault = workspaces.some((workspace) => workspace.default_guardrail_id === id);
  return (
    <Page
      title={guardrail?.name ?? 'Guardrail'}
      crumbs={CRUMBS}
      actions={
        guardrail !== undefined &&
        !isDefault && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      {guardrail !== undefined && (
        <>
          <ManagedNote section={isDefault ? 'default_guardrails' : 'guardrails'} id={id} />
          {isDefault && <p>It is the default of its workspace: it applies to all keys there.</p>}
          <EditGuardrail key={id} guardrail={guardrail} />
          <KeyAssignments id={id} />
          <MemberAssignments id={id} />
        </>
      )}
      {isDeleting && (
        <FormDialog
          title={`Delete ${guardrail?.name ?? ''}?`}
          submit="Delete the guardrail"
          isDangerous
          change={remove}
          onClose={() => setDeleting(false)}
        >
          <p>What it restricts is no longer restricted, for every key and member that it is assigned to.</p>
        </FormDialog>
      )}
    </Page>
  );
}

/** The form of a guardrail that exists, with a trial of what stands in it. */
function EditGuardrail({ guardrail }: { readonly guardrail: Schema<'Guardrail'> }): ReactNode {
  const { id, updated_at: state } = guardrail;
  const { draft, change, forget } = useKeptForm(`guardrail ${id} ${state}`, () => draftOf(guardrail));
  const tried = useMemo(() => ({ id, changes: toGuardrail(draft) }), [id, draft]);
  const save = useChange({
    run: () => answered(api.PATCH('/api/v1/guardrails/{id}', { params: { path: { id } }, body: tried.changes })),
    invalidates: ['guardrails'],
    says: 'The guardrail was saved.',
    then: forget,
  });
  const replay = (records: ReplayedRecords): Promise<{ readonly data: Schema<'Replay'> }> =>
    answered(
      api.POST('/api/v1/guardrails/{id}/replay', {
        params: { path: { id } },
        body: { ...records, draft: tried.changes },
      }),
    );
  return (
    <>
      <div className="beside">
        <Section title="Settings">
          <PageForm submit="Save" busy="Saving …" isWide change={save}>
            <GuardrailFields draft={draft} onChange={change} error={save.error} />
          </PageForm>
        </Section>
        <TryRequest guardrail={tried} />
      </div>
      <ReplaySection
        begin={replay}
        hint="Recorded requests are decided anew, as the form is now, saved or not. A sample leaves the budget out."
      />
    </>
  );
}
