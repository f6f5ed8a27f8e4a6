import { WorkBudget } from '../../../http/input/work-budget.js';
import { ProviderError } from './provider-error.js';

/**
 * The budget of a document or an event of a provider.
 *
 * @param bytes of it
 * @returns one that throws a ProviderError of kind `invalid`
 */
export function answerBudget(bytes: number): WorkBudget {
  return new WorkBudget(bytes, tooMuchWork);
}

function tooMuchWork(): ProviderError {
  return new ProviderError('invalid', 'The provider’s answer takes more work to read than its size allows.');
}
