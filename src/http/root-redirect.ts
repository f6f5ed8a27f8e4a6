import type { NextFunction, Request, Response } from 'express';
import { redirectHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/** Leads someone who opens the address of the service in a browser to its documentation. */
export function redirectToDocumentation(request: Request, response: Response, next: NextFunction): void {
  if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) {
    next();
    return;
  }
  // Relative, so that it holds behind a proxy that serves this below a path of its own.
  response.writeHead(302, redirectHead((request as GatehouseRequest).requestId, 'docs'));
  response.end();
}
