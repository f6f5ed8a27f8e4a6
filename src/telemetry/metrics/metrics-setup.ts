import type { FactoryProvider, INestApplication, Provider } from '@nestjs/common';
import type { Response } from 'express';
import type { GatehouseRequest } from '../../api/request.js';
import { Environment } from '../../config/environment.js';
import { ConnectionPool } from '../../persistence/connection-pool.js';
import { METRICS_PATH, MetricsEndpoint, MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

/** The providers of metrics; none without METRICS_PORT and METRICS_TOKEN, so that prom-client is not even loaded. */
export function metricsProviders(environment: Environment): Provider[] {
  if (!hasMetrics(environment)) return [];
  return [METRICS, MetricsEndpoint, ...(environment.metricsPort === undefined ? [] : [MetricsServer])];
}

/** The providers of {@link metricsProviders} that other modules may inject. */
export function exportedMetrics(environment: Environment): Provider[] {
  return hasMetrics(environment) ? [METRICS] : [];
}

/** The metrics of an application; undefined if they are not enabled. */
export function metricsOf(application: INestApplication): Metrics | undefined {
  return hasMetrics(application.get(Environment)) ? application.get(Metrics) : undefined;
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

function hasMetrics({ metricsPort, metricsToken }: Environment): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}

const METRICS: FactoryProvider<Metrics> = {
  provide: Metrics,
  inject: [ConnectionPool],
  async useFactory(pool: ConnectionPool) {
    return new (await import('./prometheus-metrics.js')).PrometheusMetrics(pool);
  },
};
