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
  readonly expired: boolean;
}

/** The columns of a {@link KeyOwner}. @param alias of the table of keys */
export function keyOwnerColumns(alias: string): string {
  const columns = ['id', 'kind', 'organization_id', 'user_id', 'workspace_id', 'connect_client_id', 'disabled'];
  return `${columns.map((column) => `${alias}.${column}`).join(', ')}, ${alias}.suspension_causes <> '{}' AS suspended,
    coalesce(${alias}.expires_at <= now(), false) AS expired`;
}
