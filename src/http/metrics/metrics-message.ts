import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Metrics in the form in which they travel between processes. */
export type MetricsReport = MetricObjectWithValues<MetricValue<string>>[];

/**
 * What workers and the process that started them tell each other about metrics. A worker that is scraped wants the metrics
 * of all; every worker reports its own; the worker that asked is given the text.
 */
export type MetricsMessage =
  | { readonly gatehouseMetrics: 'wanted'; readonly id: number }
  | { readonly gatehouseMetrics: 'report'; readonly id: number }
  | { readonly gatehouseMetrics: 'reported'; readonly id: number; readonly report: MetricsReport }
  | { readonly gatehouseMetrics: 'gathered'; readonly id: number; readonly text: string };

/** Other messages travel the same way. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'gatehouseMetrics' in message;
}
