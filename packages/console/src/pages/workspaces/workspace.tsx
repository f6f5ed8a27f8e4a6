import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ApiError, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { CheckField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { Page, Section } from '../../components/page';
import { ManagedNote } from '../../components/managed';
import { PageForm } from '../../components/page-form';
import { draftOf, toRequest } from './workspace-draft';
import { WorkspaceFields } from './workspace-fields';
import { WorkspaceMembers } from './workspace-members';

type Workspace = Schema<'Workspace'>;

const CRUMBS = [{ label: 'Workspaces', to: '/workspaces' }];

/** What shows workspaces, and is asked anew when one has changed. */
const SHOWN = ['workspaces', 'workspace'];

/** A new workspace. Then its page is shown, where it gets members. */
export function NewWorkspacePage(): ReactNode {
  const [, navigate] = useLocation();
  const { draft, change, forget } = useKeptForm('new workspace', () => draftOf());
  const create = useChange({
    run: () => answered(api.POST('/api/v1/workspaces', { body: toRequest(draft) })),
    invalidates: SHOWN,
    says: 'The workspace was created without members.',
    then: ({ data }) => {
      forget();
      navigate(`/workspaces/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New workspace" crumbs={CRUMBS}>
      <PageForm submit="Create the workspace" change={create}>
        <WorkspaceFields draft={draft} onChange={change} error={create.error} />
      </PageForm>
    </Page>
  );
}

/** One workspace: its members, and its form. */
export function WorkspacePage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/workspaces/{id}', { params: { path: { id } }, signal })),
  });
  const workspace = found.data?.data;
  return (
    <Page
      title={workspace?.name ?? 'Workspace'}
      crumbs={CRUMBS}
      actions={
        workspace !== undefined &&
        may('workspaces_write') && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      {workspace !== undefined && (
        <>
          <ManagedNote section="workspaces" id={workspace.id} />
          <WorkspaceMembers key={id} id={workspace.id} name={workspace.name} />
          <Section title="Settings">
            <EditWorkspace key={found.data!.tag} known={found.data!} />
          </Section>
          {isDeleting && (
            <DeleteWorkspace
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/workspaces')}
            />
          )}
        </>
      )}
    </Page>
  );
}

function EditWorkspace({ known: { data: workspace, tag } }: { readonly known: Tagged<Workspace> }): ReactNode {
  const { id } = workspace;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`workspace ${id} ${tag}`, () => draftOf(workspace));
  const save = useChange({
    run: () => {
      const params = { path: { id }, header: ifMatch(tag) };
      return answered(api.PATCH('/api/v1/workspaces/{id}', { params, body: toRequest(draft) }));
    },
    invalidates: SHOWN,
    says: 'The workspace was saved.',
    then: forget,
  });
  return (
    <PageForm submit={may('workspaces_write') ? 'Save' : undefined} change={save}>
      <WorkspaceFields draft={draft} onChange={change} error={save.error} />
    </PageForm>
  );
}

interface DeleteWorkspaceProps {
  /** The workspace as it was shown when the dialog was opened. */
  readonly known: Tagged<Workspace>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a workspace is to go, and says what goes with it. */
function DeleteWorkspace({ known, onClose, onDeleted }: DeleteWorkspaceProps): ReactNode {
  const [{ data: workspace, tag }] = useState(known);
  const [isDefault, setDefault] = useState(false);
  const remove = useChange({
    run: () => {
      const query = isDefault ? { confirm_default_workspace_deletion: true } : {};
      const params = { path: { id: workspace.id }, query, header: ifMatch(tag) };
      return answered(api.DELETE('/api/v1/workspaces/{id}', { params }));
    },
    invalidates: ['workspaces', 'keys', 'budgets', 'guardrails', 'destinations'],
    says: `${workspace.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${workspace.name}?`}
      submit="Delete the workspace"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Its memberships, budgets, guardrails, presets, destinations, mappings of groups, and disabled and expired keys
        are deleted with it. While it has an active key, nothing is deleted.
      </p>
      <CheckField
        label="Also if it is the default workspace"
        issue={
          remove.error instanceof ApiError ? remove.error.issueOf('confirm_default_workspace_deletion') : undefined
        }
        hint="Then there is none any more, and requests that would use it have to name one."
        value={isDefault}
        onChange={setDefault}
      />
    </FormDialog>
  );
}
