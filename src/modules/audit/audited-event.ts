import { isDeepStrictEqual } from 'node:util';

/** What a field was, and what it is now. Left out where there was nothing, or is nothing any more. */
export interface AuditedChange {
  readonly before?: unknown;
  readonly after?: unknown;
  /** In place of a value that is too large to be kept; what is recorded has the value, and the database its digest. */
  readonly before_digest?: ValueDigest;
  readonly after_digest?: ValueDigest;
}

/** What is kept of a value that is too large. */
export interface ValueDigest {
  /** In hexadecimal, over the value as JSON the way PostgreSQL writes it. */
  readonly sha256: string;
  /** The length of that text in UTF-8. */
  readonly bytes: number;
  /** How many items a list has. */
  readonly items?: number;
}

/** The fields that have changed, by their names in the interface. Never a secret. */
export type AuditedChanges = Readonly<Record<string, AuditedChange>>;

/** Something that was done, to be recorded. */
export interface AuditedEvent {
  /** What was done, as `<what>.<verb>`: `guardrail.create`. */
  readonly action: string;
  readonly target: AuditTarget;
  readonly changes?: AuditedChanges;
}

/** What something was done to. */
export interface AuditTarget {
  readonly type: string;
  /** As the interface names it. */
  readonly id: string;
}

/** The changes of what was made: every field that is set. */
export function created(fields: Readonly<Record<string, unknown>>): AuditedChanges {
  return Object.fromEntries(setFields(fields).map(([field, value]) => [field, { after: value }]));
}

/** The changes of what was deleted: every field that was set. */
export function deleted(fields: Readonly<Record<string, unknown>>): AuditedChanges {
  return Object.fromEntries(setFields(fields).map(([field, value]) => [field, { before: value }]));
}

/** The changes of what was changed: every field that is not what it was. */
export function updated(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditedChanges {
  const changed = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(value, before[field]));
  return Object.fromEntries(changed.map(([field, value]) => [field, { before: before[field], after: value }]));
}

function setFields(fields: Readonly<Record<string, unknown>>): [field: string, value: unknown][] {
  return Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
}
