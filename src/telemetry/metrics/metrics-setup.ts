import type { FactoryProvider, INestApplication, Provider } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { ConnectionPool } from '../../persistence/connection-pool.js';
import { Metrics } from './metrics.js';

/** The provider of metrics; none without METRICS_PORT and METRICS_TOKEN, so that prom-client is not even loaded. */
export function metricsProviders(environment: Environment): Provider[] {
  return hasMetrics(environment) ? [METRICS] : [];
}

/** The metrics of an application; undefined if they are not enabled. */
export function metricsOf(application: INestApplication): Metrics | undefined {
  return hasMetrics(application.get(Environment)) ? application.get(Metrics) : undefined;
}

/** Whether metrics are enabled. */
export function hasMetrics({ metricsPort, metricsToken }: Environment): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}

const METRICS: FactoryProvider<Metrics> = {
  provide: Metrics,
  inject: [ConnectionPool],
  async useFactory(pool: ConnectionPool) {
    return new (await import('./prometheus-metrics.js')).PrometheusMetrics(pool);
  },
};
