import type { Tenant } from './tenants.js';

/** A request of some caller. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: object;
  /** The caller's management key when left out. */
  readonly key?: string;
}

/** A call that names what is another organization's, and the same with what there is not: the answers must be alike. */
export interface Attempt {
  readonly status: number;
  readonly foreign: Call;
  readonly missing: Call;
}

/** What an operation could be told of another organization. */
export type Case = (ours: Tenant, theirs: Tenant) => Record<string, Attempt>;

/** Cases by operationId. */
export type Cases = Readonly<Record<string, Case>>;

export const UNKNOWN_SLUG = 'nowhere';

/** The same call with what is another organization's and with what there is not. */
export function attempt(status: number, call: (id: string) => Call, foreign: string, missing: string): Attempt {
  return { status, foreign: call(foreign), missing: call(missing) };
}

/** For an operation that takes no ids: what is theirs must not be in its answer. */
export function sameForAll(call: Call): Record<string, Attempt> {
  return { 'without an id': { status: 200, foreign: call, missing: call } };
}

/** For an operation that answers everybody alike. */
export function sameForBoth(call: Call, theirs: Tenant): Record<string, Attempt> {
  return { 'with the key of either': { status: 200, foreign: call, missing: { ...call, key: theirs.managementKey } } };
}
