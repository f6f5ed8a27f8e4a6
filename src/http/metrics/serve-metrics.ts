import type { INestApplication } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import type { GatehouseRequest } from '../request.js';
import { Metrics } from './metrics.js';
import { METRICS_PATH, MetricsEndpoint } from './metrics-endpoint.js';
import { hasMetrics } from './metrics-providers.js';

/** What an application records with, if it does. */
export function metricsOf(application: INestApplication): Metrics | undefined {
  return hasMetrics(application.get(Environment)) ? application.get(Metrics) : undefined;
}

/** Serves the metrics on the main port, where they have no other and a token keeps the public out. */
export function serveMetrics(application: INestApplication): void {
  const { metricsPort, metricsToken } = application.get(Environment);
  if (metricsPort !== undefined || metricsToken === undefined) return;
  const endpoint = application.get(MetricsEndpoint);
  application.getHttpAdapter().get(METRICS_PATH, (request: GatehouseRequest, response: Response) => {
    return endpoint.answer(request, response, request.requestId);
  });
}
