import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { nameOfMember, useMembers, useNames, useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, LinkedFilter, SelectFilter, TextFilter, TimeFilter, useFilters } from '../../components/filters';
import { Page } from '../../components/page';
import { count, duration, Time, usd } from '../../components/values';
import { useRequests } from './list';
import { RequestStatus } from './request-status';

type Row = Schema<'ListedGeneration'>;

const OUTCOMES = [
  ['', 'All'],
  ['true', 'Refused'],
  ['false', 'Not refused'],
] as const;

/** The requests of inference, latest first. All filters are in the address. */
export function RequestsPage(): ReactNode {
  const filters = useFilters();
  const search = useSearch();
  const names = useNames();
  const workspaces = useWorkspaces();
  const members = useMembers();
  const requests = useRequests(filters);
  const rows = requests.data?.pages.flatMap(({ data }) => data);
  const searchedTo = requests.data?.pages.at(-1)?.searched_to;
  const columns: readonly Column<Row>[] = [
    {
      name: 'Time',
      cell: ({ id, created_at }) => (
        <Link href={`/requests/${encodeURIComponent(id)}${search === '' ? '' : `?${search}`}`}>
          <Time at={created_at} />
        </Link>
      ),
    },
    { name: 'Outcome', cell: (row) => <RequestStatus status={row.status} refusal={row.refusal} /> },
    { name: 'Key', cell: (row) => row.key_name ?? <span className="quiet">deleted</span> },
    { name: 'Member', cell: (row) => row.user_name ?? row.user_id },
    { name: 'Workspace', cell: (row) => names.workspace(row.workspace_id) },
    { name: 'Model', cell: (row) => row.model },
    { name: 'Provider', cell: (row) => row.provider },
    {
      name: 'Tokens',
      cell: (row) => `${count(row.tokens_prompt ?? 0)} + ${count(row.tokens_completion ?? 0)}`,
      isNumber: true,
    },
    { name: 'Cost', cell: (row) => usd(row.total_cost), isNumber: true },
    {
      name: 'Took',
      cell: (row) => (row.generation_time === null ? null : duration(row.generation_time)),
      isNumber: true,
    },
  ];
  return (
    <Page
      title="Requests"
      actions={
        <button type="button" onClick={() => void requests.refetch()}>
          Refresh
        </button>
      }
    >
      <FilterBar filters={filters}>
        <SelectFilter filters={filters} name="refused" label="Outcome" options={OUTCOMES} />
        <TextFilter filters={filters} name="status" label="Status" />
        <TextFilter filters={filters} name="model" label="Model" />
        <TextFilter filters={filters} name="provider" label="Provider" />
        <SelectFilter
          filters={filters}
          name="workspace_id"
          label="Workspace"
          options={[['', 'All'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
        <SelectFilter
          filters={filters}
          name="user_id"
          label="Member"
          options={[['', 'All'], ...members.map((member) => [member.id, nameOfMember(member)] as const)]}
        />
        <TimeFilter filters={filters} name="since" label="Since" />
        <TimeFilter filters={filters} name="until" label="Until" />
        <LinkedFilter
          filters={filters}
          name="key_hash"
          label="Key"
          shown={rows?.[0]?.key_name ?? filters.get('key_hash').slice(0, 12)}
        />
      </FilterBar>
      <Failure error={requests.error} />
      <DataTable
        caption="Requests"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isBusy={requests.isFetching}
        empty={
          searchedTo == null
            ? filters.isSet
              ? 'No request matches the filters.'
              : 'There are no requests yet. Ask a model with a key.'
            : 'No request matches the filters so far.'
        }
      />
      {requests.hasNextPage && (
        <div className="pager">
          <button
            type="button"
            aria-disabled={requests.isFetchingNextPage}
            onClick={() => void (requests.isFetchingNextPage || requests.fetchNextPage())}
          >
            Show older requests
          </button>
          {searchedTo != null && (
            <span className="quiet">
              Searched back to <Time at={searchedTo} />
            </span>
          )}
        </div>
      )}
    </Page>
  );
}
