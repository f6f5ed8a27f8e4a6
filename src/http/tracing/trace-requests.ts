import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../config/environment.js';
import type { GatehouseRequest } from '../request.js';
import { Tracing } from './tracing.js';

/** Follows the requests for operations, where the configuration asks for it. Otherwise nothing stands in their way. */
export function traceRequests(application: INestApplication): void {
  const { otlpEndpoint, apiBasePath } = application.get(Environment);
  if (otlpEndpoint === undefined) return;
  const tracing = application.get(Tracing);
  application.use(apiBasePath, (request: Request, response: Response, next: NextFunction) => {
    tracing.request(request as GatehouseRequest, response, next);
  });
}
