import type { NextFunction, Request, Response } from 'express';
import type { GatehouseRequest } from '../../../../http/request.js';

/**
 * Gives every answer, also that of a request which is refused before it reaches its controller, the request id where clients of
 * the Messages form look for it (docs/interface/messages.md#headers).
 */
export function addRequestIdHeader(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Request-Id', (request as GatehouseRequest).requestId);
  next();
}
