import { Injectable } from '@nestjs/common';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import type { McpToolEntity } from './entities/mcp-tool.entity.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import { McpToolsRepository } from './tools/mcp-tools.repository.js';

/** A tool of a server as it was last seen. */
export interface KnownTool {
  readonly server: McpServerEntity;
  readonly tool: McpToolEntity;
}

/** The tools of all servers of an organization as they are stored: no server is asked. */
@Injectable()
export class KnownTools {
  constructor(
    private readonly servers: McpServersRepository,
    private readonly tools: McpToolsRepository,
  ) {}

  /** By server and name. */
  async all(organizationId: string): Promise<readonly KnownTool[]> {
    const known: KnownTool[] = [];
    for (const server of await this.servers.all(organizationId)) {
      for (const tool of await this.tools.ofServer(organizationId, server.id)) known.push({ server, tool });
    }
    return known;
  }
}
