import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { errorEnvelope } from '../errors/error-envelope.js';
import { jsonHead } from '../json-head.js';
import { ServiceLogger } from '../logging/service-logger.js';
import { Metrics } from './metrics.js';
import { isSameSecret } from './same-secret.js';

/** The path of the metrics, on whichever port. */
export const METRICS_PATH = '/metrics';

/** Answers a scraper, where it may know. */
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

  /** Answers with the metrics, or in the envelope with 401 to whom does not present the token. */
  async answer(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const reason = this.refusalOf(request.headers.authorization);
    if (reason !== undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      refuse(response, 401, requestId, reason);
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
      refuse(response, 500, requestId);
    }
  }

  private refusalOf(authorization: string | undefined): string | undefined {
    if (this.token === undefined) return undefined;
    if (authorization === undefined) return 'missing_credential';
    const presented = /^bearer (.+)$/i.exec(authorization)?.[1];
    return presented !== undefined && isSameSecret(presented, this.token) ? undefined : 'invalid_credential';
  }
}

/** Answers in the envelope. */
export function refuse(response: ServerResponse, status: number, requestId: string, reason?: string): void {
  const text = JSON.stringify(errorEnvelope(status, requestId, reason === undefined ? undefined : { reason }));
  response.writeHead(status, jsonHead(requestId, Buffer.byteLength(text)));
  response.end(text);
}
