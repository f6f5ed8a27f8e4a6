import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { answered, api } from '../../api/client';
import { useWorkspaces } from '../../api/names';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, Pager, SelectFilter, useFilters } from '../../components/filters';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { DestinationState } from './destination-state';

const LIMIT = 50;

/** What the list shows of a destination, whatever its type is. */
interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  readonly delivery_state: string;
  readonly sampling_rate: number;
  readonly privacy_mode: boolean;
  readonly updated_at: string;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <>
        <Link href={`/destinations/${id}`}>{name ?? 'Without a name'}</Link>
        <ManagedMark section="destinations" id={id} />
      </>
    ),
  },
  { name: 'Type', cell: ({ type }) => type },
  { name: 'Deliveries', cell: ({ delivery_state: state }) => <DestinationState state={state} /> },
  {
    name: 'Gets',
    cell: (row) => `${Math.round(row.sampling_rate * 100)} %${row.privacy_mode ? ', without content' : ''}`,
  },
  { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
];

/** The destinations of a workspace; those of the default one where none is chosen. */
export function DestinationsPage(): ReactNode {
  const filters = useFilters();
  const workspaces = useWorkspaces();
  const workspace = filters.get('workspace');
  const offset = Number(filters.get('offset'));
  const query = { offset, limit: LIMIT, ...(workspace !== '' && { workspace_id: workspace }) };
  const destinations = useQuery({
    queryKey: ['destinations', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/observability/destinations', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Destinations">
      <FilterBar filters={filters}>
        <SelectFilter
          filters={filters}
          name="workspace"
          label="Workspace"
          options={[
            ['', 'Default workspace'],
            ...workspaces.filter(({ slug }) => slug !== 'default').map(({ id, name }) => [id, name] as const),
          ]}
        />
      </FilterBar>
      <Failure error={destinations.error} />
      <DataTable
        caption="Destinations"
        columns={COLUMNS}
        rows={destinations.data?.data}
        keyOf={({ id }) => id}
        isBusy={destinations.isFetching}
        empty="This workspace sends its generations nowhere."
      />
      <Pager
        offset={offset}
        limit={LIMIT}
        shown={destinations.data?.data.length ?? 0}
        total={destinations.data?.total_count ?? 0}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
    </Page>
  );
}
