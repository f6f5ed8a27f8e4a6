import type { INestApplication, Provider } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../../config/environment.js';
import { StatementTracer } from '../../persistence/statements.js';
import type { ServiceLogger } from '../logging/service-logger.js';
import { type TracedRequest, Tracing } from './tracing.js';

/** The providers of tracing; none without OTEL_EXPORTER_OTLP_ENDPOINT, so that OpenTelemetry is not even loaded. */
export function tracingProviders(environment: Environment, logger: ServiceLogger): Provider[] {
  if (environment.otlpEndpoint === undefined) return [];
  const useFactory = async (): Promise<Tracing> => {
    const { openTracing } = await import('./otlp-tracing.js');
    return openTracing(environment, logger);
  };
  return [
    { provide: Tracing, useFactory },
    { provide: StatementTracer, useExisting: Tracing },
  ];
}

/** Traces the requests for operations, if tracing is enabled. */
export function traceRequests(application: INestApplication): void {
  const { otlpEndpoint, apiBasePath } = application.get(Environment);
  if (otlpEndpoint === undefined) return;
  const tracing = application.get(Tracing);
  application.use(apiBasePath, (request: Request, response: Response, next: NextFunction) => {
    tracing.request(request as TracedRequest, response, next);
  });
}
