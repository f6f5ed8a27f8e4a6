import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CallOutcome } from '../provider-call.js';
import type { CacheResult, EndpointMetrics, GatewayMetrics } from './metrics.js';

/** Upper bounds in seconds: a cached answer begins within milliseconds, one that is thought about after minutes. */
const FIRST_TOKEN_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const GAP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

const UPSTREAM_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const OWN_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The number of pairs of provider and model that get series of their own. Callers cannot make any, but catalogs can be large,
 * and what has left one keeps its series until the process ends.
 */
const MAXIMUM_ENDPOINTS = 1_000;

/** The labels of the pairs beyond that number. */
const OTHERS = 'other';

/** Gateway metrics in a registry of prom-client. */
export class PrometheusGatewayMetrics implements GatewayMetrics {
  private readonly firstTokens = this.histogramOfEndpoints({
    name: 'gatehouse_inference_first_token_seconds',
    help: 'Time from the call of a provider to the first token of its stream.',
    buckets: FIRST_TOKEN_BUCKETS,
  });
  private readonly gaps = this.histogramOfEndpoints({
    name: 'gatehouse_inference_gap_seconds',
    help: 'How long streams waited for their next chunk, once they had begun.',
    buckets: GAP_BUCKETS,
  });
  private readonly upstreams = new Histogram({
    name: 'gatehouse_inference_upstream_seconds',
    help: 'Time from the call of a provider to the end of its answer, by outcome.',
    labelNames: ['provider', 'model', 'outcome'],
    registers: [this.registry],
    buckets: UPSTREAM_BUCKETS,
  });
  private readonly owns = this.histogramOfEndpoints({
    name: 'gatehouse_inference_own_seconds',
    help: 'What the gateway itself took for a request: before the first call of a provider, and after the last.',
    buckets: OWN_BUCKETS,
  });
  private readonly refusals = new Counter({
    name: 'gatehouse_inference_refusals_total',
    help: 'Requests of inference that ended without an answer, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  private readonly unrecorded = new Counter({
    name: 'gatehouse_inference_unrecorded_refusals_total',
    help: 'Requests of inference that were refused and got no record, because there were too many of them.',
    registers: [this.registry],
  });
  private readonly observations = new Counter({
    name: 'gatehouse_inference_observed_total',
    help: 'What rules that only observe would have done, by kind of rule and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  private readonly overruns = new Counter({
    name: 'gatehouse_inference_overruns_total',
    help: 'Requests of inference that cost more than was reserved for them.',
    registers: [this.registry],
  });
  private readonly impossible = new Counter({
    name: 'gatehouse_inference_impossible_usage_total',
    help: 'Requests of inference for which a provider has counted more tokens than there can be.',
    registers: [this.registry],
  });
  private readonly cacheRequests = new Counter({
    name: 'gatehouse_inference_response_cache_requests_total',
    help: 'Requests of inference that asked for the cache of answers, by what it did.',
    labelNames: ['result'],
    registers: [this.registry],
  });
  private readonly open = new Gauge({
    name: 'gatehouse_inference_active_streams',
    help: 'Streamed answers that are open.',
    registers: [this.registry],
  });
  /** Caches the series of each pair, so that a chunk looks nothing up. */
  private readonly endpoints = new Map<string, EndpointMetrics>();

  constructor(private readonly registry: Registry) {}

  ofEndpoint(provider: string, model: string): EndpointMetrics {
    const name = `${provider} ${model}`;
    const known = this.endpoints.get(name);
    if (known !== undefined) return known;
    if (this.endpoints.size >= MAXIMUM_ENDPOINTS && name !== `${OTHERS} ${OTHERS}`) {
      return this.ofEndpoint(OTHERS, OTHERS);
    }
    const made = this.seriesOf(provider, model);
    this.endpoints.set(name, made);
    return made;
  }

  refusal(reason: string): void {
    this.refusals.inc({ reason });
  }

  unrecordedRefusal(): void {
    this.unrecorded.inc();
  }

  observed(kind: string, outcome: string): void {
    this.observations.inc({ kind, outcome });
  }

  overrun(): void {
    this.overruns.inc();
  }

  impossibleUsage(): void {
    this.impossible.inc();
  }

  cacheRequest(result: CacheResult): void {
    this.cacheRequests.inc({ result });
  }

  streams(change: number): void {
    this.open.inc(change);
  }

  private histogramOfEndpoints(options: {
    name: string;
    help: string;
    buckets: number[];
  }): Histogram<'provider' | 'model'> {
    return new Histogram({ ...options, labelNames: ['provider', 'model'], registers: [this.registry] });
  }

  private seriesOf(provider: string, model: string): EndpointMetrics {
    const firstTokens = this.firstTokens.labels(provider, model);
    const gaps = this.gaps.labels(provider, model);
    const owns = this.owns.labels(provider, model);
    return {
      firstToken: (seconds) => firstTokens.observe(seconds),
      gap: (seconds) => gaps.observe(seconds),
      upstream: (outcome: CallOutcome, seconds) => this.upstreams.labels(provider, model, outcome).observe(seconds),
      own: (seconds) => owns.observe(seconds),
    };
  }
}
