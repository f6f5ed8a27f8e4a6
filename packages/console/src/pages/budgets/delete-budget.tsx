import type { ReactNode } from 'react';
import { answered, api, ifMatch } from '../../api/client';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { tagOfBudget } from './set-budget';

/** Asks whether a budget is to go. */
export function DeleteBudget({
  budget,
  onClose,
}: {
  readonly budget: Schema<'BudgetState'>;
  readonly onClose: () => void;
}): ReactNode {
  const { workspace_id: id, workspace_name: name, interval } = budget;
  const change = useChange({
    run: async () => {
      const params = { path: { id, interval }, header: ifMatch(await tagOfBudget(budget)) };
      return answered(api.DELETE('/api/v1/workspaces/{id}/budgets/{interval}', { params }));
    },
    invalidates: ['budgets'],
    says: 'The budget is deleted',
    then: onClose,
  });
  return (
    <FormDialog
      title={`Delete the ${interval} budget of ${name}`}
      submit="Delete the budget"
      change={change}
      isDangerous
      onClose={onClose}
    >
      <p>Requests of the workspace are no longer held to it, from the next one on. What was spent stays counted.</p>
    </FormDialog>
  );
}
