import { createHash, timingSafeEqual, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse, type Server } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { errorEnvelope } from '../errors/error-envelope.js';
import { jsonHead } from '../json-head.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Metrics } from '../../telemetry/metrics/metrics.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ClientConnections, SLOW_CLIENT_LIMITS } from '../client-connections.js';
import { UnreadAnswers } from '../unread-answers.js';
import { answerUnreadableRequests } from '../unreadable-request.js';

/** The path of the metrics, on either port. */
export const METRICS_PATH = '/metrics';

/** Answers the requests of a Prometheus scraper (docs/operations/metrics.md). */
@Injectable()
export class MetricsEndpoint {
  private readonly token: string | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly logger: ServiceLogger,
    environment: Environment,
  ) {
    this.token = environment.metricsToken;
  }

  /** Responds with the metrics, or with 401 if METRICS_TOKEN is set and the request does not have it. */
  async answer(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const reason = this.refusalOf(request.headers.authorization);
    if (reason !== undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      sendError(response, 401, requestId, reason);
      return;
    }
    try {
      const text = await this.metrics.text();
      response.writeHead(200, {
        'Content-Type': this.metrics.contentType,
        'X-Request-Id': requestId,
        'Cache-Control': 'no-store',
      });
      response.end(text);
    } catch (error) {
      this.logger.failure(requestId, error);
      sendError(response, 500, requestId);
    }
  }

  private refusalOf(authorization: string | undefined): string | undefined {
    if (this.token === undefined) return undefined;
    if (authorization === undefined) return 'missing_credential';
    const presented = /^bearer +([^ ].*)$/i.exec(authorization)?.[1];
    return presented !== undefined && isSameSecret(presented, this.token) ? undefined : 'invalid_credential';
  }
}

function sendError(response: ServerResponse, status: number, requestId: string, reason?: string): void {
  const text = JSON.stringify(errorEnvelope(status, requestId, reason === undefined ? undefined : { reason }));
  response.writeHead(status, jsonHead(requestId, Buffer.byteLength(text)));
  response.end(text);
}

/** Compares in constant time; compares digests because the lengths may differ. */
function isSameSecret(presented: string, secret: string): boolean {
  return timingSafeEqual(digestOf(presented), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The maximum number of connections. A scraper needs one. */
const MAXIMUM_CONNECTIONS = 100;

/** Serves the metrics on a separate port for scrapers (METRICS_PORT, METRICS_HOST). */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private readonly server: Server;

  constructor(
    private readonly endpoint: MetricsEndpoint,
    private readonly environment: Environment,
    logger: ServiceLogger,
  ) {
    this.server = http.createServer(SLOW_CLIENT_LIMITS, (request, response) => void this.answer(request, response));
    new UnreadAnswers(this.server, { other: environment.unreadAnswerTimeoutMs });
    answerUnreadableRequests(this.server, new ClientConnections(this.server, MAXIMUM_CONNECTIONS), logger);
  }

  /** @returns the port */
  async listen(): Promise<number> {
    this.server.listen(this.environment.metricsPort, this.environment.metricsHost);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  onApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID();
    const [path] = request.url!.split('?');
    if (path !== METRICS_PATH || !['GET', 'HEAD'].includes(request.method!)) {
      sendError(response, 404, requestId, 'route_not_found');
      return;
    }
    await this.endpoint.answer(request, response, requestId);
  }
}
