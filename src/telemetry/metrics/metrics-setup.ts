import cluster from 'node:cluster';
import type { FactoryProvider, INestApplication, Provider } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { ConnectionPool } from '../../persistence/connection-pool.js';
import { hasMetrics } from './has-metrics.js';
import { Metrics } from './metrics.js';

/** The provider of metrics; none without METRICS_PORT and METRICS_TOKEN, so that prom-client is not even loaded. */
export function metricsProviders(environment: Environment): Provider[] {
  return hasMetrics(environment) ? [METRICS] : [];
}

/** The metrics of an application; undefined if they are not enabled. */
export function metricsOf(application: INestApplication): Metrics | undefined {
  return hasMetrics(application.get(Environment)) ? application.get(Metrics) : undefined;
}

const METRICS: FactoryProvider<Metrics> = {
  provide: Metrics,
  inject: [ConnectionPool, Environment],
  async useFactory(pool: ConnectionPool, { workers }: Environment) {
    const { PrometheusMetrics } = await import('./prometheus-metrics.js');
    return new PrometheusMetrics(pool, workers > 1 ? cluster.worker : undefined);
  },
};
