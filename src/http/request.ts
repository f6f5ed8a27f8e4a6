import type { Request, Response } from 'express';
import type { RequestMemory } from './input/request-memory.js';

/** A request with the properties that are set before it reaches the controller. */
export interface GatehouseRequest extends Request {
  /** The request id, as in X-Request-Id, the error envelope and the log line. */
  requestId: string;
  /** The address of the client, determined according to TRUST_PROXY; null if it had already disconnected. */
  clientAddress: string | null;
  /** The name of the controller method, once a route is found: the operationId, or the name of a health check. */
  operation?: string;
  /** The controller method, which carries the metadata of its decorators. */
  handler?: object;
  /** Whether it was sent to the operations of the console, where the cookie of a session counts. */
  isFromConsole?: boolean;
  /** Whether the path is not percent-encoded UTF-8; its parameters are then not decoded. */
  hasMalformedPath?: boolean;
  /** The organization whose limits the request counts toward; undefined without a credential. */
  organizationId?: string;
  /** The key whose share of its organization the request takes, or the Connect client of the key; undefined without a credential. */
  shareId?: string;
  /** Whether it changes an object although files configure that (docs/configuration.md#owners). */
  overridesFiles?: boolean;
  /** The memory of its body and its answer, if it is one of inference. */
  heldMemory?: RequestMemory;
  /** Whether the answer is a stream, whose client may pause for longer. */
  isStreamed?: boolean;
  /** Whether the client sends the body only once it is asked to, with a 100 (RFC 9110, section 10.1.1). */
  awaitsContinue?: boolean;
  /** Is called when the answer is made, and handed to the connection. */
  answered?: (response: Response) => void;
  /** The secret of the credential that the guard has accepted, under which answers are sealed (docs/adr/0020); never logged or stored. */
  credentialSecret?: string;
  /** The user of the credential, set by the guard; null or undefined if there is none. */
  callerUserId?: string | null;
  /** What the operation adds to the envelope of its error, beside `error`. A 500 never has it. */
  envelopeFields?: object;
}

/** The path that a request was sent to, without its query. */
export function pathOf({ originalUrl }: Pick<GatehouseRequest, 'originalUrl'>): string {
  return originalUrl.split('?', 1)[0]!;
}
