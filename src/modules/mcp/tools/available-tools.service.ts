import { Injectable } from '@nestjs/common';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { type McpToolRefusal, mcpToolCheck } from '../../guardrails/mcp/mcp-tools-policy.js';
import { ContentInspection } from '../../inference/pipeline/content/content-inspection.service.js';
import { McpServersInForce } from '../../mcp-servers/mcp-servers-in-force.service.js';
import { SeenTools } from '../../mcp-servers/tools/seen-tools.service.js';
import type { ToolDefinition } from '../../mcp-servers/tools/tool-definition.js';
import { stateOf, usableDefinition } from '../../mcp-servers/tools/tool-state.js';
import type { McpToolState } from '../../mcp-servers/mcp-server-vocabulary.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import { McpServerUnknown } from '../mcp.errors.js';
import { joinedName, serverIn } from './tool-names.js';
import { TOOL_DEFINITION } from './tool-texts.js';

/** A tool, and what decides whether a key may call it. */
export interface OfferedTool {
  readonly server: ReadyMcpServer;
  readonly state: McpToolState;
  /** Why guardrails do not allow it; undefined where they do. */
  readonly refusal: McpToolRefusal | undefined;
  /** How clients get it; undefined for one that is not approved as it is. */
  readonly usable: ToolDefinition | undefined;
  /** The name that clients know it by. */
  readonly shownName: string;
  /** Its name at its server. */
  readonly name: string;
}

/** Who asks for tools. */
type Asker = Pick<McpRequestOf, 'caller' | 'context' | 'policy' | 'serverName'>;

/** The tools that keys may use (docs/interface/mcp.md#tools). */
@Injectable()
export class AvailableTools {
  constructor(
    private readonly servers: McpServersInForce,
    private readonly seen: SeenTools,
    private readonly inspection: ContentInspection,
    private readonly slots: RequestSlots,
  ) {}

  /** Every tool of the servers that a key may reach, whether it may be used or not, by server and name. @throws McpServerUnknown */
  async all(asker: Asker): Promise<readonly OfferedTool[]> {
    const servers = await this.serversOf(asker);
    const tools = await Promise.all(servers.map((server) => this.toolsOf(server, asker)));
    return tools.flat();
  }

  /** The tool that a client names; undefined for none. @throws McpServerUnknown */
  async named(asker: Asker, name: string): Promise<OfferedTool | undefined> {
    const { caller, context, serverName } = asker;
    const inName = serverName ?? serverIn(name);
    if (inName === undefined) return undefined;
    const server = await this.servers.ofName(caller.organizationId, context.workspaceId, inName);
    if (server === undefined) {
      if (serverName !== undefined) throw new McpServerUnknown();
      return undefined;
    }
    return (await this.toolsOf(server, asker)).find(({ shownName }) => shownName === name);
  }

  /** The servers that a key may reach, by their names. @throws McpServerUnknown where the path names another one */
  async serversOf({ caller, context, serverName }: Asker): Promise<readonly ReadyMcpServer[]> {
    const { organizationId } = caller;
    if (serverName === undefined) return this.servers.ofWorkspace(organizationId, context.workspaceId);
    const server = await this.servers.ofName(organizationId, context.workspaceId, serverName);
    if (server === undefined) throw new McpServerUnknown();
    return [server];
  }

  /**
   * The tools of a list as clients get them: allowed and approved ones, without what filters take out of their texts. One of which a filter
   * blocks something is left out.
   *
   * @throws ContentFilterUnavailable, TooManyContentScans, the reason of the signal
   */
  async shown(request: McpRequestOf): Promise<readonly ToolDefinition[]> {
    const offered = (await this.all(request)).filter(({ refusal }) => refusal === undefined);
    return this.slots.run(request.caller.organizationId, async (slot) => {
      const shown: ToolDefinition[] = [];
      for (const { usable, shownName, server } of offered) {
        if (usable === undefined) continue;
        const means = { slot, signal: request.signal };
        const { inspected } = await this.inspection.inspect(TOOL_DEFINITION, request.policy, request, usable, means);
        if (inspected === undefined) continue;
        const { annotations, ...definition } = inspected;
        shown.push({ ...definition, ...(server.trusted && annotations && { annotations }), name: shownName });
      }
      return shown;
    });
  }

  private async toolsOf(server: ReadyMcpServer, { caller, policy, serverName }: Asker): Promise<OfferedTool[]> {
    const check = mcpToolCheck(policy.rules);
    const tools = await this.seen.of(server, caller.userId);
    const offered = tools.map((tool): OfferedTool => ({
      server,
      name: tool.name,
      shownName: serverName === undefined ? joinedName(server.name, tool.name) : tool.name,
      state: stateOf(tool),
      refusal: check(`${server.name}/${tool.name}`),
      usable: usableDefinition(tool, server.follow),
    }));
    return eachNameOnce(offered);
  }
}

/** A server may call a tool as another one is cut to: the first of these that the key may use has the name, in lists as in calls. */
function eachNameOnce(offered: readonly OfferedTool[]): OfferedTool[] {
  const mayBeUsed = ({ refusal, usable }: OfferedTool): boolean => refusal === undefined && usable !== undefined;
  const byName = new Map<string, OfferedTool>();
  for (const tool of offered) {
    const other = byName.get(tool.shownName);
    if (other === undefined || (mayBeUsed(tool) && !mayBeUsed(other))) byName.set(tool.shownName, tool);
  }
  return [...byName.values()];
}
