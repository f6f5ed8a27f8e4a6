import type { NextFunction, Request, Response } from 'express';
import { percentDecoded } from './input/percent-encoding.js';
import type { GatehouseRequest } from './request.js';

/**
 * Lets a path that is not percent-encoded UTF-8 through to its operation, marked. Express would refuse it while it looks
 * for the operation, before anybody knows who is calling; now InputPipe does, behind the guard.
 */
export function markMalformedPath(request: Request, _response: Response, next: NextFunction): void {
  const { path, url } = request;
  if (path.includes('%') && percentDecoded(path) === undefined) {
    (request as GatehouseRequest).hasMalformedPath = true;
    // What Express decodes is then the text as it came.
    request.url = path.replaceAll('%', '%25') + url.slice(path.length);
  }
  next();
}
