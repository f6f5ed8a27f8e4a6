import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, TextFilter, useFilters } from '../../components/filters';
import { ManagedMark } from '../../components/managed';
import { PagedTable, pageQuery } from '../../components/lists';
import { Page } from '../../components/page';
import { Time } from '../../components/values';

const LIMIT = 50;

const COLUMNS: readonly Column<Schema<'Workspace'>>[] = [
  {
    name: 'Workspace',
    sortAs: 'name',
    cell: ({ id, name, slug }) => (
      <>
        <Link href={`/workspaces/${id}`}>{name}</Link>
        <ManagedMark section="workspaces" id={id} />
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
  { name: 'Created', sortAs: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The workspaces of the organization. */
export function WorkspacesPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const query = pageQuery(filters, LIMIT, '-created_at');
  const workspaces = useQuery({
    queryKey: ['workspaces', 'page', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/workspaces', { params: { query }, signal })),
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
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={workspaces.error} />
      <PagedTable
        caption="Workspaces"
        columns={COLUMNS}
        filters={filters}
        query={query}
        list={workspaces}
        keyOf={({ id }) => id}
        empty="There is no workspace that you can see. Create one, and keys, budgets and guardrails can be its own."
      />
    </Page>
  );
}
