import { shownTimes } from '../../persistence/rows/wire-fields.js';
import type { McpServer } from './dto/mcp-server.dto.js';
import type { McpTool } from './dto/mcp-tool.dto.js';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import type { McpToolEntity } from './entities/mcp-tool.entity.js';
import { MCP_SERVERS } from './mcp-servers.repository.js';
import { revisionsIn } from './upstream/mcp-revisions.js';
import { differenceOf } from './tools/tool-definition.js';
import { stateOf } from './tools/tool-state.js';

/** An MCP server as the interface shows it: its secret masked. */
export function toMcpServerResponse(server: McpServerEntity): McpServer {
  return {
    ...MCP_SERVERS.shown(server),
    secret: server.secretMask,
    protocol_version: server.protocolVersion,
    revisions: revisionsIn(server),
    checked_at: server.checkedAt?.toISOString() ?? null,
    failure: server.failure,
    ...shownTimes(server),
  };
}

/** A tool as the interface shows it. */
export function toMcpToolResponse(tool: McpToolEntity): McpTool {
  const { name, digest, definition, approvedDefinition } = tool;
  const state = stateOf(tool);
  return {
    name,
    state,
    digest,
    definition,
    difference: state === 'changed' ? differenceOf(approvedDefinition!, definition) : null,
    approved_at: tool.approvedAt?.toISOString() ?? null,
    seen_at: tool.seenAt.toISOString(),
    gone_at: tool.goneAt?.toISOString() ?? null,
  };
}
