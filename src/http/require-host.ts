import type { NextFunction, Request, Response } from 'express';
import { BadRequestError } from './errors/domain-error.js';

/** Refuses a request of HTTP/1.1 without a Host (RFC 9112, section 3.2); Node's own refusal has no envelope. */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') {
    next();
    return;
  }
  next(new BadRequestError('unreadable_request', [{ path: 'Host', message: 'is required' }]));
}
