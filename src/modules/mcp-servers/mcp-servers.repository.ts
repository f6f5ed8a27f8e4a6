import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { pageOfOrganization } from '../../persistence/page-statement.js';
import { CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';
import { rowsOfOrganizations } from '../../persistence/rows-of-organizations.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { AuditedRows } from '../audit/audited-rows.js';
import { McpServerEntity } from './entities/mcp-server.entity.js';
import { MCP_TIMEOUTS } from './mcp-server-vocabulary.js';
import { McpServerNotFound } from './mcp-servers.errors.js';

/** A page of the MCP servers of an organization, oldest first. */
export const MCP_SERVERS_PAGE = pageOfOrganization<McpServerEntity>({
  name: 'mcp_servers_page',
  entity: McpServerEntity,
});

/** The MCP servers of organizations. What is found out about one at work is neither in its entity tag nor in the audit trail. */
export const MCP_SERVERS = new AuditedRows({
  entity: McpServerEntity,
  one: 'mcp_server',
  notFound: McpServerNotFound,
  quota: 'mcp_servers',
  fields: {
    name: { fixed: true },
    url: {},
    authentication: { initial: 'none' },
    header: { initial: null },
    clientId: { initial: null },
    scope: { initial: null },
    authorizationServer: { initial: null },
    enabled: { initial: true },
    trusted: { initial: false },
    follow: { initial: false },
    workspaceIds: { initial: null },
    pricePerCall: { initial: null },
    toolPrices: { initial: {} },
    timeoutMs: { initial: MCP_TIMEOUTS.default },
  },
  recorded: ({ secretMask }) => ({ secret: secretMask }),
  created: CREATED_AND_UPDATED_NOW,
  create: 'mcp_server_create',
  lock: 'FOR NO KEY UPDATE',
});

/** All servers of an organization, by their names. */
export const MCP_SERVERS_OF_ORGANIZATION = statement<McpServerEntity, [organizationId: string]>(
  'mcp_servers_of_organization',
  `SELECT ${columnsOf(McpServerEntity, 's')} FROM mcp_servers s WHERE s.organization_id = $1 ORDER BY s.name`,
);

/** The servers that the keys of a workspace may use, by their names. */
export const MCP_SERVERS_OF_WORKSPACE = statement<
  McpServerEntity,
  [organizationId: string, workspaceId: string | null]
>(
  'mcp_servers_of_workspace',
  `SELECT ${columnsOf(McpServerEntity, 's')} FROM mcp_servers s
    WHERE s.organization_id = $1 AND s.enabled AND (s.workspace_ids IS NULL OR $2::uuid = ANY (s.workspace_ids))
    ORDER BY s.name`,
);

/** One of these servers, by its name. */
export const MCP_SERVER_BY_NAME = statement<
  McpServerEntity,
  [organizationId: string, workspaceId: string | null, name: string]
>(
  'mcp_server_by_name',
  `SELECT ${columnsOf(McpServerEntity, 's')} FROM mcp_servers s
    WHERE s.organization_id = $1 AND s.name = $3 AND s.enabled
      AND (s.workspace_ids IS NULL OR $2::uuid = ANY (s.workspace_ids))`,
);

/** Which of some workspaces an organization has. */
export const KNOWN_MCP_WORKSPACES = statement<{ id: string }, [organizationId: string, ids: readonly string[]]>(
  'mcp_server_workspaces_known',
  'SELECT id FROM workspaces WHERE organization_id = $1 AND id = ANY ($2::uuid[])',
);

/** Notes what was found when the tools of a server were asked for, unless it has another address meanwhile. */
export const NOTE_MCP_CHECK = statement<
  never,
  [organizationId: string, id: string, url: string, protocolVersion: string | null, failure: string | null]
>(
  'mcp_server_check',
  `UPDATE mcp_servers SET checked_at = date_trunc('milliseconds', now()), failure = $5,
      protocol_version = coalesce($4, protocol_version)
    WHERE organization_id = $1 AND id = $2 AND url = $3`,
);

/** Notes which revision with a handshake a server has besides the newest of all, unless it has another address meanwhile. */
export const NOTE_MCP_HANDSHAKE = statement<
  never,
  [organizationId: string, id: string, url: string, handshakeRevision: string | null]
>(
  'mcp_server_handshake',
  `UPDATE mcp_servers SET handshake_revision = $4
    WHERE organization_id = $1 AND id = $2 AND url = $3 AND handshake_revision IS DISTINCT FROM $4`,
);

/** Keeps the issuer that a server names, if it is the first one, and the server has not changed meanwhile. @returns the first one */
export const NOTE_MCP_ISSUER = statement<
  { readonly issuer: string },
  [organizationId: string, id: string, updatedAt: Date, issuer: string]
>(
  'mcp_server_issuer',
  `UPDATE mcp_servers SET named_issuer = coalesce(named_issuer, $4)
    WHERE organization_id = $1 AND id = $2 AND updated_at = $3 RETURNING named_issuer AS issuer`,
);

/** The secret of a server as it is stored, with what it is bound to. */
export type StoredMcpSecret = Pick<McpServerEntity, 'organizationId' | 'id' | 'url'> & {
  readonly encryptedSecret: Buffer;
};

/** A batch across all organizations: the encryption key is the deployment's, and so is the command that changes it. */
export const MCP_SECRETS_AFTER = statement<StoredMcpSecret, [organizationId: string, after: string, limit: number]>(
  'mcp_servers_secrets_batch',
  `SELECT id, organization_id AS "organizationId", url, encrypted_secret AS "encryptedSecret" FROM mcp_servers
    WHERE (organization_id, id) > ($1, $2::uuid) AND encrypted_secret IS NOT NULL
    ORDER BY organization_id, id LIMIT $3`,
);

/** Replaces the encrypted form of a secret, unless it has changed since it was read. */
export const REPLACE_MCP_SECRET = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'mcp_server_secret_replace',
  `UPDATE mcp_servers SET encrypted_secret = $4 WHERE organization_id = $1 AND id = $2 AND encrypted_secret = $3`,
);

