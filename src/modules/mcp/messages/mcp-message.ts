import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../../http/validation/constraints.js';
import { textOfHeader } from '../../mcp-servers/upstream/header-values.js';
import {
  isRpcId,
  isShortId,
  type JsonObject,
  outcomeOf,
  RPC_CODES,
  type RpcError,
  type RpcId,
  type RpcOutcome,
} from '../../mcp-servers/upstream/json-rpc.js';
import { LEGACY_REVISIONS, META, MODERN_REVISION, NAMED_METHODS } from '../../mcp-servers/upstream/mcp-revisions.js';

/** A message of a client. */
export interface McpMessage {
  /** Undefined for a notification. */
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: JsonObject;
  /** Of the client. */
  readonly revision: string;
  /** Whether it is of a revision with a handshake. */
  readonly isLegacy: boolean;
}

/** What a client answers to a request of a server, in a revision with a handshake. */
export interface McpReply {
  readonly id: RpcId;
  readonly revision: string;
  readonly reply: RpcOutcome;
}

/** A message that is refused for its form. */
export interface RefusedMessage {
  readonly status: number;
  readonly id: RpcId | null;
  readonly error: RpcError;
}

/** Reads a message of a client, and compares it with its headers (docs/interface/mcp.md#messages). */
export function readMessage(body: JsonObject, headers: IncomingHttpHeaders): McpMessage | McpReply | RefusedMessage {
  const { jsonrpc, id, method, params = {} } = body;
  const hasId = Object.hasOwn(body, 'id');
  const known = isRpcId(id) ? id : null;
  const refused = (status: number, code: number, message: string, data?: unknown): RefusedMessage => ({
    status,
    id: known,
    error: { code, message, ...(data !== undefined && { data }) },
  });
  const shown = textOf(headers['mcp-protocol-version']);
  const isReply = jsonrpc === '2.0' && !Object.hasOwn(body, 'method') && isShortId(id);
  const reply = isReply && shown !== MODERN_REVISION ? outcomeOf(body) : undefined;
  if (reply !== undefined) return { id: id as RpcId, revision: shown ?? LEGACY_REVISIONS.at(-1)!, reply };
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (hasId && known === null) || !isObject(params)) {
    return refused(400, RPC_CODES.invalidRequest, 'Invalid request: a JSON-RPC request or notification is expected.');
  }
  const meta = params['_meta'];
  const claimed = isObject(meta) ? meta[META.version] : undefined;
  const message = { id: known ?? undefined, method, params };
  if (claimed === undefined && (method === 'initialize' || shown !== MODERN_REVISION)) {
    if (shown === MODERN_REVISION) {
      return refused(
        400,
        RPC_CODES.headerMismatch,
        'The header MCP-Protocol-Version does not fit the handshake of the body.',
      );
    }
    // A request of the revisions before the header says nothing of it.
    if (shown !== undefined && !LEGACY_REVISIONS.includes(shown)) return refused(...unsupported(shown));
    return { ...message, revision: shown ?? LEGACY_REVISIONS.at(-1)!, isLegacy: true };
  }
  if (message.id === undefined) return { ...message, revision: MODERN_REVISION, isLegacy: false };
  const missing = envelopeIssue(meta);
  if (missing !== undefined) return refused(400, RPC_CODES.invalidParams, `Invalid params: ${missing}`);
  if (claimed !== shown) {
    return refused(
      400,
      RPC_CODES.headerMismatch,
      'The header MCP-Protocol-Version and the body name different revisions.',
    );
  }
  if (claimed !== MODERN_REVISION) return refused(...unsupported(String(claimed)));
  const mismatch = headerMismatch(message.method, params, headers);
  if (mismatch !== undefined) return refused(400, RPC_CODES.headerMismatch, mismatch);
  return { ...message, revision: MODERN_REVISION, isLegacy: false };
}

/** Whether the text says a message that is refused. */
export function isRefused(message: McpMessage | McpReply | RefusedMessage): message is RefusedMessage {
  return 'error' in message;
}

/** Whether a client answers a server. */
export function isReply(message: McpMessage | McpReply): message is McpReply {
  return 'reply' in message;
}

/** A header that is given once. */
export function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header.trim() : undefined;
}

function unsupported(requested: string): [status: number, code: number, message: string, data: object] {
  // Revisions with a handshake are agreed on by that.
  const supported = [MODERN_REVISION];
  return [
    400,
    RPC_CODES.unsupportedVersion,
    `Unsupported protocol version: ${requested.slice(0, 50).toWellFormed()}`,
    { supported, requested: requested.slice(0, 50).toWellFormed() },
  ];
}

/** What a request of the newest revision lacks. */
function envelopeIssue(meta: unknown): string | undefined {
  if (!isObject(meta)) return '_meta is required';
  if (typeof meta[META.version] !== 'string') return `_meta.${META.version} must be a text`;
  if (!isObject(meta[META.clientCapabilities])) return `_meta.${META.clientCapabilities} must be an object`;
  const info = meta[META.clientInfo];
  return info === undefined || isObject(info) ? undefined : `_meta.${META.clientInfo} must be an object`;
}

/** What headers of a request of the newest revision do not repeat of its body. */
function headerMismatch(method: string, params: JsonObject, headers: IncomingHttpHeaders): string | undefined {
  if (textOf(headers['mcp-method']) !== method) return 'The header Mcp-Method does not name the method of the body.';
  if (!Object.hasOwn(NAMED_METHODS, method)) return undefined;
  const name = params[NAMED_METHODS[method]!];
  const shown = textOf(headers['mcp-name']);
  if (typeof name !== 'string' && shown === undefined) return undefined;
  const isSame = shown !== undefined && textOfHeader(shown) === name;
  return isSame ? undefined : `The header Mcp-Name does not repeat params.${NAMED_METHODS[method]} of the body.`;
}
