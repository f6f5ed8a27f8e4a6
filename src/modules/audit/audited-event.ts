import { isDeepStrictEqual } from 'node:util';

/** The value of a field before and after. Absent where there is no value. */
export interface AuditedChange {
  readonly before?: unknown;
  readonly after?: unknown;
  /** Replaces a value that is too large: the service records the value, and the database stores its digest. */
  readonly before_digest?: ValueDigest;
  readonly after_digest?: ValueDigest;
}

/** The digest of a value that is too large. */
export interface ValueDigest {
  /** In hexadecimal, over the value as JSON the way PostgreSQL writes it. */
  readonly sha256: string;
  /** The length of that text in UTF-8. */
  readonly bytes: number;
  readonly items?: number;
}

/** The fields that have changed, by their names in the interface. Never a secret. */
export type AuditedChanges = Readonly<Record<string, AuditedChange>>;

/** An event to record. */
export interface AuditedEvent {
  /** What was done, as `<type of object>.<verb>`: `guardrail.create`. */
  readonly action: string;
  /** The id of the object, as the interface names it; absent if the statement that records the event determines it. */
  readonly targetId?: string;
  readonly changes?: AuditedChanges;
}

/** The changes of a creation: every field that is set. */
export function created(fields: Readonly<Record<string, unknown>>): AuditedChanges {
  return Object.fromEntries(setFields(fields).map(([field, value]) => [field, { after: value }]));
}

/** The changes of a deletion: every field that was set. */
export function deleted(fields: Readonly<Record<string, unknown>>): AuditedChanges {
  return Object.fromEntries(setFields(fields).map(([field, value]) => [field, { before: value }]));
}

/** The changes of an update: every field whose value differs. */
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
