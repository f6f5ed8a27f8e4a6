import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { McpToolEntity } from '../entities/mcp-tool.entity.js';
import type { SeenTool } from './tool-definition.js';

const COLUMNS = columnsOf(McpToolEntity, 't');

/** The tools of a server, by their names. */
export const TOOLS_OF_SERVER = statement<McpToolEntity, [organizationId: string, serverId: string]>(
  'mcp_tools_of_server',
  `SELECT ${COLUMNS} FROM mcp_tools t WHERE t.organization_id = $1 AND t.server_id = $2 ORDER BY t.name COLLATE "C"`,
);

/** Stores tools as they are seen. $3 has them as JSON. */
export const STORE_SEEN_TOOLS = statement<never, [organizationId: string, serverId: string, tools: string]>(
  'mcp_tools_seen',
  `INSERT INTO mcp_tools AS known (organization_id, server_id, name, definition, digest, seen_at)
    SELECT $1, $2, seen.name, seen.definition, seen.digest, date_trunc('milliseconds', now())
    FROM jsonb_to_recordset($3::jsonb) AS seen (name text, definition jsonb, digest text)
    ON CONFLICT ON CONSTRAINT pk_mcp_tools DO UPDATE SET definition = excluded.definition, digest = excluded.digest,
      seen_at = CASE WHEN known.digest = excluded.digest THEN known.seen_at ELSE excluded.seen_at END, gone_at = NULL`,
);

/** Notes that tools are not offered any more; those that were never approved are forgotten. */
export const FORGET_TOOLS = statement<never, [organizationId: string, serverId: string, names: readonly string[]]>(
  'mcp_tools_gone',
  `WITH forgotten AS (
      DELETE FROM mcp_tools
      WHERE organization_id = $1 AND server_id = $2 AND name = ANY ($3::text[]) AND approved_digest IS NULL
    )
    UPDATE mcp_tools SET gone_at = date_trunc('milliseconds', now())
    WHERE organization_id = $1 AND server_id = $2 AND name = ANY ($3::text[]) AND approved_digest IS NOT NULL`,
);

/** Approves tools as they were last seen. */
export const APPROVE_TOOLS = statement<never, [organizationId: string, serverId: string, names: readonly string[]]>(
  'mcp_tools_approve',
  `UPDATE mcp_tools SET approved_definition = definition, approved_digest = digest,
      approved_at = date_trunc('milliseconds', now())
    WHERE organization_id = $1 AND server_id = $2 AND name = ANY ($3::text[])`,
);

/** Approves tools no more. */
export const REVOKE_TOOLS = statement<never, [organizationId: string, serverId: string, names: readonly string[]]>(
  'mcp_tools_revoke',
  `UPDATE mcp_tools SET approved_definition = NULL, approved_digest = NULL, approved_at = NULL
    WHERE organization_id = $1 AND server_id = $2 AND name = ANY ($3::text[])`,
);

/** The rows of tools. */
@Injectable()
export class McpToolsRepository {
  constructor(private readonly statements: Statements) {}

  /** The tools of a server, by their names. @param tx the transaction that holds the server */
  async ofServer(organizationId: string, serverId: string, tx?: Transaction): Promise<McpToolEntity[]> {
    return (tx ?? this.statements).rows(TOOLS_OF_SERVER, [organizationId, serverId]);
  }

  async storeSeen(
    tx: Transaction,
    organizationId: string,
    serverId: string,
    tools: readonly SeenTool[],
  ): Promise<void> {
    const rows = tools.map(({ definition, digest }) => ({ name: definition.name, definition, digest }));
    await tx.write(STORE_SEEN_TOOLS, [organizationId, serverId, JSON.stringify(rows)]);
  }

  async forget(tx: Transaction, organizationId: string, serverId: string, names: readonly string[]): Promise<void> {
    await tx.write(FORGET_TOOLS, [organizationId, serverId, names]);
  }

  async approve(tx: Transaction, organizationId: string, serverId: string, names: readonly string[]): Promise<void> {
    await tx.write(APPROVE_TOOLS, [organizationId, serverId, names]);
  }

  async revoke(tx: Transaction, organizationId: string, serverId: string, names: readonly string[]): Promise<void> {
    await tx.write(REVOKE_TOOLS, [organizationId, serverId, names]);
  }
}
