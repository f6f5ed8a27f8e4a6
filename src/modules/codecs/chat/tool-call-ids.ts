import { randomUUID } from 'node:crypto';
import { ProviderError } from '../errors/provider-error.js';

/** The most calls of tools that an answer, or one of its choices, may have: far more than any has. */
const MAXIMUM_CALLS = 2_000;

/** Lets through an answer with so many calls of tools. @throws ProviderError for more than 2,000 */
export function requireFewCalls(calls: number): void {
  if (calls <= MAXIMUM_CALLS) return;
  throw new ProviderError('invalid', `The provider’s answer has more than ${MAXIMUM_CALLS} calls of tools.`);
}

/** An id for a call of a tool to which its provider gave none. No two calls of a conversation may have the same. */
export function newToolCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

/** The id of a tool call in the characters that every form has; those of other providers may have more. */
export function portableCallId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** Whether two ids are of one call: clients of the Messages form know it by {@link portableCallId}. */
export function isSameCallId(one: string, other: string): boolean {
  return one === other || portableCallId(one) === portableCallId(other);
}
