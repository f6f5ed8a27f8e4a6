import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { CreateManagementKeyRequest } from '../../api/descriptions';
import { nameOfMember, useMembers, useNames } from '../../api/names';
import { useMay, useSession } from '../../api/session';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { requestFields, SelectField, TextField } from '../../components/fields';
import { FilterBar, fromLocalInput, TextFilter, useFilters } from '../../components/filters';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { PagedTable, pageQuery } from '../../components/lists';
import { Page } from '../../components/page';
import { SecretDialog } from '../../components/secret-dialog';
import { Time } from '../../components/values';
import { KeyState } from '../keys/key-state';
import { ManagementKeyFields, toRequest, UNRESTRICTED } from './management-key-fields';
import { SettingsParts } from './settings-parts';

const LIMIT = 100;

/** The keys that call the operations of the interface, and how one is made. */
export function ManagementKeysPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const names = useNames();
  const [isCreating, setCreating] = useState(false);
  const query = pageQuery(filters, LIMIT, '-created_at');
  const keys = useQuery({
    queryKey: ['management-keys', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/management-keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Management keys"
      crumbs={[{ label: 'Settings', to: '/settings' }]}
      actions={
        may('management_keys_write') && (
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            Create a management key
          </button>
        )
      }
    >
      <SettingsParts />
      <p>
        With a management key software does what its owner may do here: make keys, change guardrails, read what was
        spent.
      </p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={keys.error} />
      <PagedTable
        caption="Management keys"
        filters={filters}
        query={query}
        list={keys}
        keyOf={({ hash }) => hash}
        empty="There are no management keys."
        columns={[
          {
            name: 'Name',
            sortAs: 'name',
            cell: ({ hash, name, label }) => (
              <>
                <Link href={`/settings/management-keys/${hash}`}>{name}</Link>
                <code className="label">{label}</code>
              </>
            ),
          },
          { name: 'State', cell: (key) => <KeyState apiKey={key} /> },
          { name: 'Owner', cell: (key) => names.member(key.creator_user_id) },
          {
            name: 'Permissions',
            cell: ({ scopes }) => (scopes === null ? 'Those of its owner' : `${scopes.length} of these`),
          },
          { name: 'Created', sortAs: 'created_at', cell: (key) => <Time at={key.created_at} /> },
          { name: 'Expires', cell: (key) => <Time at={key.expires_at} /> },
        ]}
      />
      {isCreating && <CreateManagementKey onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** What stands in the form of a new key; the time as its input has it. */
const NEW_KEY = { settings: UNRESTRICTED, owner: '', expiry: '' };

/** Makes a management key, and shows its secret once. */
function CreateManagementKey({ onClose }: { readonly onClose: () => void }): ReactNode {
  const session = useSession();
  const services = useMembers().filter(({ kind }) => kind === 'service');
  const kept = useKeptForm('new management key', () => NEW_KEY);
  const { settings, owner, expiry } = kept.draft;
  const set = setterOf(kept);
  const create = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/management-keys', {
          body: {
            ...toRequest(settings),
            ...(owner !== '' && { creator_user_id: owner }),
            expires_at: fromLocalInput(expiry),
          },
        }),
      ),
    invalidates: ['management-keys'],
    says: ({ data }) => `The key ${data.name} was created.`,
  });
  if (create.data !== undefined) {
    return <SecretDialog title={`The key ${create.data.data.name}`} secret={create.data.key} onClose={onClose} />;
  }
  const of = requestFields(CreateManagementKeyRequest, create.error);
  return (
    <FormDialog title="Create a management key" submit="Create the key" change={create} kept={kept} onClose={onClose}>
      <ManagementKeyFields
        value={settings}
        onChange={(changed) => set({ settings: changed })}
        offered={session?.permissions ?? []}
        mayBeUnrestricted
        error={create.error}
      />
      <SelectField
        label="Owner"
        {...of('creator_user_id')}
        value={owner}
        options={[['', 'You'], ...services.map((member) => [member.id, nameOfMember(member)] as const)]}
        onChange={(changed) => set({ owner: changed })}
      />
      <TextField
        label="Expires"
        type="datetime-local"
        {...of('expires_at')}
        value={expiry}
        onChange={(changed) => set({ expiry: changed })}
      />
    </FormDialog>
  );
}
