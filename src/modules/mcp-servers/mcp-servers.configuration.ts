import { Injectable } from '@nestjs/common';
import type { KindContext, PlannedObjects, ShownObject } from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { AddressedKind } from '../configuration/kinds/served-kind.js';
import { CreateMcpServerRequest, type McpServer, UpdateMcpServerRequest } from './dto/mcp-server.dto.js';
import { McpServersService } from './mcp-servers.service.js';

/** The lists of a guardrail that name servers, or their tools. */
interface NamingServers {
  readonly allowed_mcp_tools?: readonly string[] | null;
  readonly ignored_mcp_tools?: readonly string[] | null;
  readonly mcp_argument_rules?: readonly { readonly tool: string }[] | null;
}

/** MCP servers as files configure them (docs/configuration.md). What was approved of their tools is no part of files: it is what people have seen. */
@Injectable()
export class McpServersConfiguration extends AddressedKind {
  readonly section = 'mcp_servers';
  readonly one = 'MCP server';
  readonly permission = 'mcp_servers_write';
  readonly creation = CreateMcpServerRequest;
  readonly change = UpdateMcpServerRequest;
  override readonly references = { workspaces: { to: 'workspaces', wire: 'workspace_ids', isList: true } };
  override readonly secrets = ['secret'];

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: McpServersService,
  ) {
    super();
    kinds.add(this);
  }

  override async dependents(
    { inventory }: KindContext,
    shown: ShownObject,
    planned: PlannedObjects,
  ): Promise<readonly string[]> {
    const { name: server } = shown as McpServer;
    const guardrails = await inventory.all('guardrails');
    return guardrails
      .filter(({ id, shown: guardrail }) => {
        if (planned.isGone('guardrails', id)) return false;
        const named: NamingServers = { ...guardrail, ...planned.entryOf('guardrails', id) };
        const { allowed_mcp_tools: allowed, ignored_mcp_tools: ignored, mcp_argument_rules: rules } = named;
        const tools = [...(allowed ?? []), ...(ignored ?? []), ...(rules ?? []).map(({ tool }) => tool)];
        return tools.some((tool) => tool.startsWith(`${server}/`));
      })
      .map(({ name }) => `guardrail ${name}`);
  }
}
