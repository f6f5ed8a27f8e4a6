import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Pager, useFilters } from '../../components/filters';
import { Page } from '../../components/page';
import { Time } from '../../components/values';

const LIMIT = 50;

const COLUMNS: readonly Column<Schema<'Workspace'>>[] = [
  {
    name: 'Workspace',
    cell: ({ id, name, slug }) => (
      <>
        <Link href={`/workspaces/${id}`}>{name}</Link>
        <code className="label">{slug}</code>
      </>
    ),
  },
  { name: 'Description', cell: ({ description }) => description },
  {
    name: 'Keys',
    cell: ({ id, name }) => (
      <Link href={`/keys?workspace=${id}`} aria-label={`Keys of ${name}`}>
        Keys
      </Link>
    ),
  },
  { name: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The workspaces of the organization. */
export function WorkspacesPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const offset = Number(filters.get('offset'));
  const workspaces = useQuery({
    queryKey: ['workspaces', 'page', offset],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/workspaces', { params: { query: { offset, limit: LIMIT } }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Workspaces"
      actions={
        may('workspaces_write') && (
          <button type="button" className="primary" onClick={() => navigate('/workspaces/new')}>
            Create a workspace
          </button>
        )
      }
    >
      <Failure error={workspaces.error} />
      <DataTable
        caption="Workspaces"
        columns={COLUMNS}
        rows={workspaces.data?.data}
        keyOf={({ id }) => id}
        isBusy={workspaces.isFetching}
        empty="There is no workspace that you can see. Create one, and keys, budgets and guardrails can be its own."
      />
      <Pager
        offset={offset}
        limit={LIMIT}
        shown={workspaces.data?.data.length ?? 0}
        total={workspaces.data?.total_count ?? 0}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </Page>
  );
}
