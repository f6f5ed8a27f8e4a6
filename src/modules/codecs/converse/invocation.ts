import { countOf, wordOf } from '../chat/json-values.js';
import type { AnswerHead } from '../upstream-codec.js';

/** The path of an operation of a model, whose id, which may be an ARN, is one segment of it. */
export function pathOf(model: string, operation: string): string {
  return `/model/${encodeURIComponent(model)}/${operation}`;
}

/** The id of a request, which an answer has in its head alone. */
export function requestIdOf(head: AnswerHead): string | null {
  return wordOf(head['x-amzn-requestid']) ?? null;
}

/** How many tokens of the input an answer counts in its head; undefined for none. */
export function inputTokensOf(head: AnswerHead): number | undefined {
  const count = head['x-amzn-bedrock-input-token-count'];
  return typeof count === 'string' && /^\d{1,10}$/.test(count) ? countOf(Number(count)) : undefined;
}
