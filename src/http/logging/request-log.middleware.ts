import { randomUUID } from 'node:crypto';
import type { NextFunction, RequestHandler, Response } from 'express';
import type { Metrics } from '../metrics/metrics.js';
import type { GatehouseRequest } from '../request.js';
import type { ServiceLogger } from './service-logger.js';

/** What the log says of a request whose client was gone before the answer; no such status is ever sent. */
const CLIENT_CLOSED_REQUEST = 499;

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Gives every request its id, and writes its log line when the answer is finished or broken off.
 *
 * @param metrics where requests are counted, if they are
 */
export function requestLog(logger: ServiceLogger, metrics?: Metrics): RequestHandler {
  return (incoming, response: Response, next: NextFunction) => {
    const request = incoming as GatehouseRequest;
    const start = performance.now();
    // Kept now: Express takes parts off the url while it routes.
    const path = request.path;
    request.requestId = requestIdOf(request.headers['x-request-id']);
    // Taken now: once the connection is gone, nobody knows any more where it came from.
    request.clientAddress = request.ip ?? null;
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
      logger.request({
        requestId: request.requestId,
        method: request.method,
        path,
        status,
        durationMs,
        userId: request.callerUserId,
        clientAddress: request.clientAddress,
      });
      metrics?.request(request.operation, status, durationMs / 1000);
    });
    next();
  };
}

function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED_REQUEST_ID.test(header) ? header : randomUUID();
}
