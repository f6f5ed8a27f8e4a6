import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../../api/client';
import { useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, useFilters } from '../../components/filters';
import { ListPager } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Meter, Time, usd } from '../../components/values';
import { DeleteBudget } from './delete-budget';
import { SetBudget } from './set-budget';

type Budget = Schema<'BudgetState'>;

const LIMIT = 50;

/** What is asked of the person: nothing, a new budget, a budget to change, or whether one is to go. */
type Asked = { readonly is: 'new' } | { readonly is: 'change' | 'delete'; readonly budget: Budget };

/** The budgets of all workspaces, the most used ones first, with what is spent, reserved, left and to be expected. */
export function BudgetsPage(): ReactNode {
  const filters = useFilters();
  const workspaces = useWorkspaces();
  const [asked, setAsked] = useState<Asked>();
  const offset = Number(filters.get('offset'));
  const workspace = filters.get('workspace');
  const query = { offset, limit: LIMIT, ...(workspace !== '' && { workspace_id: workspace }) };
  const budgets = useQuery({
    queryKey: ['budgets', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/budgets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Budget>[] = [
    {
      name: 'Workspace',
      cell: (budget) => (
        <>
          {budget.workspace_name}
          <ManagedMark section="workspaces" id={budget.workspace_id} />
        </>
      ),
    },
    { name: 'Interval', cell: (budget) => budget.interval },
    { name: 'Used', cell: (budget) => <Used budget={budget} /> },
    { name: 'Reserved', cell: (budget) => usd(budget.reserved_usd), isNumber: true },
    { name: 'Left', cell: (budget) => usd(budget.left_usd), isNumber: true },
    { name: 'Forecast', cell: (budget) => <Forecast budget={budget} /> },
    {
      name: 'Resets',
      cell: ({ resets_at: at }) => (at === null ? <span className="quiet">never</span> : <Time at={at} />),
    },
    {
      name: 'Actions',
      cell: (budget) => (
        <span className="actions">
          {(['change', 'delete'] as const).map((is) => (
            <button
              key={is}
              type="button"
              aria-label={`${is === 'change' ? 'Change' : 'Delete'} the ${budget.interval} budget of ${budget.workspace_name}`}
              onClick={() => setAsked({ is, budget })}
            >
              {is === 'change' ? 'Change' : 'Delete'}
            </button>
          ))}
        </span>
      ),
    },
  ];
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title="Budgets"
      actions={
        <button type="button" className="primary" onClick={() => setAsked({ is: 'new' })}>
          Set a budget
        </button>
      }
    >
      <FilterBar filters={filters}>
        <SelectFilter
          filters={filters}
          name="workspace"
          label="Workspace"
          options={[['', 'All'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
      </FilterBar>
      <Failure error={budgets.error} />
      <DataTable
        caption="Budgets"
        columns={columns}
        rows={budgets.data?.data}
        keyOf={({ workspace_id: id, interval }) => `${id} ${interval}`}
        isPart={(budgets.data?.total_count ?? 0) > (budgets.data?.data.length ?? 0)}
        isBusy={budgets.isFetching}
        empty={
          filters.isSet
            ? 'This workspace has no budget.'
            : 'There are no budgets yet. Set one, and requests that would exceed it are refused.'
        }
      />
      <ListPager
        offset={offset}
        limit={LIMIT}
        list={budgets}
        onMove={(to) => filters.set({ offset: to === 0 ? '' : String(to) })}
      />
      {asked?.is === 'new' && <SetBudget workspaceId={workspace} onClose={close} />}
      {asked?.is === 'change' && <SetBudget workspaceId={workspace} budget={asked.budget} onClose={close} />}
      {asked?.is === 'delete' && <DeleteBudget budget={asked.budget} onClose={close} />}
    </Page>
  );
}

/** What is spent of the limit; what is reserved counts in the bar, because it is refused to others. */
function Used({ budget }: { readonly budget: Budget }): ReactNode {
  const { workspace_name: name, interval, limit_usd: limit, spent_usd: spent, reserved_usd: reserved } = budget;
  return (
    <span className="spend">
      {usd(spent)} of {usd(limit)}
      <Meter used={spent + reserved} limit={limit} label={`Used of the ${interval} budget of ${name}`} />
    </span>
  );
}

/** What a straight line says of the end of the window, and when the limit will be met. */
function Forecast({ budget }: { readonly budget: Budget }): ReactNode {
  const { forecast_usd: forecast, forecast_exhausted_at: exhausted, left_usd: left } = budget;
  if (left === 0) return <strong>Nothing is left</strong>;
  if (forecast === null) return <span className="quiet">not yet</span>;
  return (
    <>
      {usd(forecast)}
      {exhausted !== null && (
        <>
          {' '}
          <strong>
            met <Time at={exhausted} />
          </strong>
        </>
      )}
    </>
  );
}
