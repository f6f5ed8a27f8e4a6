import type { Request } from 'express';

/** A request with what the steps before the controller have found out about it. */
export interface GatehouseRequest extends Request {
  /** Stands in the answer's X-Request-Id, in the error envelope and in the log line. */
  requestId: string;
  /** The address of the client, as far as TRUST_PROXY lets it be known; null when it was gone already. */
  clientAddress: string | null;
  /** The name of the method that answers, once a route is found: the operationId, or a health check's name. */
  operation?: string;
  /** The method that answers, with what its decorators say of it. */
  handler?: object;
  /** The path is not percent-encoded UTF-8, and its parameters are still encoded. */
  hasMalformedPath?: boolean;
  /** The organization whose share of everything the request takes; undefined for one without a credential. */
  organizationId?: string;
  /** The user behind the credential, once the guard has accepted one that belongs to a user. */
  callerUserId?: string | null;
}
