import type { SuspensionCause } from '../suspension-causes.js';
import type { ApiKeyKind } from './key-format.js';

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
  /** Whether there is a cause for which it is suspended. */
  readonly suspended: boolean;
  /** Whether that its owner is deactivated is one of them. */
  readonly owner_deactivated: boolean;
  readonly expired: boolean;
}

const DEACTIVATED: SuspensionCause = 'member_deactivated';

/** The columns of a {@link KeyOwner}. @param alias of the table of keys */
export function keyOwnerColumns(alias: string): string {
  const columns = ['id', 'kind', 'organization_id', 'user_id', 'workspace_id', 'connect_client_id', 'disabled'];
  return `${columns.map((column) => `${alias}.${column}`).join(', ')}, ${alias}.suspension_causes <> '{}' AS suspended,
    '${DEACTIVATED}' = ANY (${alias}.suspension_causes) AS owner_deactivated,
    coalesce(${alias}.expires_at <= now(), false) AS expired`;
}
