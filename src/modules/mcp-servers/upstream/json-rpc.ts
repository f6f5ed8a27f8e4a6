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

/** The codes of errors (JSON-RPC 2.0, and revisions of the protocol). */
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
  /** The client is to open an address first (revision 2025-11-25). */
  addressRequired: -32042,
} as const;

/** A message that is not answered. */
export interface RpcNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** A request of the other side. */
export interface RpcRequest extends RpcNotification {
  readonly id: RpcId;
}

/** The longest id of a request of the other side that is a text, in UTF-16 code units. */
const LONGEST_ID = 256;

/** Whether a value can be the id of a request. */
export function isRpcId(id: unknown): id is RpcId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

/** Whether a value can be the id of a request, or a token, that is handed on as it is: a short one. */
export function isShortId(id: unknown): id is RpcId {
  return isRpcId(id) && String(id).length <= LONGEST_ID;
}

/** Reads the answer to a request. @returns undefined for what is no answer to it */
export function outcomeIn(message: unknown, id: RpcId): RpcOutcome | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['id'] !== id) return undefined;
  return outcomeOf(message);
}

/** What a message says of a request, whichever that is. @returns undefined for one that says nothing */
export function outcomeOf(message: JsonObject): RpcOutcome | undefined {
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

/** Reads a request of the other side. @returns undefined for any other message, and for one whose id is none, or a long one */
export function requestIn(message: unknown): RpcRequest | undefined {
  if (!isObject(message) || typeof message['method'] !== 'string' || !isShortId(message['id'])) return undefined;
  const { id, method, params } = message;
  return { id, method, params: isObject(params) ? params : {} };
}
