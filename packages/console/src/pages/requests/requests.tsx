import { type ReactNode, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { ApiError } from '../../api/client';
import { useNames, useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, SuggestFilter, TextFilter, TimeFilter, useFilters } from '../../components/filters';
import { Page } from '../../components/page';
import {
  API_KEYS,
  LABELS,
  LIMITS,
  MCP_SERVERS,
  MCP_TOOLS,
  MEMBERS,
  MODELS,
  PROVIDERS,
} from '../../components/suggestions';
import { count, duration, Time, usd } from '../../components/values';
import { useExport } from './export';
import { sentFilters, useRequests } from './list';
import { type LiveState, merged, useLive } from './live';
import { RequestStatus } from './request-status';

type Row = Schema<'ListedGeneration'>;

const OUTCOMES = [
  ['', 'All'],
  ['true', 'Refused'],
  ['false', 'Not refused'],
] as const;

/** What the other columns leave no room for in a window of the usual width. */
const HIDDEN_AT_FIRST = ['Workspace', 'Provider'];

/** What is said while records come by themselves. */
const LIVE: Readonly<Record<LiveState, string>> = {
  off: '',
  connecting: 'Connecting to new requests …',
  on: 'New requests appear by themselves, a few seconds after they have ended.',
  refused: 'New requests do not come: the filters may not be as they must, or too many windows wait for them.',
};

/** The requests of inference, latest first, also those that come while one looks. All filters are in the address. */
export function RequestsPage(): ReactNode {
  const filters = useFilters();
  const search = useSearch();
  const names = useNames();
  const workspaces = useWorkspaces();
  const [isLive, setLive] = useState(false);
  const sent = sentFilters(filters);
  const requests = useRequests(filters);
  const live = useLive(isLive, sent);
  const table = useExport(sent);
  const listed = requests.data?.pages.flatMap(({ data }) => data);
  const rows = listed && (live.rows.length === 0 ? listed : merged(live.rows, listed));
  const searchedTo = requests.data?.pages.at(-1)?.searched_to;
  const issueOf = (name: string): string | undefined =>
    requests.error instanceof ApiError ? requests.error.issueOf(name) : undefined;
  const columns: readonly Column<Row>[] = [
    {
      name: 'Time',
      cell: ({ id, created_at }) => (
        <Link href={`/requests/${encodeURIComponent(id)}${search === '' ? '' : `?${search}`}`}>
          <Time at={created_at} isExact />
        </Link>
      ),
    },
    {
      name: 'Outcome',
      cell: (row) => <RequestStatus status={row.status} refusal={row.refusal} />,
      sortBy: (row) => `${row.status} ${row.refusal ?? ''}`,
    },
    {
      name: 'Key',
      cell: (row) =>
        row.key_hash === null ? (
          <span className="quiet">deleted</span>
        ) : (
          <Link href={`/keys/${row.key_hash}`}>{row.key_name}</Link>
        ),
      sortBy: (row) => row.key_name,
    },
    { name: 'Member', cell: (row) => row.user_name ?? row.user_id, sortBy: (row) => row.user_name ?? row.user_id },
    {
      name: 'Workspace',
      cell: (row) => names.workspace(row.workspace_id),
      sortBy: (row) => names.workspace(row.workspace_id),
    },
    { name: 'Model', cell: (row) => row.model, sortBy: (row) => row.model },
    { name: 'Provider', cell: (row) => row.provider, sortBy: (row) => row.provider },
    {
      name: 'Tokens',
      cell: (row) => `${count(row.tokens_prompt ?? 0)} + ${count(row.tokens_completion ?? 0)}`,
      isNumber: true,
      sortBy: (row) => (row.tokens_prompt ?? 0) + (row.tokens_completion ?? 0),
    },
    { name: 'Cost', cell: (row) => usd(row.total_cost), isNumber: true, sortBy: (row) => row.total_cost },
    {
      name: 'First token',
      cell: (row) => (row.latency === null ? null : duration(row.latency)),
      isNumber: true,
      sortBy: (row) => row.latency,
    },
    {
      name: 'Took',
      cell: (row) => (row.generation_time === null ? null : duration(row.generation_time)),
      isNumber: true,
      sortBy: (row) => row.generation_time,
    },
  ];
  return (
    <Page
      title="Requests"
      actions={
        <>
          <button type="button" role="switch" aria-checked={isLive} onClick={() => setLive(!isLive)}>
            Live
          </button>
          <button type="button" onClick={() => void requests.refetch()}>
            Refresh
          </button>
          {table.button}
        </>
      }
    >
      <FilterBar filters={filters}>
        <SelectFilter filters={filters} name="refused" label="Outcome" options={OUTCOMES} />
        <TextFilter filters={filters} name="status" label="Status" issue={issueOf('status')} />
        <TextFilter filters={filters} name="refusal" label="Reason" issue={issueOf('refusal')} />
        <SuggestFilter filters={filters} name="model" label="Model" suggestions={MODELS} />
        <SuggestFilter filters={filters} name="provider" label="Provider" suggestions={PROVIDERS} />
        <SuggestFilter
          filters={filters}
          name="key_hash"
          label="Key"
          suggestions={API_KEYS}
          issue={issueOf('key_hash')}
          hint={filters.get('key_hash') === '' ? undefined : listed?.[0]?.key_name}
        />
        <SelectFilter
          filters={filters}
          name="workspace_id"
          label="Workspace"
          options={[['', 'All'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
        <SuggestFilter
          filters={filters}
          name="user_id"
          label="Member"
          suggestions={MEMBERS}
          hint={filters.get('user_id') === '' ? undefined : names.member(filters.get('user_id'))}
        />
        <SuggestFilter filters={filters} name="label" label="Label" suggestions={LABELS} issue={issueOf('label')} />
        <TextFilter filters={filters} name="session_id" label="Session" />
        <SuggestFilter
          filters={filters}
          name="limit_id"
          label="Limit that refused it"
          suggestions={LIMITS}
          issue={issueOf('limit_id')}
        />
        <SuggestFilter
          filters={filters}
          name="server"
          label="MCP server"
          suggestions={MCP_SERVERS}
          issue={issueOf('server')}
        />
        <SuggestFilter filters={filters} name="tool" label="Tool" suggestions={MCP_TOOLS} issue={issueOf('tool')} />
        <TimeFilter filters={filters} name="since" label="Since" />
        <TimeFilter filters={filters} name="until" label="Until" />
      </FilterBar>
      <Failure error={requests.error} />
      {table.failure}
      <p role="status" className="quiet">
        {LIVE[live.state]}
      </p>
      <DataTable
        caption="Requests"
        kept="requests"
        hiddenAtFirst={HIDDEN_AT_FIRST}
        columns={columns}
        rows={requests.isError ? undefined : rows}
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
