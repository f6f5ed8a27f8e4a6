import type { Worker } from 'node:cluster';
import { type Aggregator, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionPool } from '../../persistence/connection-pool.js';
import { VERSION } from '../../config/version.js';
import { Metrics } from './metrics.js';
import { MetricsOfWorkers } from './metrics-of-workers.js';
import { PrometheusConfigurationMetrics } from './prometheus-configuration-metrics.js';
import { PrometheusDeliveryMetrics } from './prometheus-delivery-metrics.js';
import { PrometheusGatewayMetrics } from './prometheus-gateway-metrics.js';
import { PrometheusInspectorMetrics } from './prometheus-inspector-metrics.js';
import { PrometheusMcpMetrics } from './prometheus-mcp-metrics.js';

/** Upper bounds in seconds: a read takes one or two milliseconds, and no statement more than ten seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of requests that match no route, so that callers cannot create series. */
const NO_OPERATION = 'other';

/**
 * What the default metrics of several workers become, where it is no sum and not as prom-client has it: the worst event loop, and the newest
 * start, so that GatehouseRestarting also sees workers that others have taken the place of.
 */
const AGGREGATORS: readonly [name: RegExp, aggregator: Aggregator][] = [
  [/^nodejs_eventloop_lag_(?!min)/, 'max'],
  [/^process_start_time_seconds$/, 'max'],
];

type Series = Histogram.Internal<'operation' | 'status'>;

/** Metrics in a registry of prom-client. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();
  readonly gateway = new PrometheusGatewayMetrics(this.registry);
  readonly deliveries = new PrometheusDeliveryMetrics(this.registry);
  readonly inspectors = new PrometheusInspectorMetrics(this.registry);
  readonly mcp = new PrometheusMcpMetrics(this.registry);
  readonly configuration = new PrometheusConfigurationMetrics(this.registry);
  private readonly durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly unreadableRequests = new Counter({
    name: 'gatehouse_http_unreadable_requests_total',
    help: 'Answers to what could not be read as an HTTP request, by status.',
    labelNames: ['status'],
    registers: [this.registry],
  });
  private readonly rateLimitHits = new Counter({
    name: 'gatehouse_rate_limit_hits_total',
    help: 'Requests that a rate limit refused, by limit.',
    labelNames: ['limit'],
    registers: [this.registry],
  });
  private readonly unhandledConnectionErrors = new Counter({
    name: 'gatehouse_unhandled_connection_errors_total',
    help: 'Errors of connections that nothing has listened for, which the process has survived.',
    registers: [this.registry],
  });
  /** Caches the series of each operation and status, which saves each request a look-up of labels. */
  private readonly series = new Map<string, Map<number, Series>>();

  private readonly ofWorkers: MetricsOfWorkers | undefined;

  /** @param worker this process, if it is one of several workers: then the metrics are those of all */
  constructor(pool: ConnectionPool, worker?: Worker) {
    super();
    this.ofWorkers = worker && new MetricsOfWorkers(this.registry, worker);
    collectDefaultMetrics({ register: this.registry });
    for (const metric of this.registry.getMetricsAsArray()) {
      const [, aggregator] = AGGREGATORS.find(([name]) => name.test(metric.name)) ?? [];
      if (aggregator !== undefined) Object.assign(metric, { aggregator });
    }
    // An alert reads its increase, which the first one of a new series is not.
    this.durations.zero({ operation: 'ready', status: '503' });
    new Gauge({
      name: 'gatehouse_build_info',
      help: 'Always 1: the version of this release, and that of Node.js, are its labels.',
      labelNames: ['version', 'node_version'],
      aggregator: 'first',
      registers: [this.registry],
    }).set({ version: VERSION, node_version: process.versions.node }, 1);
    this.gauge('gatehouse_workers', 'Processes that answer on the port.', () => 1);
    this.gauge('gatehouse_database_pool_connections', 'Connections to PostgreSQL that are open.', () => pool.open);
    this.gauge('gatehouse_database_pool_idle_connections', 'Open connections that no statement uses.', () => pool.idle);
    this.gauge('gatehouse_database_pool_max_connections', 'How many may be open.', () => pool.maximum);
    this.gauge('gatehouse_database_pool_waiting', 'Statements that wait for a connection.', () => pool.waiting);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  request(operation = NO_OPERATION, status: number, seconds: number): void {
    this.seriesOf(operation, status).observe(seconds);
  }

  unreadableRequest(status: number): void {
    this.unreadableRequests.inc({ status });
  }

  rateLimitHit(limit: string): void {
    this.rateLimitHits.inc({ limit });
  }

  unhandledConnectionError(): void {
    this.unhandledConnectionErrors.inc();
  }

  text(): Promise<string> {
    return this.ofWorkers?.text() ?? this.registry.metrics();
  }

  private seriesOf(operation: string, status: number): Series {
    let ofOperation = this.series.get(operation);
    if (ofOperation === undefined) {
      ofOperation = new Map();
      this.series.set(operation, ofOperation);
    }
    let series = ofOperation.get(status);
    if (series === undefined) {
      series = this.durations.labels(operation, String(status));
      ofOperation.set(status, series);
    }
    return series;
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }
}
