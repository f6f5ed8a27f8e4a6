import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { rowsOfOrganizations } from '../../../persistence/rows-of-organizations.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { McpConnectionEntity } from '../entities/mcp-connection.entity.js';

type Connection = [organizationId: string, serverId: string, userId: string];

/** The connection of a member to a server. */
export const MCP_CONNECTION = statement<McpConnectionEntity, Connection>(
  'mcp_connection',
  `SELECT ${columnsOf(McpConnectionEntity, 'c')} FROM mcp_connections c
    WHERE c.organization_id = $1 AND c.server_id = $2 AND c.user_id = $3`,
);

/** Stores the tokens of a member who has connected, also anew. */
export const STORE_MCP_CONNECTION = statement<
  McpConnectionEntity,
  [...Connection, id: string, encryptedTokens: Buffer, expiresAt: Date | null]
>(
  'mcp_connection_store',
  `INSERT INTO mcp_connections AS c (organization_id, server_id, user_id, id, encrypted_tokens, expires_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
    ON CONFLICT ON CONSTRAINT uq_mcp_connections_member DO UPDATE SET encrypted_tokens = excluded.encrypted_tokens,
      expires_at = excluded.expires_at, refreshing_until = NULL, created_at = excluded.created_at, updated_at = excluded.updated_at
    RETURNING ${columnsOf(McpConnectionEntity, 'c')}`,
);

/** Has one process refresh the tokens of a connection, unless another one does. */
export const CLAIM_MCP_REFRESH = statement<
  McpConnectionEntity,
  [organizationId: string, id: string, updatedAt: Date, until: Date, now: Date]
>(
  'mcp_connection_claim',
  `UPDATE mcp_connections c SET refreshing_until = $4
    WHERE c.organization_id = $1 AND c.id = $2 AND c.updated_at = $3
      AND (c.refreshing_until IS NULL OR c.refreshing_until < $5)
    RETURNING ${columnsOf(McpConnectionEntity, 'c')}`,
);

/** Stores refreshed tokens, if the process still has it to itself. */
export const STORE_REFRESHED_MCP_TOKENS = statement<
  never,
  [organizationId: string, id: string, claimedUntil: Date, encryptedTokens: Buffer, expiresAt: Date | null, now: Date]
>(
  'mcp_connection_refreshed',
  `UPDATE mcp_connections SET encrypted_tokens = $4, expires_at = $5, refreshing_until = NULL, updated_at = $6
    WHERE organization_id = $1 AND id = $2 AND refreshing_until = $3`,
);

/** Gives a claim back. */
export const RELEASE_MCP_REFRESH = statement<never, [organizationId: string, id: string, claimedUntil: Date]>(
  'mcp_connection_release',
  'UPDATE mcp_connections SET refreshing_until = NULL WHERE organization_id = $1 AND id = $2 AND refreshing_until = $3',
);

/** Lets the access token of a connection end now, where it is still the one that was read. */
export const END_MCP_TOKEN = statement<never, [organizationId: string, id: string, updatedAt: Date]>(
  'mcp_connection_end_token',
  `UPDATE mcp_connections SET expires_at = to_timestamp(0) WHERE organization_id = $1 AND id = $2 AND updated_at = $3`,
);

/** Forgets a connection whose tokens were refused, if the process still has it to itself. */
export const FORGET_MCP_CONNECTION = statement<never, [organizationId: string, id: string, claimedUntil: Date]>(
  'mcp_connection_forget',
  'DELETE FROM mcp_connections WHERE organization_id = $1 AND id = $2 AND refreshing_until = $3',
);

/** Deletes the connection of a member to a server. */
export const DELETE_MCP_CONNECTION = statement<McpConnectionEntity, Connection>(
  'mcp_connection_delete',
  `DELETE FROM mcp_connections c WHERE c.organization_id = $1 AND c.server_id = $2 AND c.user_id = $3
    RETURNING ${columnsOf(McpConnectionEntity, 'c')}`,
);

/** Deletes the connections of members. */
export const DELETE_MCP_CONNECTIONS_OF = statement<never, [organizationId: string, userIds: readonly string[]]>(
  'mcp_connections_delete_members',
  'DELETE FROM mcp_connections WHERE organization_id = $1 AND user_id = ANY ($2::text[])',
);

/** Deletes all connections to a server, whose tokens are for what it was before. */
export const DELETE_MCP_CONNECTIONS_TO = statement<never, [organizationId: string, serverId: string]>(
  'mcp_connections_delete_server',
  'DELETE FROM mcp_connections WHERE organization_id = $1 AND server_id = $2',
);

/** A server that members connect to, and whether one has. */
export interface ConnectableServer {
  readonly server: string;
  readonly url: string;
  /** Null for a member who has not. */
  readonly connectedAt: Date | null;
}

