import type { MemberRole } from '../../../auth/roles.js';
import type { SuspensionCause } from '../suspension-causes.js';
import type { Permission } from '../../../auth/permissions.js';
import type { ApiKeyKind } from './key-format.js';
import { KEY_VERSION } from './key-version.js';

/** The owner of a credential, as its row has it. */
export interface KeyOwner {
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly organization_id: string;
  readonly user_id: string;
  readonly workspace_id: string | null;
  /** The Connect client that made the key; null for none. */
  readonly connect_client_id: string | null;
  readonly disabled: boolean;
  /** Whether it is under rules of a newer release, which this one does not know. */
  readonly newer: boolean;
  /** Whether there is a cause for which it is suspended. */
  readonly suspended: boolean;
  /** Whether that its owner is deactivated is one of them. */
  readonly owner_deactivated: boolean;
  readonly expired: boolean;
  /** The ranges of client addresses that it is accepted from; null for all. */
  readonly allowed_addresses: readonly string[] | null;
}

/** The owner of a credential that may be a management key, with what that may do. */
export interface PermittedKeyOwner extends KeyOwner {
  readonly scopes: readonly Permission[] | null;
  readonly follows_owner_role: boolean;
  /** The owner's role in the organization; null for a key that is no management key. */
  readonly owner_role: MemberRole | null;
}

const DEACTIVATED: SuspensionCause = 'member_deactivated';

/** The columns of a {@link KeyOwner}. @param alias of the table of keys */
export function keyOwnerColumns(alias: string): string {
  const columns = [
    'id',
    'kind',
    'organization_id',
    'user_id',
    'workspace_id',
    'connect_client_id',
    'disabled',
    'allowed_addresses',
  ];
  return `${columns.map((column) => `${alias}.${column}`).join(', ')}, ${alias}.version > ${KEY_VERSION} AS newer, ${alias}.suspension_causes <> '{}' AS suspended,
    '${DEACTIVATED}' = ANY (${alias}.suspension_causes) AS owner_deactivated,
    coalesce(${alias}.expires_at <= now(), false) AS expired`;
}

/**
 * The columns of a {@link PermittedKeyOwner}. Only for a management key is the row of the member read: API keys have no permissions.
 *
 * @param alias of the table of keys
 * @param organizationId the expression of the organization, where it is known: members are then looked for in one partition
 */
export function permittedKeyOwnerColumns(alias: string, organizationId = `${alias}.organization_id`): string {
  return `${keyOwnerColumns(alias)}, ${alias}.scopes, ${alias}.follows_owner_role,
    CASE WHEN ${alias}.kind = 'management_key' THEN (
      SELECT m.role FROM organization_members m
      WHERE m.organization_id = ${organizationId} AND m.user_id = ${alias}.user_id
    ) END AS owner_role`;
}
