import { type DomainError } from '../../../http/errors/domain-error.js';
import { type ErrorEnvelope, errorMessageOf } from '../../../http/errors/error-envelope.js';
import type { ErrorWriter } from '../../../http/openapi/operation.decorator.js';
import { RPC_CODES, type RpcError } from '../../mcp-servers/upstream/json-rpc.js';
import { McpServerUnknown, McpSessionUnknown, McpToolUnknown } from '../mcp.errors.js';

/** A failure as JSON-RPC has it. */
export class McpErrorResponse {
  jsonrpc: string;
  id: null;
  error: object;
}

/** A refusal of the gateway as an error of JSON-RPC: `data.reason` says which it is (docs/interface/mcp.md#errors). */
export function rpcErrorOf(error: DomainError): RpcError {
  const { cause: _, error_type: _type, ...metadata } = error.metadata;
  return {
    code: codeOf(error),
    message: error.explanation ?? error.shownMessage ?? errorMessageOf(error.status),
    data: {
      ...metadata,
      ...(error.retryAfterSeconds !== undefined && { retry_after_seconds: error.retryAfterSeconds }),
    },
  };
}

function codeOf(error: DomainError): number {
  if (error instanceof McpSessionUnknown) return RPC_CODES.invalidRequest;
  const isUnknown = error instanceof McpToolUnknown || error instanceof McpServerUnknown;
  return isUnknown ? RPC_CODES.invalidParams : RPC_CODES.refused;
}

/** Codes of what is wrong with a message before it is read. */
const CODES: Readonly<Record<string, number>> = {
  malformed_json: RPC_CODES.parseError,
  malformed_body: RPC_CODES.parseError,
};

/** Writes failures before a message was read. */
export const MCP_ERROR_FORM: ErrorWriter = { type: McpErrorResponse, write: errorOf, explains: true };

function errorOf({ error: { code, message, metadata } }: ErrorEnvelope): McpErrorResponse {
  const reason = typeof metadata?.['reason'] === 'string' ? metadata['reason'] : undefined;
  const ofStatus = code === 400 ? RPC_CODES.invalidRequest : RPC_CODES.refused;
  return {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: (reason !== undefined && CODES[reason]) || (code >= 500 ? RPC_CODES.internalError : ofStatus),
      message,
      ...(metadata && { data: metadata }),
    },
  };
}
