import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { GatehouseRequest } from './request.js';

/** Where the console calls the operations of the interface. */
export const CONSOLE_OPERATIONS = '/console/api/v1';

/**
 * Offers every operation of the interface a second time, below the path of the console, where the cookie of a session counts
 * (docs/interface/sign-in.md#console). Below the path of the interface no cookie is read, so that no page of another site can
 * have a browser call it.
 *
 * @param basePath the path prefix of every operation
 */
export function offerConsoleOperations(basePath: string): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (request.url.startsWith(`${CONSOLE_OPERATIONS}/`)) {
      (request as GatehouseRequest).isFromConsole = true;
      request.url = basePath + request.url.slice(CONSOLE_OPERATIONS.length);
    }
    next();
  };
}
