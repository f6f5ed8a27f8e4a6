import { Gauge, Histogram, type Registry } from 'prom-client';
import type { InspectorMetrics } from './metrics.js';

/** Upper bounds in seconds: classifiers answer within tens of milliseconds, models that judge within seconds. */
const DURATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of inspectors in a registry of prom-client. */
export class PrometheusInspectorMetrics implements InspectorMetrics {
  private readonly durations = new Histogram({
    name: 'gatehouse_inspection_seconds',
    help: 'Time in which inspectors judged texts, by protocol and outcome.',
    labelNames: ['protocol', 'outcome'],
    registers: [this.registry],
    buckets: DURATION_BUCKETS,
  });
  private readonly open = new Gauge({
    name: 'gatehouse_inspector_breakers_open',
    help: 'Inspectors that are not asked, because they have failed several times in a row, by protocol.',
    labelNames: ['protocol'],
    registers: [this.registry],
  });

  constructor(private readonly registry: Registry) {}

  request(protocol: string, outcome: string, seconds: number): void {
    this.durations.observe({ protocol, outcome }, seconds);
  }

  breaker(protocol: string, change: 1 | -1): void {
    this.open.inc({ protocol }, change);
  }
}
