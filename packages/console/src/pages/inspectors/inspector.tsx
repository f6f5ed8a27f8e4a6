import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ApiError, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { EnforcementBadge } from '../../components/enforcement';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Time } from '../../components/values';
import { FilterActivity } from '../guardrails/filter-activity';
import { draftOf, NEW_INSPECTOR, toRequest } from './inspector-draft';
import { InspectorFields } from './inspector-fields';
import { PROTOCOLS } from './inspector-protocols';
import { InspectorTrial } from './inspector-trial';

type Inspector = Schema<'Inspector'>;

const CRUMBS = [{ label: 'Inspectors', to: '/inspectors' }];

/** What shows an inspector, and is asked anew when one has changed. */
const SHOWN = ['inspectors', 'inspector'];

/** A new inspector. Then its page is shown, where it can be tried. */
export function NewInspectorPage(): ReactNode {
  const [, navigate] = useLocation();
  const { draft, change, forget } = useKeptForm('new inspector', () => NEW_INSPECTOR);
  const create = useChange({
    run: () => answered(api.POST('/api/v1/inspectors', { body: { ...toRequest(draft), protocol: draft.protocol } })),
    invalidates: SHOWN,
    says: 'The inspector was created. It judges nothing until guardrails name it.',
    then: ({ data }) => {
      forget();
      navigate(`/inspectors/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New inspector" crumbs={CRUMBS}>
      <PageForm submit="Create the inspector" change={create}>
        <InspectorFields draft={draft} onChange={change} error={create.error} isNew />
      </PageForm>
    </Page>
  );
}

/** One inspector: its form with a trial beside it, and what it did. */
export function InspectorPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['inspector', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/inspectors/{id}', { params: { path: { id } }, signal })),
  });
  const inspector = found.data?.data;
  return (
    <Page
      title={inspector?.name ?? 'Inspector'}
      crumbs={CRUMBS}
      actions={
        inspector !== undefined &&
        may('inspectors_write') && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      {inspector !== undefined && (
        <>
          <ManagedNote section="inspectors" id={id} />
          <Facts
            facts={[
              ['Protocol', PROTOCOLS[inspector.protocol].label],
              ['Mode', <EnforcementBadge enforcement={inspector.mode} />],
              ['Created', <Time at={inspector.created_at} />],
              ['Changed', <Time at={inspector.updated_at} />],
            ]}
          />
          <div className="beside">
            <EditInspector key={`${id} ${inspector.updated_at}`} known={found.data!} />
            {PROTOCOLS[inspector.protocol].key === undefined ? <NoTrial /> : <InspectorTrial key={id} id={id} />}
          </div>
          {may('usage_read') && <FilterActivity inspector={id} />}
          {isDeleting && (
            <DeleteInspector
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/inspectors')}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** Why a judge model is not asked here. */
function NoTrial(): ReactNode {
  return (
    <Section title="Test">
      <p>
        A judge model is paid by the keys whose requests it judges, so it cannot be tested here. Let its verdict only be
        recorded, and look at requests.
      </p>
    </Section>
  );
}

function EditInspector({ known: { data: inspector, tag } }: { readonly known: Tagged<Inspector> }): ReactNode {
  const { id, updated_at: state } = inspector;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`inspector ${id} ${state}`, () => draftOf(inspector));
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/inspectors/{id}', {
          params: { path: { id }, header: ifMatch(tag) },
          body: toRequest(draft),
        }),
      ),
    invalidates: SHOWN,
    says: 'The inspector was saved.',
    then: forget,
  });
  return (
    <Section title="Settings">
      <PageForm submit={may('inspectors_write') ? 'Save' : undefined} busy="Saving …" isWide change={save}>
        <InspectorFields draft={draft} onChange={change} error={save.error} isNew={false} />
      </PageForm>
    </Section>
  );
}

interface DeleteInspectorProps {
  /** The inspector as it was shown when the dialog was opened. */
  readonly known: Tagged<Inspector>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteInspector({ known, onClose, onDeleted }: DeleteInspectorProps): ReactNode {
  const [{ data: inspector, tag }] = useState(known);
  const remove = useChange({
    run: () =>
      answered(
        api.DELETE('/api/v1/inspectors/{id}', { params: { path: { id: inspector.id }, header: ifMatch(tag) } }),
      ).catch((error: unknown) => {
        throw error instanceof ApiError && error.reason === 'inspector_in_use' ? new Error(IN_USE) : error;
      }),
    invalidates: ['inspectors'],
    says: `${inspector.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${inspector.name}?`}
      submit="Delete the inspector"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>Its secrets are gone with it. What it has done stays in the records.</p>
    </FormDialog>
  );
}

const IN_USE = 'A guardrail names this inspector, so nothing was deleted. Take it out of its guardrails first.';
