import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { McpServerPath } from '../dto/mcp-server.dto.js';
import type {
  ApproveMcpToolsRequest,
  ApproveMcpToolsResponse,
  ListMcpToolsResponse,
  RevokeMcpToolsRequest,
  RevokeMcpToolsResponse,
} from '../dto/mcp-tool.dto.js';
import type { McpToolEntity } from '../entities/mcp-tool.entity.js';
import { McpToolChanged } from '../mcp-servers.errors.js';
import { toMcpToolResponse } from '../mcp-servers.mapper.js';
import { MCP_SERVERS } from '../mcp-servers.repository.js';
import { McpToolsRepository } from './mcp-tools.repository.js';

/** The tools of MCP servers, and which of them are approved (docs/interface/mcp-servers.md#pins). */
@Injectable()
export class McpToolsService {
  constructor(
    private readonly repository: McpToolsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists the tools of a server as they were last seen, by their names. @throws McpServerNotFound */
  async list({ organizationId }: ManagementPrincipal, { id }: McpServerPath): Promise<ListMcpToolsResponse> {
    const server = await MCP_SERVERS.get(this.statements, organizationId, id);
    return shown(await this.repository.ofServer(organizationId, server.id));
  }

  /**
   * Approves tools as they were looked at: all of them or none.
   *
   * @throws McpServerNotFound
   * @throws McpToolChanged where one is not as it was looked at
   */
  async approve(
    caller: ManagementPrincipal,
    { id, tools }: McpServerPath & ApproveMcpToolsRequest,
  ): Promise<ApproveMcpToolsResponse> {
    return this.change(caller, id, async (tx, known) => {
      const byName = new Map(known.map((tool) => [tool.name, tool]));
      const digests = new Map(tools.map(({ name, digest }) => [name, digest]));
      const stale = tools.find(({ name, digest }) => {
        const tool = byName.get(name);
        return tool?.digest !== digest || tool.goneAt !== null;
      });
      if (stale !== undefined) throw new McpToolChanged({ tool: stale.name });
      const names = [...digests.keys()].filter((name) => byName.get(name)!.approvedDigest !== digests.get(name));
      await this.repository.approve(tx, caller.organizationId, known[0]!.serverId, names);
      return { action: 'mcp_server.approve_tools', names, after: (name) => digests.get(name) };
    });
  }

  /** Approves tools no more: nobody may use them until they are approved again. @throws McpServerNotFound @throws McpToolChanged for an unknown one */
  async revoke(
    caller: ManagementPrincipal,
    { id, tools }: McpServerPath & RevokeMcpToolsRequest,
  ): Promise<RevokeMcpToolsResponse> {
    return this.change(caller, id, async (tx, known) => {
      const byName = new Map(known.map((tool) => [tool.name, tool]));
      const unknown = tools.find((name) => !byName.has(name));
      if (unknown !== undefined) throw new McpToolChanged({ tool: unknown });
      const names = [...new Set(tools)].filter((name) => byName.get(name)!.approvedDigest !== null);
      await this.repository.revoke(tx, caller.organizationId, known[0]!.serverId, names);
      return { action: 'mcp_server.revoke_tools', names, after: () => undefined };
    });
  }

  private async change(
    caller: ManagementPrincipal,
    id: string,
    work: (
      tx: Transaction,
      known: readonly McpToolEntity[],
    ) => Promise<{
      readonly action: string;
      readonly names: readonly string[];
      readonly after: (name: string) => string | undefined;
    }>,
  ): Promise<{ data: ReturnType<typeof toMcpToolResponse>[] }> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const server = await MCP_SERVERS.hold(tx, organizationId, id);
      const known = await this.repository.ofServer(organizationId, server.id, tx);
      const { action, names, after } = await work(tx, known);
      if (names.length > 0) {
        const before = new Map(known.map((tool) => [tool.name, tool.approvedDigest ?? undefined]));
        const changes = Object.fromEntries(
          names.map((name) => [name, { before: before.get(name), after: after(name) }]),
        );
        await this.audit.record(tx, organizationId, caller, { action, targetId: server.id, changes });
      }
      return shown(await this.repository.ofServer(organizationId, server.id, tx));
    });
  }
}

function shown(tools: readonly McpToolEntity[]): { data: ReturnType<typeof toMcpToolResponse>[] } {
  return { data: tools.map(toMcpToolResponse) };
}
