export {
  isRpcId,
  isShortId,
  type JsonObject,
  notificationIn,
  outcomeOf,
  requestIn,
  RPC_CODES,
  type RpcError,
  type RpcId,
  type RpcNotification,
  type RpcOutcome,
  type RpcRequest,
} from './upstream/json-rpc.js';
export { LEGACY_REVISION, LEGACY_REVISIONS, META, MODERN_REVISION, NAMED_METHODS } from './upstream/mcp-revisions.js';
export { LIST_FAILED_MS, listedItems, LONGEST_LIST_MS, type ServerList } from './upstream/listed-items.js';
export { McpFailure, McpSessionLost } from './upstream/mcp-failure.js';
export { McpServersInForce } from './mcp-servers-in-force.service.js';
export { McpServersModule } from './mcp-servers.module.js';
export { type McpToolState, MCP_TOOL_STATES } from './mcp-server-vocabulary.js';
export { McpUpstream } from './upstream/mcp-upstream.service.js';
export { type ServerSession } from './upstream/server-session.js';
export { type ReadyMcpServer, priceOfCall } from './upstream/ready-mcp-server.js';
export { SeenTools } from './tools/seen-tools.service.js';
export { McpConnectionRequired, TooManyMcpRequests } from './mcp-servers.errors.js';
export { type ToolDefinition } from './tools/tool-definition.js';
export { argumentHeadersOf, mismatchedArgument, textOfHeader } from './upstream/header-values.js';
export { stateOf, usableDefinition } from './tools/tool-state.js';
export { KnownTools } from './known-tools.service.js';
