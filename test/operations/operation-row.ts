import type { Permission } from '../../src/auth/permissions.js';
import type { CredentialKind } from '../../src/auth/principal.js';
import type { Tenant } from '../support/resources/tenant.js';
import type { SampleOrganization } from './sample-organization.js';

/** What a request fills in, beside the method and the path of its operation. */
export interface RequestParts {
  /** The values of `{parameters}` of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** What stands behind the `?`. */
  readonly query?: string;
  /** The body. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** The credential; the management key of the organization when left out. */
  readonly key?: string;
}

/** A request with an id of another organization, and the same with an id that does not exist: the answers must be alike. */
export interface OtherOrganizationCase {
  /** The status of both answers. */
  readonly status: number;
  readonly theirs: RequestParts;
  readonly missing: RequestParts;
}

/** Cases by what they name of the other organization. */
export type OtherOrganizationCases = Readonly<Record<string, OtherOrganizationCase>>;

/** What the tests of all operations know of one operation. */
export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the prefix of all operations, with `{parameters}`. */
  readonly path: string;
  /** The kinds of credential that it accepts. */
  readonly callers: readonly CredentialKind[];
  /** The permission that a management key needs for it; absent for operations that need none. */
  readonly permission?: Permission;
  /**
   * Of an operation that management keys and sessions change something with: whether it decides who a person or a workload is, or makes a
   * credential that may do everything. Answer that by what a caller could have or be afterwards that they had not or were not before.
   */
  readonly decidesIdentity?: boolean;
  /** The status of its success. */
  readonly success: 200 | 201 | 202 | 204;
  /** The statuses of its errors that the document must have, besides 401 and 500, which every operation has. */
  readonly errors: readonly number[];
  /** The actions of the audit events that a successful request records; absent for operations that only read. */
  readonly auditActions?: readonly string[];
  /** The table that every success adds one row to. */
  readonly insertsInto?: string;
  /** Set for operations that the public contract does not have. */
  readonly isBeyondContract?: true;
  /** A request that succeeds and was not sent before, with any credential that the operation accepts. */
  readonly request: (organization: SampleOrganization) => RequestParts | Promise<RequestParts>;
  /** What ids of another organization could be used for. */
  readonly otherOrganization: (ours: Tenant, theirs: Tenant) => OtherOrganizationCases;
}

/** Rows by operationId. */
export type OperationRows = Readonly<Record<string, OperationRow>>;

/** What operations that manage an organization accept. */
export const MANAGEMENT_KEYS: readonly CredentialKind[] = ['management_key'];

/** What operations accept that keys for inference may call as well. */
export const MANAGEMENT_AND_API_KEYS: readonly CredentialKind[] = ['management_key', 'api_key'];

/** A slug that no workspace or preset has. */
export const UNKNOWN_SLUG = 'nowhere';

/** An id that no user has. */
export const UNKNOWN_USER = 'user_nobody';

/** One request with an id of another organization and with an id that does not exist. */
export function otherId(
  status: number,
  parts: (id: string) => RequestParts,
  theirs: string,
  missing: string,
): OtherOrganizationCase {
  return { status, theirs: parts(theirs), missing: parts(missing) };
}

/** For an operation without ids: nothing of the other organization may be in its answer. */
export function withoutIds(parts: RequestParts = {}): OtherOrganizationCases {
  return { 'without an id': { status: 200, theirs: parts, missing: parts } };
}

/** The path of a request, with the `{parameters}` filled in and the query behind. */
export function pathWith({ path }: Pick<OperationRow, 'path'>, parts: RequestParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parts.path?.[name];
    if (value === undefined) throw new Error(`the request has no value for {${name}} of ${path}`);
    return value;
  });
  return parts.query === undefined ? filled : `${filled}?${parts.query}`;
}
