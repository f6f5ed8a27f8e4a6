import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api, answered } from '../../api/client';
import { useNames, useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import { EnforcementBadge } from '../../components/enforcement';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { Time } from '../../components/values';
import { FilterActivity } from './filter-activity';
import { summaryOf } from './guardrail-draft';

const LIMIT = 50;

/** The guardrails of a workspace, and what each restricts. */
export function GuardrailsPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const [, navigate] = useLocation();
  const names = useNames();
  const workspaces = useWorkspaces();
  const workspace = filters.get('workspace');
  const query = { ...pageQuery(filters, LIMIT, '-created_at'), ...(workspace !== '' && { workspace_id: workspace }) };
  const guardrails = useQuery({
    queryKey: ['guardrails', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/guardrails', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Guardrails"
      actions={
        may('guardrails_write') && (
          <button type="button" className="primary" onClick={() => navigate('/guardrails/new')}>
            Create a guardrail
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
          options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
      </FilterBar>
      <Failure error={guardrails.error} />
      <PagedTable
        caption="Guardrails"
        filters={filters}
        query={query}
        list={guardrails}
        keyOf={({ id }) => id}
        empty="There are no guardrails beside the defaults of workspaces."
        columns={[
          {
            name: 'Name',
            sortAs: 'name',
            cell: ({ id, name }) => (
              <>
                <Link href={`/guardrails/${id}`}>{name}</Link>
                <ManagedMark section="guardrails" id={id} />
              </>
            ),
          },
          { name: 'Restricts', cell: summaryOf },
          {
            name: 'Enforcement',
            cell: ({ enforcement = 'enforce' }) => <EnforcementBadge enforcement={enforcement} />,
          },
          { name: 'Workspace', cell: (guardrail) => names.workspace(guardrail.workspace_id) },
          { name: 'Created', sortAs: 'created_at', cell: (guardrail) => <Time at={guardrail.created_at} /> },
        ]}
      />
      {may('usage_read') && <FilterActivity />}
      <Section title="Defaults of workspaces">
        <p>Each workspace has one that applies to all of its keys.</p>
        <ul>
          {workspaces.map((one) => (
            <li key={one.id}>
              <Link href={`/guardrails/${one.default_guardrail_id}`}>{one.name}</Link>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}
