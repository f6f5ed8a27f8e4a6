import type { NextFunction, Request, Response } from 'express';
import type { GatehouseRequest } from './request.js';

/** Sets X-Request-Id on the answer of a page or one of its files, as all other answers have it. */
export function sendRequestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', (request as GatehouseRequest).requestId);
  next();
}
