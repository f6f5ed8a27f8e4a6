import { defineError, defineExplainedError } from '../../http/errors/define-error.js';
import type { RefusalByRules } from '../guardrails/refusing-guardrails.js';

/** A page of another origin has sent the request. */
export class McpOriginNotAllowed extends defineError(403, 'origin_not_allowed') {}

/** The key may use no MCP server of this name. */
export class McpServerUnknown extends defineExplainedError(404, 'mcp_server_not_found') {
  constructor() {
    super('There is no MCP server of this name that this key may use.');
  }
}

/** The key has no tool of this name, or may not use it. */
export class McpToolUnknown extends defineExplainedError(404, 'mcp_tool_not_found') implements RefusalByRules {
  /** @param why for the record: what the caller is told is the same */
  constructor(
    name: string,
    why?: string,
    readonly guardrailIds: readonly string[] = [],
  ) {
    super(`Unknown tool: ${name}`, why === undefined ? {} : { detail: { cause: why } });
  }
}

/** The tool is not as it was approved, or was never approved. */
export class McpToolNotApproved extends defineExplainedError(403, 'mcp_tool_not_approved') {
  constructor(name: string) {
    super(
      `The tool ${name} is not approved as its server offers it now. An administrator of your organization can approve it.`,
    );
  }
}

/** A guardrail does not allow these arguments. */
export class McpArgumentsNotAllowed
  extends defineExplainedError(403, 'mcp_arguments_not_allowed')
  implements RefusalByRules
{
  /** @param issue what is wrong, without any value */
  constructor(
    issue: string,
    readonly guardrailIds: readonly string[],
  ) {
    super(`A rule of this key does not allow the arguments: ${issue}`);
  }
}

/** The session of a client is over, or the server does not know it any more: the client opens a new one. */
export class McpSessionUnknown extends defineExplainedError(404, 'mcp_session_not_found') {
  constructor() {
    super('Session not found');
  }
}

/** The server of a tool did not answer as it should. */
export class McpServerFailed extends defineExplainedError(502, 'mcp_server_failed') {
  constructor(server: string, why: string) {
    super(`The MCP server ${server} failed: ${why}.`);
  }
}

/** The server of a tool did not answer in time. */
export class McpServerTimedOut extends defineExplainedError(504, 'mcp_server_timed_out') {
  constructor(server: string) {
    super(`The MCP server ${server} did not answer in time.`);
  }
}
