import { randomUUID } from 'node:crypto';

/** An id for a call of a tool to which its provider gave none. No two calls of a conversation may have the same. */
export function newToolCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}
