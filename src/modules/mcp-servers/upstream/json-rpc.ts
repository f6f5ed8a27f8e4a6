import { isObject } from '../../../http/validation/constraints.js';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The id of a request. */
export type RpcId = string | number;

/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a request comes to. */
export type RpcOutcome =
  | { readonly result: JsonObject; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: RpcError };

/** The codes of errors (JSON-RPC 2.0, and revision 2026-07-28). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** What a server has of its own: here the refusals of the gateway. */
  refused: -32000,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A message without an answer, or with a request of the other side. */
export interface RpcNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** Reads the answer to a request. @returns undefined for what is no answer to it */
export function outcomeIn(message: unknown, id: RpcId): RpcOutcome | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['id'] !== id) return undefined;
  const { result, error } = message;
  if (isObject(result) && error === undefined) return { result };
  const known = result === undefined ? errorIn(message) : undefined;
  return known && { error: known };
}

/** Reads the error of a message, whatever its id. @returns undefined for a message without one */
export function errorIn(message: unknown): RpcError | undefined {
  if (!isObject(message) || !isObject(message['error'])) return undefined;
  const { code, message: text, data } = message['error'];
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof text !== 'string') return undefined;
  return { code, message: text, ...(data !== undefined && { data }) };
}

/** Reads a notification. @returns undefined for any other message */
export function notificationIn(message: unknown): RpcNotification | undefined {
  if (!isObject(message) || typeof message['method'] !== 'string' || 'id' in message) return undefined;
  const { method, params } = message;
  return { method, params: isObject(params) ? params : {} };
}
