import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineExplainedError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no MCP server of this id. */
export class McpServerNotFound extends defineError(404, 'mcp_server_not_found') {}

/** Another MCP server of the organization has the name. */
export class McpServerExists extends defineError(409, 'mcp_server_exists') {}

/** A tool is not as it was when it was looked at, or is not offered any more: what is there now has to be looked at first. */
export class McpToolChanged extends defineError(409, 'mcp_tool_changed') {}

/** Too many requests of the organization to its MCP servers wait already. */
export class TooManyMcpRequests extends defineRetryLaterError(429, 'too_many_mcp_requests') {}

/** The member has not let the gateway use the server in their name, or not any more. */
export class McpConnectionRequired extends defineExplainedError(403, 'mcp_connection_required') {
  /** @param publicUrl where people reach the deployment; undefined where that is not known */
  constructor(server: string, publicUrl: string | undefined) {
    const where = publicUrl === undefined ? 'in the console' : `at ${publicUrl}/console/mcp-connections`;
    super(`Connect to the MCP server ${server} first, ${where}.`);
  }
}

/** A member was not let in by the authorization server, or comes back with what is not theirs. */
export class McpConnectionRefused extends defineExplainedError(409, 'mcp_connection_refused') {}

/** The authorization server of a server cannot be asked, or does not have what is needed. */
export class McpAuthorizationFailed extends defineExplainedError(502, 'mcp_authorization_failed') {}

/** What is asked would be sent to an address that is not allowed. */
export const MCP_ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);

/** A workspace that the organization does not have. */
export const UNKNOWN_MCP_WORKSPACE = new IssueKind('workspace_not_found', 'is not a workspace of the organization');

/** What a violated constraint means to the caller. */
export const MCP_SERVERS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_mcp_servers_name: () => new McpServerExists(),
};
