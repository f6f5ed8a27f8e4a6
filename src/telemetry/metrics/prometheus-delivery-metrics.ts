import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type DeliveryMetrics, DROP_REASONS, type DropReason } from './metrics.js';

/** Upper bounds in seconds: a receiver answers within milliseconds, or not before its time limit. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Each worker measures the same in the whole deployment. */
const OF_DEPLOYMENT = 'max';

/** Metrics of deliveries in a registry of prom-client. */
export class PrometheusDeliveryMetrics implements DeliveryMetrics {
  private readonly enqueuedCount = new Counter({
    name: 'gatehouse_deliveries_enqueued_total',
    help: 'Generations that were written to the outbox, once for each destination, by its type.',
    labelNames: ['type'],
    registers: [this.registry],
  });
  private readonly deliveredCount = new Counter({
    name: 'gatehouse_deliveries_delivered_total',
    help: 'Generations that receivers have taken, by type of destination.',
    labelNames: ['type'],
    registers: [this.registry],
  });
  private readonly droppedCount = new Counter({
    name: 'gatehouse_deliveries_dropped_total',
    help: 'Generations that were not delivered, by type of destination and reason.',
    labelNames: ['type', 'reason'],
    registers: [this.registry],
  });
  private readonly rejectedSpanCount = new Counter({
    name: 'gatehouse_deliveries_rejected_spans_total',
    help: 'Spans that receivers say they did not keep of what they have taken, by type of destination.',
    labelNames: ['type'],
    registers: [this.registry],
  });
  private readonly requests = new Histogram({
    name: 'gatehouse_delivery_seconds',
    help: 'Time of the requests to receivers, by type of destination and outcome.',
    labelNames: ['type', 'outcome'],
    registers: [this.registry],
    buckets: REQUEST_BUCKETS,
  });
  private readonly waitingCount = new Gauge({
    name: 'gatehouse_deliveries_waiting',
    help: 'Generations that wait for destinations in the whole deployment, once for each destination.',
    aggregator: OF_DEPLOYMENT,
    registers: [this.registry],
  });
  private readonly oldest = new Gauge({
    name: 'gatehouse_deliveries_oldest_seconds',
    help: 'Age of the oldest generation that waits for a destination in the whole deployment.',
    aggregator: OF_DEPLOYMENT,
    registers: [this.registry],
  });
  private readonly states = new Gauge({
    name: 'gatehouse_destinations',
    help: 'Destinations of the whole deployment, by the state of their deliveries.',
    labelNames: ['state'],
    aggregator: OF_DEPLOYMENT,
    registers: [this.registry],
  });

  constructor(private readonly registry: Registry) {}

  begin(types: readonly string[]): void {
    for (const type of types) {
      this.enqueuedCount.inc({ type }, 0);
      this.deliveredCount.inc({ type }, 0);
      this.rejectedSpanCount.inc({ type }, 0);
      for (const reason of DROP_REASONS) this.droppedCount.inc({ type, reason }, 0);
    }
  }

  enqueued(type: string): void {
    this.enqueuedCount.inc({ type });
  }

  delivered(type: string, generations: number): void {
    this.deliveredCount.inc({ type }, generations);
  }

  dropped(type: string, reason: DropReason, generations: number): void {
    this.droppedCount.inc({ type, reason }, generations);
  }

  rejectedSpans(type: string, spans: number): void {
    this.rejectedSpanCount.inc({ type }, spans);
  }

  request(type: string, outcome: string, seconds: number): void {
    this.requests.observe({ type, outcome }, seconds);
  }

  waiting(generations: number, oldestSeconds: number): void {
    this.waitingCount.set(generations);
    this.oldest.set(oldestSeconds);
  }

  destinations(state: string, count: number): void {
    this.states.set({ state }, count);
  }
}
