import { ProviderError } from '../errors/provider-error.js';

/** The most calls of tools that an answer, or one of its choices, may have: far more than any has. */
const MAXIMUM_CALLS = 2_000;

/** Lets through an answer with so many calls of tools. @throws ProviderError for more than 2,000 */
export function requireFewCalls(calls: number): void {
  if (calls <= MAXIMUM_CALLS) return;
  throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CALLS} calls of tools.`);
}
