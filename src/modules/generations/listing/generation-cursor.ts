import { timeOfGeneration } from '../generation-time.js';

/** An id of a generation, in which the second has as many digits as in all others of its millennium: so ids are in the order of time. */
const ID = /^gen-\d{10}-[A-Za-z0-9]{1,64}$/;

/** What cursors look like: an id in base64url. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]{20,128}$';

/** The cursor behind a record: clients send it back as it is. @param id of the record */
export function cursorBehind(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * The record that a cursor stands behind.
 *
 * @returns its id and the second in which it came; undefined for a text that is no cursor
 */
export function positionOf(cursor: string): { readonly id: string; readonly createdAt: Date } | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  const createdAt = ID.test(id) ? timeOfGeneration(id) : undefined;
  return createdAt && { id, createdAt };
}
