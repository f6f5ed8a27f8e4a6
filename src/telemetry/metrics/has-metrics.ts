import type { Environment } from '../../config/environment.js';

/** Whether metrics are enabled: METRICS_PORT, METRICS_TOKEN, or both are set. */
export function hasMetrics({ metricsPort, metricsToken }: Environment): boolean {
  return metricsPort !== undefined || metricsToken !== undefined;
}
