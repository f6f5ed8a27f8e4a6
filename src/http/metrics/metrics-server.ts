import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Connections } from '../connections.js';
import { ServiceLogger } from '../logging/service-logger.js';
import { SLOW_CLIENT_LIMITS } from '../slow-clients.js';
import { answerUnreadableRequests } from '../unreadable-request.js';
import { METRICS_PATH, MetricsEndpoint, refuse } from './metrics-endpoint.js';

/** How many connections there may be: a scraper needs one. */
const MAXIMUM_CONNECTIONS = 100;

/** The metrics on a port of their own, which is for the scraper alone (METRICS_PORT, METRICS_HOST). */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private readonly server: Server;

  constructor(
    private readonly endpoint: MetricsEndpoint,
    private readonly environment: Environment,
    logger: ServiceLogger,
  ) {
    this.server = http.createServer(SLOW_CLIENT_LIMITS, (request, response) => void this.answer(request, response));
    answerUnreadableRequests(this.server, new Connections(this.server, MAXIMUM_CONNECTIONS), logger);
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
      refuse(response, 404, requestId, 'route_not_found');
      return;
    }
    await this.endpoint.answer(request, response, requestId);
  }
}
