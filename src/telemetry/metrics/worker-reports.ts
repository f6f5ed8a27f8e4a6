/** The metrics of one process, as prom-client's `getMetricsAsJSON` has them. */
export type MetricsReport = readonly ReportedMetric[];

/** One metric of a report. */
export interface ReportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How the values of several processes become one: `sum`, `max`, `first` and so on. */
  readonly aggregator: string;
  readonly values: readonly ReportedValue[];
}

interface ReportedValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of a histogram: the name with its suffix. */
  readonly metricName?: string;
}

/**
 * What the processes of a service tell each other about metrics. The one that has started the others asks each to `report`; one that is
 * scraped says that the sums are `wanted`.
 */
export type MetricsMessage =
  | { readonly gatehouseMetrics: 'report'; readonly id: number }
  | { readonly gatehouseMetrics: 'reported'; readonly id: number; readonly report: MetricsReport }
  | { readonly gatehouseMetrics: 'wanted'; readonly id: number }
  | { readonly gatehouseMetrics: 'summed'; readonly id: number; readonly text: string };

/** Other messages come the same way. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'gatehouseMetrics' in message;
}
