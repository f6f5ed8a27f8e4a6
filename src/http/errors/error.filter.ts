import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { constraintErrorOf } from '../../database/constraint-errors.js';
import { unavailabilityOf } from '../../database/unavailability.js';
import { answersUnavailable } from '../openapi/answers.decorator.js';
import { ServiceLogger } from '../logging/service-logger.js';
import { Metrics } from '../metrics/metrics.js';
import type { GatehouseRequest } from '../request.js';
import {
  BadRequestError,
  DomainError,
  NotFoundError,
  RateLimitExceededError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
} from './domain-error.js';
import { ClientGoneError } from './client-gone-error.js';
import { errorEnvelope } from './error-envelope.js';

/** Turns whatever was thrown on the way of a request into the envelope of SERVICE.md, section 7. The only such place. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof ClientGoneError) return;
    const request = host.switchToHttp().getRequest<GatehouseRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = knownErrorOf(thrown, request);
    // The answer says nothing of these causes; the log line with the same request id does.
    if (error === undefined || error instanceof ServiceUnavailableError) this.logger.failure(request.requestId, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof RateLimitExceededError) this.metrics?.rateLimitHit(error.reason);
    if (error instanceof RateLimitExceededError || error instanceof ServiceUnavailableError) {
      response.setHeader('Retry-After', String(error.retryAfterSeconds));
    }
    // What would be taken instead (RFC 9110, section 15.5.16).
    if (error instanceof UnsupportedMediaTypeError) response.setHeader('Accept-Encoding', 'identity');
    if (error instanceof UnauthorizedError) response.setHeader('WWW-Authenticate', 'Bearer');
    const status = error?.status ?? 500;
    const envelope = errorEnvelope(status, request.requestId, metadataOf(error), request.callerUserId);
    this.adapterHost.httpAdapter.reply(response, envelope, status);
  }
}

function knownErrorOf(thrown: unknown, { handler }: GatehouseRequest): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  // What Nest throws for a path or method that no controller has.
  if (thrown instanceof HttpException && thrown.getStatus() === 404) return new NotFoundError('route_not_found');
  return constraintErrorOf(thrown) ?? (answersUnavailable(handler) ? unavailabilityOf(thrown) : undefined);
}

function metadataOf(error: DomainError | undefined): Record<string, unknown> | undefined {
  if (error === undefined) return undefined;
  const issues = error instanceof BadRequestError ? { issues: error.issues } : {};
  return { reason: error.reason, ...issues, ...error.detail };
}
