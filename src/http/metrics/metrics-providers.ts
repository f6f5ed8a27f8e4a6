import cluster from 'node:cluster';
import type { FactoryProvider, Provider } from '@nestjs/common';
import type { Environment } from '../../config/environment.js';
import { ConnectionPool } from '../../database/connection-pool.js';
import { Metrics } from './metrics.js';
import { MetricsEndpoint } from './metrics-endpoint.js';
import { MetricsServer } from './metrics-server.js';

/** What the metrics are made of where the configuration asks for them; otherwise nothing, not even the library. */
export function metricsProviders(environment: Environment): Provider[] {
  if (!hasMetrics(environment)) return [];
  return [METRICS, MetricsEndpoint, ...(environment.metricsPort === undefined ? [] : [MetricsServer])];
}

/** Whether the configuration asks for metrics: on a port of their own, or behind a token. */
export function hasMetrics({ metricsPort, metricsToken }: Environment): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}

const METRICS: FactoryProvider<Metrics> = {
  provide: Metrics,
  inject: [ConnectionPool],
  async useFactory(pool: ConnectionPool) {
    if (cluster.isWorker) return new (await import('./worker-metrics.js')).WorkerMetrics(pool);
    return new (await import('./prometheus-metrics.js')).PrometheusMetrics(pool);
  },
};
