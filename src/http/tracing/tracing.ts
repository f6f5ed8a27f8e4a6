import type { Response } from 'express';
import type { GatehouseRequest } from '../request.js';

/**
 * Follows requests and their statements for a collector of traces. There is one only where OTEL_EXPORTER_OTLP_ENDPOINT asks
 * for it; whoever runs something that is followed does so through it if there is.
 */
export abstract class Tracing {
  /** Follows a request from here until its answer is finished or broken off. @param proceed runs the rest of it */
  abstract request(request: GatehouseRequest, response: Response, proceed: () => void): void;

  /** Follows a statement of the request that is being answered. @param run runs it */
  abstract statement<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}
