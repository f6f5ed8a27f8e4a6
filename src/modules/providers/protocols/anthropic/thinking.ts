import type { Reasoning } from '../../chat-completion.js';
import { type JsonObject, objectOf } from '../../json-values.js';
import { MESSAGES_FIELDS } from '../../messages-fields.js';
import { thinkingBudgetOf } from './thinking-budget.js';

/**
 * How a model is to think, as the field of the body. What a request said in this form stands, but for a budget that the answer
 * has no room for.
 *
 * @param longest the most tokens that the answer may have, reasoning included
 * @returns undefined if the request says nothing, or the answer has no room for it
 */
export function thinkingOf(reasoning: Reasoning | null | undefined, longest: number): JsonObject | undefined {
  const fields = reasoning?.[MESSAGES_FIELDS];
  if (fields === undefined) return enabled(thinkingBudgetOf(reasoning, longest));
  const said = objectOf(fields['thinking']);
  if (said?.['type'] !== 'enabled') return said;
  const budget = enabled(thinkingBudgetOf({ max_tokens: reasoning?.max_tokens ?? null }, longest));
  return budget === undefined ? undefined : { ...said, ...budget };
}

function enabled(budget: number | undefined): JsonObject | undefined {
  return budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget };
}
