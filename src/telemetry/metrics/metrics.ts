import type { CallOutcome } from '../provider-call.js';

/** Times what one provider does for one model. Durations are in seconds. */
export interface EndpointMetrics {
  /** From the call of the provider to the first token of its stream. */
  firstToken(seconds: number): void;
  /** How long a stream waited for its next chunk, once it had begun. */
  gap(seconds: number): void;
  /** From the call of the provider to the end of its answer, or of the call. */
  upstream(outcome: CallOutcome, seconds: number): void;
  /** What the gateway itself took for a request that this provider answered. */
  own(seconds: number): void;
}

/** What the cache of answers did for a request that asked for it; `failed` where its store did not answer. */
export type CacheResult = 'hit' | 'miss' | 'bypass' | 'failed';

/** Counts and times what the gateway does with requests of inference (docs/operations/metrics.md#metrics). */
export interface GatewayMetrics {
  /** The metrics of a provider of the catalog and one of its models. */
  ofEndpoint(provider: string, model: string): EndpointMetrics;
  /** Counts a request that was refused. @param reason one of docs/interface/errors.md, or a word for what is no refusal */
  refusal(reason: string): void;
  /** Counts one of them that got no record (docs/limits.md#records-of-refusals). */
  unrecordedRefusal(): void;
  /** Counts what a rule that only observes would have done (docs/interface/guardrails.md#observing). @param kind of rule */
  observed(kind: string, outcome: string): void;
  /** Counts a request that cost more than was reserved for it (docs/budgets.md#the-worst-case). */
  overrun(): void;
  /** Counts a request for which a provider has counted more tokens than there can be (docs/budgets.md#impossible-usage). */
  impossibleUsage(): void;
  /** Counts a request that asked for the cache of answers (docs/response-cache.md). */
  cacheRequest(result: CacheResult): void;
  /** Adds to the streams that are open. @param change 1 or -1 */
  streams(change: number): void;
}

/** Why a generation that waits for a destination is given up (docs/operations/metrics.md#deliveries). */
export const DROP_REASONS = ['full', 'age', 'refused', 'not_wanted', 'unreadable'] as const;

export type DropReason = (typeof DROP_REASONS)[number];

/** Counts and times deliveries to observability destinations, by the types of destinations. */
export interface DeliveryMetrics {
  /** Has the counters of types of destinations begin at 0, so that the first event of each is seen as an increase. */
  begin(types: readonly string[]): void;
  /** Counts a generation that a destination is to get. */
  enqueued(type: string): void;
  /** Counts generations that a receiver has taken. */
  delivered(type: string, generations: number): void;
  /** Counts generations that no one gets any more. */
  dropped(type: string, reason: DropReason, generations: number): void;
  /** Counts spans that a receiver says it did not keep of what it has taken. */
  rejectedSpans(type: string, spans: number): void;
  /** Times a delivery. @param outcome that of its verdict */
  request(type: string, outcome: string, seconds: number): void;
  /** What waits in the whole deployment. @param oldestSeconds the age of the oldest generation that waits */
  waiting(generations: number, oldestSeconds: number): void;
  /** How many destinations of the deployment are in a state. */
  destinations(state: string, count: number): void;
}

/** Counts and times what inspectors of organizations do, by their protocols (docs/operations/metrics.md#inspectors). */
export interface InspectorMetrics {
  /** Times a judgement. @param outcome that of it, or `not_asked` while the breaker is open */
  request(protocol: string, outcome: string, seconds: number): void;
  /** Adds to the breakers that are open. */
  breaker(protocol: string, change: 1 | -1): void;
}

/** What has come of a request to an MCP server. */
export type McpOutcome = 'answered' | 'tool_failed' | 'failed' | 'refused' | 'cancelled';

/** Counts and times what clients ask of MCP servers (docs/operations/metrics.md#what-is-measured). */
export interface McpMetrics {
  /** Times a request that gets a record. @param method of the protocol */
  request(method: string, outcome: McpOutcome, seconds: number): void;
}

/** What has come of a round over the files of CONFIG_DIR (docs/operations/metrics.md#configuration). */
export const RECONCILIATION_OUTCOMES = ['applied', 'unchanged', 'refused', 'busy', 'failed'] as const;

export type ReconciliationOutcome = (typeof RECONCILIATION_OUTCOMES)[number];

/** Measures how far what there is is from the files that configure it. */
export interface ConfigurationMetrics {
  /** How many objects of the deployment were changed by other means than their files. */
  drifted(objects: number): void;
  /** Counts a round over the files of CONFIG_DIR. */
  reconciliation(outcome: ReconciliationOutcome): void;
  /** When what there is was last that of these files. @param seconds since 1970; 0 for never */
  reconciledAt(seconds: number): void;
}

/**
 * Counts and times requests for Prometheus. Only provided with METRICS_PORT or METRICS_TOKEN, so it is an optional
 * dependency.
 */
export abstract class Metrics {
  /** The content type of {@link text}. */
  abstract readonly contentType: string;

  abstract readonly gateway: GatewayMetrics;

  abstract readonly deliveries: DeliveryMetrics;

  abstract readonly inspectors: InspectorMetrics;

  abstract readonly mcp: McpMetrics;

  abstract readonly configuration: ConfigurationMetrics;

  /**
   * Records a finished request.
   *
   * @param operation the name of the controller method; undefined when no route matched
   */
  abstract request(operation: string | undefined, status: number, seconds: number): void;

  /** Counts a response to bytes that could not be parsed as a request, which have neither an operation nor a duration. */
  abstract unreadableRequest(status: number): void;

  /** Counts a request that a rate limit refused. @param limit the `reason` of its error */
  abstract rateLimitHit(limit: string): void;

  /** Counts an error of a connection that nothing has listened for. */
  abstract unhandledConnectionError(): void;

  /** The current metrics in Prometheus's text format. */
  abstract text(): Promise<string>;
}
