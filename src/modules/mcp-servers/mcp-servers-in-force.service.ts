import { Injectable } from '@nestjs/common';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import { EncryptedMcpSecrets } from './mcp-server-secrets.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import type { ReadyMcpServer } from './upstream/ready-mcp-server.js';

/** The MCP servers of organizations as they are now, with their secrets. */
@Injectable()
export class McpServersInForce {
  constructor(
    private readonly repository: McpServersRepository,
    private readonly secrets: EncryptedMcpSecrets,
  ) {}

  /** The servers that keys of a workspace may use, by their names. */
  async ofWorkspace(organizationId: string, workspaceId: string | null): Promise<ReadyMcpServer[]> {
    const rows = await this.repository.ofWorkspace(organizationId, workspaceId);
    return rows.map((row) => this.ready(row));
  }

  /** One of them. @returns undefined where there is none of the name */
  async ofName(organizationId: string, workspaceId: string | null, name: string): Promise<ReadyMcpServer | undefined> {
    const row = await this.repository.ofName(organizationId, workspaceId, name);
    return row && this.ready(row);
  }

  /** A server with its secret. */
  ready(server: McpServerEntity): ReadyMcpServer {
    const { id, organizationId, name, url, authentication, header, trusted, follow, updatedAt } = server;
    const { pricePerCall, toolPrices, timeoutMs, clientId, scope, authorizationServer, handshakeRevision } = server;
    return {
      id,
      organizationId,
      name,
      url,
      authentication,
      header,
      clientId,
      scope,
      authorizationServer,
      trusted,
      follow,
      pricePerCall,
      toolPrices,
      timeoutMs,
      handshakeRevision,
      updatedAt,
      secret: this.secrets.of(server),
      version: `${id} ${updatedAt.getTime()}`,
    };
  }
}
