import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay } from '../../api/session';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { EnforcementBadge } from '../../components/enforcement';
import { Failure } from '../../components/failure';
import { FilterBar, TextFilter, useFilters } from '../../components/filters';
import { useKeptForm } from '../../components/kept-form';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { NEW_LIMIT, toLimit } from './limit-draft';
import { LimitFields } from './limit-fields';
import { amountSentence, Conditions, groupSentence } from './limit-words';

const LIMIT = 50;

/** The limits by condition and group of the organization, and what each counts. */
export function LimitsPage(): ReactNode {
  const filters = useFilters();
  const may = useMay();
  const names = useNames();
  const [isCreating, setCreating] = useState(false);
  const query = pageQuery(filters, LIMIT, '-created_at');
  const limits = useQuery({
    queryKey: ['limits', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/limits', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Limits"
      actions={
        may('limits_write') && (
          <button type="button" className="primary" onClick={() => setCreating(true)}>
            Create a limit
          </button>
        )
      }
    >
      <p>
        They count the requests that meet their conditions, apart for each end user, session, model and so on. Limits of
        keys, budgets of workspaces and those of guardrails are not among them.
      </p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
      </FilterBar>
      <Failure error={limits.error} />
      <PagedTable
        caption="Limits"
        filters={filters}
        query={query}
        list={limits}
        keyOf={({ id }) => id}
        empty="There are no limits by condition and group yet."
        columns={[
          {
            name: 'Name',
            sortAs: 'name',
            cell: ({ id, name }) => (
              <>
                <Link href={`/limits/${id}`}>{name}</Link>
                <ManagedMark section="limits" id={id} />
              </>
            ),
          },
          { name: 'Amount', cell: amountSentence },
          { name: 'Counted apart', cell: groupSentence },
          { name: 'Conditions', cell: (limit) => <Conditions limit={limit} isShort /> },
          {
            name: 'Workspace',
            cell: ({ workspace_id: id }) => (id === null ? <span className="quiet">all</span> : names.workspace(id)),
          },
          { name: 'Enforcement', cell: ({ enforcement }) => <EnforcementBadge enforcement={enforcement} /> },
        ]}
      />
      {isCreating && <CreateLimit onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** Makes a limit, whose page is shown then. */
function CreateLimit({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const kept = useKeptForm('new limit', () => NEW_LIMIT);
  const { draft, change } = kept;
  const create = useChange({
    run: () => answered(api.POST('/api/v1/limits', { body: toLimit(draft) })),
    invalidates: ['limits'],
    says: 'The limit was created. It holds from the next request on.',
    then: ({ data }) => navigate(`/limits/${data.id}`),
  });
  return (
    <FormDialog title="Create a limit" submit="Create the limit" change={create} kept={kept} onClose={onClose}>
      <LimitFields draft={draft} onChange={change} error={create.error} isNew />
    </FormDialog>
  );
}
