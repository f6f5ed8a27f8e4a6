import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, SuggestFilter, useFilters } from '../../components/filters';
import { PROVIDERS } from '../../components/suggestions';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Badge } from '../../components/values';
import { ProviderParts } from './provider-parts';

type OwnKey = Schema<'BYOKKey'>;

/** How a key is called: its name, else its mask. */
export function titleOf({ name, label, provider }: OwnKey): string {
  return `${name ?? label} for ${provider}`;
}

/** The tag of a key that the table has shown. @throws ApiError if it has been changed meanwhile */
function tagOfKey({ id, label, disabled }: OwnKey): Promise<string | null> {
  const read = api.GET('/api/v1/byok/{id}', { params: { path: { id } } });
  return tagOfShown(read, (now) => now.label === label && now.disabled === disabled);
}

/** The organization's own keys for providers, of one workspace. */
export function OwnKeysPage(): ReactNode {
  const filters = useFilters();
  const workspaces = useWorkspaces();
  const may = useMay();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<OwnKey>();
  const [workspace, provider] = [filters.get('workspace'), filters.get('provider')];
  const query = {
    ...(workspace !== '' && { workspace_id: workspace }),
    ...(provider !== '' && { provider }),
  };
  const keys = useWholeList(['byok', query], (page, signal) =>
    answered(api.GET('/api/v1/byok', { params: { query: { ...page, ...query } }, signal })),
  );
  const turn = useChange({
    run: async (key: OwnKey) => {
      const params = { path: { id: key.id }, header: ifMatch(await tagOfKey(key)) };
      const { data } = await answered(api.PATCH('/api/v1/byok/{id}', { params, body: { disabled: !key.disabled } }));
      return data;
    },
    invalidates: ['byok'],
    says: (key) => `${titleOf(key)} is ${key.disabled ? 'disabled' : 'enabled'}.`,
  });
  const columns: readonly Column<OwnKey>[] = [
    {
      name: 'Key',
      cell: (key) => (
        <>
          <Link href={`/providers/keys/${key.id}`}>{key.name ?? key.label}</Link>
          <ManagedMark section="provider_keys" id={key.id} />
          <code className="label">{key.label}</code>
        </>
      ),
    },
    { name: 'Provider', cell: (key) => key.provider },
    {
      name: 'State',
      cell: ({ disabled }) => <Badge tone={disabled ? 'neutral' : 'good'}>{disabled ? 'Disabled' : 'In use'}</Badge>,
    },
    { name: 'Tried', cell: (key) => triedOf(key) },
    { name: 'Restricted to', cell: (key) => restrictionsOf(key) || <span className="quiet">nothing</span> },
    ...(may('byok_write')
      ? [
          {
            name: 'Actions',
            cell: (key: OwnKey) => (
              <span className="actions">
                <button
                  type="button"
                  aria-label={`${key.disabled ? 'Enable' : 'Disable'} ${titleOf(key)}`}
                  onClick={() => turn.mutate(key)}
                >
                  {key.disabled ? 'Enable' : 'Disable'}
                </button>
                <button type="button" aria-label={`Delete ${titleOf(key)}`} onClick={() => setAsked(key)}>
                  Delete
                </button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Own keys"
      actions={
        may('byok_write') && (
          <button type="button" className="primary" onClick={() => navigate('/providers/keys/new')}>
            Add a key
          </button>
        )
      }
    >
      <ProviderParts />
      <FilterBar filters={filters}>
        <SelectFilter
          filters={filters}
          name="workspace"
          label="Workspace"
          options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
        <SuggestFilter filters={filters} name="provider" label="Provider" suggestions={PROVIDERS} />
      </FilterBar>
      <Failure error={keys.error ?? turn.error} />
      <WholeTable
        caption="Own keys"
        columns={columns}
        list={keys}
        keyOf={({ id }) => id}
        empty={
          filters.isSet
            ? 'No key matches the filters.'
            : 'The default workspace has no keys of its own yet. Add one, and its requests to the provider are charged to your own account there.'
        }
      />
      {asked !== undefined && <DeleteOwnKey shown={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function triedOf({ is_fallback: isFallback, is_required: isRequired, is_byok_only: isOnly }: OwnKey): string {
  if (isOnly) return 'instead of the deployment’s credentials, for all models';
  if (isRequired) return 'instead of the deployment’s credentials';
  return isFallback ? 'after the deployment’s credentials' : 'before the deployment’s credentials';
}

function restrictionsOf(key: OwnKey): string {
  const lists = [
    [key.allowed_models, 'models'],
    [key.allowed_user_ids, 'members'],
    [key.allowed_api_key_hashes, 'API keys'],
  ] as const;
  return lists.flatMap(([list, what]) => (list === null ? [] : [`${list.length} ${what}`])).join(', ');
}

/** Asks whether a key is to go. */
function DeleteOwnKey({ shown, onClose }: { readonly shown: OwnKey; readonly onClose: () => void }): ReactNode {
  const remove = useChange({
    run: async () => {
      const params = { path: { id: shown.id }, header: ifMatch(await tagOfKey(shown)) };
      return answered(api.DELETE('/api/v1/byok/{id}', { params }));
    },
    invalidates: ['byok'],
    says: `${titleOf(shown)} was deleted.`,
    then: onClose,
  });
  return (
    <FormDialog
      title={`Delete ${titleOf(shown)}?`}
      submit="Delete the key"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Requests that begin from then on do not use it
        {shown.is_required || shown.is_byok_only ? ', and may use the deployment’s own credentials again.' : '.'} It
        stays valid at the provider: revoke it there.
      </p>
    </FormDialog>
  );
}