/** The servers that members connect to, by their names, with the connection of one of them. */
export const CONNECTABLE_MCP_SERVERS = statement<ConnectableServer, [organizationId: string, userId: string]>(
  'mcp_servers_connectable',
  `SELECT s.name AS server, s.url, c.created_at AS "connectedAt" FROM mcp_servers s
    LEFT JOIN mcp_connections c ON c.organization_id = s.organization_id AND c.server_id = s.id AND c.user_id = $2
    WHERE s.organization_id = $1 AND s.authentication = 'oauth_member' AND s.enabled ORDER BY s.name`,
);

/** The tokens of a connection as they are stored, with what they are bound to. */
export type StoredMcpTokens = Pick<
  McpConnectionEntity,
  'organizationId' | 'id' | 'serverId' | 'userId' | 'encryptedTokens'
>;

/** A batch across all organizations: the encryption key is the deployment's, and so is the command that changes it. */
export const MCP_TOKENS_AFTER = statement<StoredMcpTokens, [organizationId: string, after: string, limit: number]>(
  'mcp_connections_batch',
  `SELECT id, organization_id AS "organizationId", server_id AS "serverId", user_id AS "userId",
      encrypted_tokens AS "encryptedTokens" FROM mcp_connections
    WHERE (organization_id, id) > ($1, $2::uuid) ORDER BY organization_id, id LIMIT $3`,
);

/** Replaces the encrypted form of tokens, unless they have changed since they were read. */
export const REPLACE_MCP_TOKENS = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'mcp_connection_tokens_replace',
  `UPDATE mcp_connections SET encrypted_tokens = $4 WHERE organization_id = $1 AND id = $2 AND encrypted_tokens = $3`,
);

/** The rows of connections of members to MCP servers. */
@Injectable()
export class McpConnectionsRepository {
  constructor(private readonly statements: Statements) {}

  async find(...connection: Connection): Promise<McpConnectionEntity | undefined> {
    return this.statements.first(MCP_CONNECTION, connection);
  }

  /** The servers that members connect to, by their names. */
  async connectable(organizationId: string, userId: string): Promise<ConnectableServer[]> {
    return this.statements.rows(CONNECTABLE_MCP_SERVERS, [organizationId, userId]);
  }

  /** Claims the refreshing of a connection as it was read. @returns undefined where another process has it, or has done it */
  async claim(
    { organizationId, id, updatedAt }: McpConnectionEntity,
    milliseconds: number,
  ): Promise<McpConnectionEntity | undefined> {
    const now = Date.now();
    const until = new Date(now + milliseconds);
    return this.statements.first(CLAIM_MCP_REFRESH, [organizationId, id, updatedAt, until, new Date(now)]);
  }

  async storeRefreshed(claimed: McpConnectionEntity, encrypted: Buffer, expiresAt: Date | null): Promise<void> {
    const { organizationId, id, refreshingUntil, updatedAt } = claimed;
    // Later than before in any case: by this others see that it was done.
    const now = new Date(Math.max(Date.now(), updatedAt.getTime() + 1));
    const values: [string, string, Date, Buffer, Date | null, Date] = [
      organizationId,
      id,
      refreshingUntil!,
      encrypted,
      expiresAt,
      now,
    ];
    await this.statements.write(STORE_REFRESHED_MCP_TOKENS, values);
  }

  async release({ organizationId, id, refreshingUntil }: McpConnectionEntity): Promise<void> {
    await this.statements.write(RELEASE_MCP_REFRESH, [organizationId, id, refreshingUntil!]);
  }

  async forget({ organizationId, id, refreshingUntil }: McpConnectionEntity): Promise<void> {
    await this.statements.write(FORGET_MCP_CONNECTION, [organizationId, id, refreshingUntil!]);
  }

  async endToken({ organizationId, id, updatedAt }: McpConnectionEntity): Promise<void> {
    await this.statements.write(END_MCP_TOKEN, [organizationId, id, updatedAt]);
  }

  async deleteOf(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<void> {
    await tx.write(DELETE_MCP_CONNECTIONS_OF, [organizationId, userIds]);
  }

  async deleteTo(tx: Transaction, organizationId: string, serverId: string): Promise<void> {
    await tx.write(DELETE_MCP_CONNECTIONS_TO, [organizationId, serverId]);
  }

  every(): AsyncGenerator<StoredMcpTokens> {
    return rowsOfOrganizations((after) => this.statements.rows(MCP_TOKENS_AFTER, after));
  }

  /** @returns whether they have been replaced */
  async replace({ organizationId, id, encryptedTokens }: StoredMcpTokens, replacement: Buffer): Promise<boolean> {
    const values: [string, string, Buffer, Buffer] = [organizationId, id, encryptedTokens, replacement];
    return (await this.statements.write(REPLACE_MCP_TOKENS, values)) > 0;
  }
}
