import type { INestApplication } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { MetricsServer } from '../http/metrics/metrics-server.js';
import { CannotListen } from './cannot-listen.js';

/**
 * Opens the port of the metrics, where they have one of their own.
 *
 * @throws CannotListen when the configured address is not to be had
 */
export async function listenForMetrics(application: INestApplication): Promise<void> {
  const { metricsPort, metricsHost } = application.get(Environment);
  if (metricsPort === undefined) return;
  try {
    await application.get(MetricsServer).listen();
  } catch (error) {
    throw CannotListen.because(error, metricsHost, metricsPort, 'METRICS_');
  }
}
