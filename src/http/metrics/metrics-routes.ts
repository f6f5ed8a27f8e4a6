import type { INestApplication, Provider } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import { hasMetrics } from '../../telemetry/metrics/has-metrics.js';
import type { GatehouseRequest } from '../request.js';
import { METRICS_PATH, MetricsEndpoint, MetricsServer } from './metrics-server.js';

/** The providers that answer requests for metrics; none if metrics are not enabled. */
export function metricsEndpoints(environment: Environment): Provider[] {
  if (!hasMetrics(environment)) return [];
  return [MetricsEndpoint, ...(environment.metricsPort === undefined ? [] : [MetricsServer])];
}

/** Serves the metrics on the main port, if they have no separate port and are protected by a token. */
export function serveMetrics(application: INestApplication): void {
  const { metricsPort, metricsToken } = application.get(Environment);
  if (metricsPort !== undefined || metricsToken === undefined) return;
  const endpoint = application.get(MetricsEndpoint);
  application.getHttpAdapter().get(METRICS_PATH, (request: GatehouseRequest, response: Response) => {
    return endpoint.answer(request, response, request.requestId);
  });
}
