import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, api, answered, ifMatch, tagOfShown } from '../../api/client';
import { CreateScimGroupMappingRequest } from '../../api/descriptions';
import { useNames, useWorkspaces } from '../../api/names';
import { type Role, ROLE_LABELS, ROLES } from '../../api/roles';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { CheckField, requestFields, SelectField } from '../../components/fields';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { Time } from '../../components/values';

/** The groups of the directory. */
export function useGroups(): UseQueryResult<readonly Schema<'ScimGroup'>[]> {
  return useWholeList(['groups', 'list'], (page, signal) =>
    answered(api.GET('/api/v1/scim/groups', { params: { query: page }, signal })),
  );
}

const ROLES_IN_WORKSPACE = ROLES.map((role) => [role, `${ROLE_LABELS[role]} of the workspace`] as const);

type Mapping = Schema<'ScimGroupMapping'>;

/** The groups that a directory has pushed, and the workspaces that they lead to. */
export function GroupsPage(): ReactNode {
  const may = useMay();
  const names = useNames();
  const [isMapping, setMapping] = useState(false);
  const [removed, setRemoved] = useState<Mapping>();
  const groups = useGroups();
  const mappings = useWholeList(['groups', 'mappings'], (page, signal) =>
    answered(api.GET('/api/v1/scim/group-mappings', { params: { query: page }, signal })),
  );
  const change = useChange({
    run: async ({ mapping, role }: { readonly mapping: Mapping; readonly role: Role }) => {
      const path = { id: mapping.id };
      const header = ifMatch(await tagOfMapping(mapping));
      return answered(api.PATCH('/api/v1/scim/group-mappings/{id}', { params: { path, header }, body: { role } }));
    },
    invalidates: ['groups'],
    says: 'The role was changed.',
  });
  if (isOff(groups.error) || isOff(mappings.error)) return <ScimIsOff />;
  const rows = groups.data;
  const nameOfGroup = (id: string): string => rows?.find((group) => group.id === id)?.display_name ?? id;
  return (
    <Page
      title="Groups"
      actions={
        may('scim_write') &&
        rows !== undefined &&
        rows.length > 0 && (
          <button type="button" className="primary" onClick={() => setMapping(true)}>
            Map a group
          </button>
        )
      }
    >
      <Failure error={groups.error ?? mappings.error ?? change.error} />
      <Section title="What groups lead to">
        <WholeTable
          caption="Mappings of groups to workspaces"
          list={mappings}
          keyOf={({ id }) => id}
          empty="No group leads to a workspace yet."
          columns={[
            {
              name: 'Group',
              cell: (mapping) => (
                <>
                  {nameOfGroup(mapping.scim_group_id)}
                  <ManagedMark section="scim_group_mappings" id={mapping.id} />
                </>
              ),
            },
            { name: 'Workspace', cell: (mapping) => names.workspace(mapping.workspace_id) },
            {
              name: 'Role',
              cell: (mapping) =>
                may('scim_write') ? (
                  <select
                    aria-label={`Role of ${nameOfGroup(mapping.scim_group_id)} in ${names.workspace(mapping.workspace_id)}`}
                    value={mapping.role}
                    onChange={(event) => change.mutate({ mapping, role: event.target.value as Role })}
                  >
                    {ROLES_IN_WORKSPACE.map(([role, label]) => (
                      <option key={role} value={role}>
                        {label}
                      </option>
                    ))}
                  </select>
                ) : (
                  mapping.role
                ),
            },
            { name: 'Since', cell: (mapping) => <Time at={mapping.created_at} /> },
            {
              name: 'Action',
              cell: (mapping) =>
                may('scim_write') && (
                  <button
                    type="button"
                    aria-label={`Remove the mapping of ${nameOfGroup(mapping.scim_group_id)}`}
                    onClick={() => setRemoved(mapping)}
                  >
                    Remove
                  </button>
                ),
            },
          ]}
        />
      </Section>
      <Section title="Groups of the directory">
        <WholeTable
          caption="Groups of the directory"
          list={groups}
          keyOf={({ id }) => id}
          empty="No directory has pushed a group yet. Settings has the tokens for it."
          columns={[
            { name: 'Name', cell: ({ id, display_name: name }) => <Link href={`/groups/${id}`}>{name}</Link> },
            { name: 'Id at the directory', cell: ({ external_id: id }) => id },
            { name: 'Changed', cell: (group) => <Time at={group.updated_at} /> },
          ]}
        />
      </Section>
      {isMapping && <MapGroup groups={rows ?? []} onClose={() => setMapping(false)} />}
      {removed !== undefined && (
        <RemoveMapping
          mapping={removed}
          name={nameOfGroup(removed.scim_group_id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}

/** Whether the organization has no groups because nothing provisions it. */
function isOff(error: Error | null): boolean {
  return error instanceof ApiError && error.reason === 'scim_not_enabled';
}

function ScimIsOff(): ReactNode {
  return (
    <Page title="Groups">
      <p className="empty">
        SCIM is off for this organization, so that no directory pushes groups here. Who operates the deployment switches
        it on: <code>gatehouse scim enable</code>
      </p>
    </Page>
  );
}

/** The tag of a mapping that the table has shown. @throws ApiError if it has been changed meanwhile */
function tagOfMapping({ id, role }: Mapping): Promise<string | null> {
  const read = api.GET('/api/v1/scim/group-mappings/{id}', { params: { path: { id } } });
  return tagOfShown(read, (now) => now.role === role);
}

interface MapGroupProps {
  readonly groups: readonly Schema<'ScimGroup'>[];
  readonly onClose: () => void;
}

/** What stands in the form of a mapping. */
interface MappingDraft {
  readonly group: string;
  /** An empty text for the first one. */
  readonly workspace: string;
  readonly role: Role;
}

function MapGroup({ groups, onClose }: MapGroupProps): ReactNode {
  const workspaces = useWorkspaces();
  const kept = useKeptForm<MappingDraft>('new mapping', () => ({
    group: groups[0]?.id ?? '',
    workspace: '',
    role: 'member',
  }));
  const { group, workspace, role } = kept.draft;
  const set = setterOf(kept);
  const chosen = workspace === '' ? (workspaces[0]?.id ?? '') : workspace;
  const map = useChange({
    run: () =>
      answered(api.POST('/api/v1/scim/group-mappings', { body: { scim_group_id: group, workspace_id: chosen, role } })),
    invalidates: ['groups'],
    says: 'The group leads to the workspace.',
    then: onClose,
  });
  const of = requestFields(CreateScimGroupMappingRequest, map.error);
  return (
    <FormDialog title="Map a group to a workspace" submit="Map the group" change={map} kept={kept} onClose={onClose}>
      <SelectField
        label="Group"
        {...of('scim_group_id')}
        isRequired
        value={group}
        options={groups.map(({ id, display_name: name }) => [id, name])}
        onChange={(changed) => set({ group: changed })}
      />
      <SelectField
        label="Workspace"
        {...of('workspace_id')}
        isRequired
        value={chosen}
        options={workspaces.map(({ id, name }) => [id, name])}
        onChange={(changed) => set({ workspace: changed })}
      />
      <SelectField
        label="Role"
        {...of('role')}
        value={role}
        options={ROLES_IN_WORKSPACE}
        onChange={(value) => set({ role: value as Role })}
      />
    </FormDialog>
  );
}

interface RemoveMappingProps {
  readonly mapping: Mapping;
  readonly name: string;
  readonly onClose: () => void;
}

function RemoveMapping({ mapping, name, onClose }: RemoveMappingProps): ReactNode {
  const [keeps, setKeeps] = useState(false);
  const remove = useChange({
    run: async () => {
      const header = ifMatch(await tagOfMapping(mapping));
      const params = { path: { id: mapping.id }, query: { keep_members: keeps }, header };
      return answered(api.DELETE('/api/v1/scim/group-mappings/{id}', { params }));
    },
    invalidates: ['groups'],
    says: 'The mapping was removed.',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Remove the mapping of ${name}?`}
      submit="Remove the mapping"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>Who is in the workspace through this group alone leaves it, and their keys there are refused.</p>
      <CheckField label="Keep them as members of the workspace" value={keeps} onChange={setKeeps} />
    </FormDialog>
  );
}
