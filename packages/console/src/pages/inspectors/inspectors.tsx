import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { EnforcementBadge } from '../../components/enforcement';
import { Failure } from '../../components/failure';
import { placeNames } from '../../components/filter-places';
import { FilterBar, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { PROTOCOLS } from './inspector-protocols';

const LIMIT = 50;

const COLUMNS: readonly Column<Schema<'Inspector'>>[] = [
  {
    name: 'Name',
    sortAs: 'name',
    cell: ({ id, name }) => (
      <>
        <Link href={`/inspectors/${id}`}>{name}</Link>
        <ManagedMark section="inspectors" id={id} />
      </>
    ),
  },
  { name: 'Protocol', cell: ({ protocol }) => PROTOCOLS[protocol].label },
  { name: 'Judges', cell: ({ applies_to: places }) => placeNames(places) },
  { name: 'Mode', cell: ({ mode }) => <EnforcementBadge enforcement={mode} /> },
  { name: 'When it fails', cell: ({ on_failure: action }) => (action === 'block' ? 'blocks' : 'lets pass') },
  { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
];

/** The inspectors of the organization: servers that judge texts. */
export function InspectorsPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const query = pageQuery(filters, LIMIT, '-created_at');
  const inspectors = useQuery({
    queryKey: ['inspectors', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/inspectors', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Inspectors"
      actions={
        may('inspectors_write') && (
          <button type="button" className="primary" onClick={() => navigate('/inspectors/new')}>
            Create an inspector
          </button>
        )
      }
    >
      <p>They judge texts where guardrails name them.</p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={inspectors.error} />
      <PagedTable
        caption="Inspectors"
        columns={COLUMNS}
        filters={filters}
        query={query}
        list={inspectors}
        keyOf={({ id }) => id}
        empty="There are no inspectors."
      />
    </Page>
  );
}