/** The rows of MCP servers. */
@Injectable()
export class McpServersRepository {
  constructor(private readonly statements: Statements) {}

  /** All servers of an organization, by their names. */
  async all(organizationId: string): Promise<McpServerEntity[]> {
    return this.statements.rows(MCP_SERVERS_OF_ORGANIZATION, [organizationId]);
  }

  /** The servers that keys of a workspace may use, by their names. */
  async ofWorkspace(organizationId: string, workspaceId: string | null): Promise<McpServerEntity[]> {
    return this.statements.rows(MCP_SERVERS_OF_WORKSPACE, [organizationId, workspaceId]);
  }

  /** One of them. @returns undefined where there is none of the name */
  async ofName(organizationId: string, workspaceId: string | null, name: string): Promise<McpServerEntity | undefined> {
    return this.statements.first(MCP_SERVER_BY_NAME, [organizationId, workspaceId, name]);
  }

  /** The workspaces among some ids, in lower case. */
  async knownWorkspaces(organizationId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.statements.rows(KNOWN_MCP_WORKSPACES, [organizationId, ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** @param protocolVersion null for one that is not known anew @param failure null for none */
  async noteCheck(
    { organizationId, id, url }: Pick<McpServerEntity, 'organizationId' | 'id' | 'url'>,
    protocolVersion: string | null,
    failure: string | null,
  ): Promise<void> {
    await this.statements.write(NOTE_MCP_CHECK, [organizationId, id, url, protocolVersion, failure]);
  }

  /** @param handshakeRevision null for none */
  async noteHandshake(
    { organizationId, id, url }: Pick<McpServerEntity, 'organizationId' | 'id' | 'url'>,
    handshakeRevision: string | null,
  ): Promise<void> {
    await this.statements.write(NOTE_MCP_HANDSHAKE, [organizationId, id, url, handshakeRevision]);
  }

  /** Keeps the issuer that a server names, if it is the first one. @returns the first one; undefined where the server was changed meanwhile */
  async noteIssuer(
    { organizationId, id, updatedAt }: Pick<McpServerEntity, 'organizationId' | 'id' | 'updatedAt'>,
    issuer: string,
  ): Promise<string | undefined> {
    return (await this.statements.first(NOTE_MCP_ISSUER, [organizationId, id, updatedAt, issuer]))?.issuer;
  }

  everySecret(): AsyncGenerator<StoredMcpSecret> {
    return rowsOfOrganizations((after) => this.statements.rows(MCP_SECRETS_AFTER, after));
  }

  /** @returns whether it has been replaced */
  async replaceSecret({ organizationId, id, encryptedSecret }: StoredMcpSecret, replacement: Buffer): Promise<boolean> {
    const values: [string, string, Buffer, Buffer] = [organizationId, id, encryptedSecret, replacement];
    return (await this.statements.write(REPLACE_MCP_SECRET, values)) > 0;
  }
}
