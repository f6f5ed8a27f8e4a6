import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { api, answered } from '../../api/client';
import { nameOfMember, useMembers, useNames, useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { CreateKey } from './create-key';
import { KeySpend, KeyState } from './key-state';

const LIMIT = 100;

const STATES = [
  ['', 'All'],
  ['active', 'Active'],
  ['disabled', 'Disabled'],
  ['suspended', 'Suspended'],
  ['expired', 'Expired'],
] as const;

type Status = Exclude<(typeof STATES)[number][0], ''>;

const USED = [
  ['', 'Any'],
  ['0.8', '80 % used or more'],
  ['1', 'Met'],
] as const;

function isStatus(text: string): text is Status {
  return text !== '' && STATES.some(([state]) => state === text);
}

/** All keys of the organization in one table, whatever their workspace. */
export function KeysPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const names = useNames();
  const workspaces = useWorkspaces();
  const members = useMembers();
  const [isCreating, setCreating] = useState(false);
  const [workspace, owner, status, used] = ['workspace', 'owner', 'status', 'used'].map(filters.get) as [
    string,
    string,
    string,
    string,
  ];
  const query = {
    ...pageQuery(filters, LIMIT, '-created_at'),
    include_disabled: 'true' as const,
    ...(workspace !== '' && { workspace_id: workspace }),
    ...(owner !== '' && { user_id: owner }),
    ...(isStatus(status) && { status }),
    ...(used !== '' && { limit_used: Number(used) }),
  };
  const keys = useQuery({
    queryKey: ['keys', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/keys', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Schema<'Key'>>[] = [
    {
      name: 'Name',
      sortAs: 'name',
      cell: (key) => (
        <>
          <Link href={`/keys/${key.hash}`}>{key.name}</Link>
          <ManagedMark section="keys" id={key.hash} />
          <code className="label">{key.label}</code>
        </>
      ),
    },
    { name: 'State', cell: (key) => <KeyState apiKey={key} /> },
    { name: 'Workspace', cell: (key) => names.workspace(key.workspace_id) },
    { name: 'Owner', cell: (key) => names.member(key.creator_user_id) },
    { name: 'Spent', sortAs: 'spent', cell: (key) => <KeySpend apiKey={key} />, isNumber: true },
    { name: 'Last used', cell: (key) => <Time at={key.last_used_at} /> },
    { name: 'Expires', sortAs: 'expires_at', cell: (key) => <Time at={key.expires_at} /> },
  ];
  return (
    <Page
      title="Keys"
      actions={
        may('keys_write') && (
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            Create a key
          </button>
        )
      }
    >
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
        <SelectFilter
          filters={filters}
          name="workspace"
          label="Workspace"
          options={[['', 'All'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
        <SelectFilter
          filters={filters}
          name="owner"
          label="Owner"
          options={[['', 'All'], ...members.map((member) => [member.id, nameOfMember(member)] as const)]}
        />
        <SelectFilter filters={filters} name="status" label="State" options={STATES} />
        <SelectFilter filters={filters} name="used" label="Limit" options={USED} />
      </FilterBar>
      <Failure error={keys.error} />
      <PagedTable
        caption="Keys"
        columns={columns}
        filters={filters}
        query={query}
        list={keys}
        keyOf={(key) => key.hash}
        empty={filters.isSet ? 'Nothing matches the filters.' : 'There are no keys yet. Create one to call a model.'}
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}
