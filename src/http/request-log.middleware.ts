import { randomUUID } from 'node:crypto';
import type { NextFunction, RequestHandler, Response } from 'express';
import type { Metrics } from '../telemetry/metrics/metrics.js';
import type { GatehouseRequest } from './request.js';
import type { ServiceLogger } from '../telemetry/logging/service-logger.js';

/** The logged status of a request whose client disconnected before the response. It is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Assigns an id to every request, and writes its log line when the response is finished or aborted.
 *
 * @param metrics counts requests, if metrics are enabled
 */
export function requestLog(logger: ServiceLogger, metrics?: Metrics): RequestHandler {
  return (incoming, response: Response, next: NextFunction) => {
    const request = incoming as GatehouseRequest;
    const start = performance.now();
    // Read now, because Express modifies the url while it routes.
    const path = request.path;
    request.requestId = requestIdOf(request.headers['x-request-id']);
    // Read now, because a closed connection has no address.
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
