import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { GatehouseRequest } from './request.js';

/**
 * The headers of pages and their files; those of JSON answers are in json-head.ts. Swagger UI styles its page inline;
 * scripts come from here alone.
 */
export function pageHeaders(): RequestHandler[] {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
  });
  return [protect, sendRequestId];
}

function sendRequestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', (request as GatehouseRequest).requestId);
  next();
}
