/**
 * What the service counts and times for Prometheus. There is one only where METRICS_PORT or METRICS_TOKEN asks for it;
 * whoever records does so if there is.
 */
export abstract class Metrics {
  /** The content type of {@link text}. */
  abstract readonly contentType: string;

  /**
   * Records a finished request.
   *
   * @param operation the name of the route's method; undefined for what no route has answered
   */
  abstract request(operation: string | undefined, status: number, seconds: number): void;

  /** Counts an answer to bytes that could not be read as a request: there is no operation, and no time that it took. */
  abstract unreadableRequest(status: number): void;

  /** Counts a request that a rate limit refused. @param limit the reason that its caller was told */
  abstract rateLimitHit(limit: string): void;

  /** Everything as it is now, in Prometheus's text format. */
  abstract text(): Promise<string>;
}
