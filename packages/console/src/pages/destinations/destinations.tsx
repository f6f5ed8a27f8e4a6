import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { DestinationState, SilentWorkspace } from './destination-state';
import { type Destination, labelOfType } from './destination-types';

const LIMIT = 50;

const COLUMNS: readonly Column<Destination>[] = [
  {
    name: 'Name',
    sortAs: 'name',
    cell: ({ id, name }) => (
      <>
        <Link href={`/destinations/${id}`}>{name ?? 'Without a name'}</Link>
        <ManagedMark section="destinations" id={id} />
      </>
    ),
  },
  { name: 'Type', cell: ({ type }) => labelOfType(type) },
  {
    name: 'Deliveries',
    cell: ({ delivery_state: state, enabled }) => <DestinationState state={state} enabled={enabled} />,
  },
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
  const may = useMay();
  const [, navigate] = useLocation();
  const workspace = filters.get('workspace');
  const query = { ...pageQuery(filters, LIMIT, '-created_at'), ...(workspace !== '' && { workspace_id: workspace }) };
  const destinations = useQuery({
    queryKey: ['destinations', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/observability/destinations', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const turn = useChange({
    run: async ({ id, enabled, updated_at: state }: Destination) => {
      const path = { id };
      const read = api.GET('/api/v1/observability/destinations/{id}', { params: { path } });
      const header = ifMatch(await tagOfShown(read, (now) => now.updated_at === state));
      return answered(
        api.PATCH('/api/v1/observability/destinations/{id}', { params: { path, header }, body: { enabled: !enabled } }),
      );
    },
    invalidates: ['destinations', 'destination', 'deliveries'],
    says: ({ data }) => `${data.name ?? 'The destination'} is ${data.enabled ? 'enabled' : 'disabled'}.`,
  });
  const columns: readonly Column<Destination>[] = may('destinations_write')
    ? [
        ...COLUMNS,
        {
          name: 'Actions',
          cell: (row) => (
            <button
              type="button"
              aria-label={`${row.enabled ? 'Disable' : 'Enable'} ${row.name ?? row.id}`}
              onClick={() => turn.mutate(row)}
            >
              {row.enabled ? 'Disable' : 'Enable'}
            </button>
          ),
        },
      ]
    : COLUMNS;
  return (
    <Page
      title="Destinations"
      actions={
        may('destinations_write') && (
          <button
            type="button"
            className="primary"
            onClick={() => navigate(`/destinations/new${workspace === '' ? '' : `?workspace=${workspace}`}`)}
          >
            Create a destination
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
          options={[
            ['', 'Default workspace'],
            ...workspaces.filter(({ slug }) => slug !== 'default').map(({ id, name }) => [id, name] as const),
          ]}
        />
      </FilterBar>
      <Failure error={destinations.error ?? turn.error} />
      <SilentWorkspace id={workspace} />
      <PagedTable
        caption="Destinations"
        columns={columns}
        filters={filters}
        query={query}
        list={destinations}
        keyOf={({ id }) => id}
        empty="This workspace sends its generations nowhere. Create a destination, such as a collector, an observability service, a bucket or a webhook."
      />
    </Page>
  );
}
