import type { GatewayMetrics } from './gateway-metrics.js';

/**
 * Counts and times requests for Prometheus. Only provided with METRICS_PORT or METRICS_TOKEN, so it is an optional
 * dependency.
 */
export abstract class Metrics {
  /** The content type of {@link text}. */
  abstract readonly contentType: string;

  /** The metrics of requests of inference. */
  abstract readonly gateway: GatewayMetrics;

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

  /** The current metrics in Prometheus's text format. */
  abstract text(): Promise<string>;
}
