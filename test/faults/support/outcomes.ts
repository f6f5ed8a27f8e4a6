import type { Outcome } from './caller.js';

/** The error envelope, as far as faults look into it. */
interface Envelope {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly service_metadata?: { readonly request_id?: unknown };
}

/** Whether a request did what it was to do. */
export function isSuccess({ status }: Outcome): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Whether an answer is a 500 with the whole envelope and nothing of its cause (docs/interface/errors.md#envelope). */
export function isEnveloped500({ status, text }: Outcome): boolean {
  if (status !== 500) return false;
  const { error, service_metadata: service } = JSON.parse(text) as Envelope;
  const isBare = error !== undefined && Object.keys(error).every((name) => name === 'code' || name === 'message');
  return isBare && error.code === 500 && error.message === 'Internal Server Error' && Boolean(service?.request_id);
}

/** Whether an answer is the 503 of a database that cannot be used: the envelope with a reason and no more of the cause. */
export function isEnveloped503({ status, text }: Outcome): boolean {
  if (status !== 503) return false;
  const { error } = JSON.parse(text) as { error?: { metadata?: { reason?: unknown } } };
  const reason = String(error?.metadata?.reason);
  return ['database_unavailable', 'database_busy'].includes(reason);
}

/** Whether an answer is the 429 of an organization that has more requests under way than its share. */
export function isEnveloped429({ status, text }: Outcome): boolean {
  if (status !== 429) return false;
  const { error } = JSON.parse(text) as { error?: { metadata?: { reason?: unknown } } };
  return error?.metadata?.reason === 'too_many_concurrent_requests';
}

/** How long a request took, in milliseconds. */
export function durationOf({ startedAt, endedAt }: Outcome): number {
  return endedAt - startedAt;
}

/** The longest of the durations, in whole milliseconds. */
export function longestOf(outcomes: readonly Outcome[]): number {
  return Math.round(outcomes.reduce((longest, outcome) => Math.max(longest, durationOf(outcome)), 0));
}

/** The duration that this part of the requests stayed below, in whole milliseconds. */
export function percentileOf(outcomes: readonly Outcome[], part: number): number {
  const sorted = outcomes.map(durationOf).sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

/** How many there are of each status, and of each fault in place of one, in words. */
export function summaryOf(outcomes: readonly Pick<Outcome, 'status' | 'fault'>[]): string {
  const counts = new Map<string, number>();
  for (const { status, fault } of outcomes) {
    const name = String(status ?? fault);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} x ${count}`).join(', ');
}
