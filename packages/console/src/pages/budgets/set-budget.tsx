import type { ReactNode } from 'react';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { UpsertWorkspaceBudgetRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { CheckField, NumberField, requestFields, SelectField } from '../../components/fields';
import { setterOf, useKeptForm } from '../../components/kept-form';

/** The tag of a budget that the table has shown. @throws ApiError if it has been changed meanwhile */
export function tagOfBudget({
  workspace_id: id,
  interval,
  limit_usd: limit,
}: Schema<'BudgetState'>): Promise<string | null> {
  const read = api.GET('/api/v1/workspaces/{id}/budgets/{interval}', { params: { path: { id, interval } } });
  return tagOfShown(read, (now) => now.limit_usd === limit);
}

type Budget = Schema<'BudgetState'>;

const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

/** What stands in the form. */
interface BudgetDraft {
  /** An empty text for the first one. */
  readonly workspace: string;
  readonly interval: Budget['interval'];
  readonly limit: number | null;
  /** Absent for what the workspace has. */
  readonly includesByok?: boolean | undefined;
}

interface SetBudgetProps {
  /** The workspace that is chosen at first; an empty text for the first one. */
  readonly workspaceId: string;
  /** The budget that is changed; absent for a new one. */
  readonly budget?: Budget;
  readonly onClose: () => void;
}

/** Sets the budget of a workspace for an interval. A budget that there is already is replaced. */
export function SetBudget({ workspaceId, budget, onClose }: SetBudgetProps): ReactNode {
  const workspaces = useWorkspaces();
  const name =
    budget === undefined
      ? `new budget ${workspaceId}`
      : `budget ${budget.workspace_id} ${budget.interval} ${budget.limit_usd}`;
  const kept = useKeptForm<BudgetDraft>(name, () => ({
    workspace: budget?.workspace_id ?? workspaceId,
    interval: budget?.interval ?? 'monthly',
    limit: budget?.limit_usd ?? null,
    includesByok: budget?.include_byok_in_budgets,
  }));
  const { workspace: chosen, interval, limit, includesByok } = kept.draft;
  const set = setterOf(kept);
  const id = chosen === '' ? workspaces[0]?.id : chosen;
  const workspace = workspaces.find((candidate) => candidate.id === id);
  const counted = includesByok ?? workspace?.include_byok_in_budgets ?? false;
  const change = useChange({
    run: async () =>
      answered(
        api.PUT('/api/v1/workspaces/{id}/budgets/{interval}', {
          params: {
            path: { id: id!, interval },
            header: budget === undefined ? {} : ifMatch(await tagOfBudget(budget)),
          },
          body: { limit_usd: limit!, include_byok_in_budgets: counted },
        }),
      ),
    invalidates: ['budgets', 'workspaces'],
    says: 'The budget is set',
    then: onClose,
  });
  const of = requestFields(UpsertWorkspaceBudgetRequest, change.error);
  return (
    <FormDialog
      title={budget === undefined ? 'Set a budget' : `Change the ${budget.interval} budget of ${budget.workspace_name}`}
      submit="Set the budget"
      change={change}
      kept={kept}
      onClose={onClose}
    >
      {budget === undefined && (
        <>
          <SelectField
            label="Of the workspace"
            isRequired
            value={id ?? ''}
            options={workspaces.map((candidate) => [candidate.id, candidate.name] as const)}
            onChange={(changed) => set({ workspace: changed })}
          />
          <SelectField
            label="Interval"
            value={interval}
            options={INTERVALS.map((name) => [name, name] as const)}
            hint="Days, weeks from Monday and months of UTC. A lifetime budget never resets."
            onChange={(value) => set({ interval: value as Budget['interval'] })}
          />
        </>
      )}
      <NumberField
        label="Limit in US dollars"
        value={limit}
        min={0}
        step="any"
        isRequired
        {...of('limit_usd')}
        onChange={(changed) => set({ limit: changed })}
      />
      <CheckField
        label="Spend through own provider keys counts"
        {...of('include_byok_in_budgets')}
        value={counted}
        onChange={(changed) => set({ includesByok: changed })}
      />
    </FormDialog>
  );
}
