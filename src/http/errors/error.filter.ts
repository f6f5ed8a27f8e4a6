import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { type ErrorWriter, operationOf } from '../openapi/operation.decorator.js';
import { PreconditionFailed } from '../precondition.errors.js';
import { Dialect } from '../dialect/dialect.js';
import { ConstraintErrors } from './constraint-errors.js';
import { unavailabilityOf } from './unavailability.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Metrics } from '../../telemetry/metrics/metrics.js';
import { BrokenAnswers } from '../broken-answers.js';
import type { GatehouseRequest } from '../request.js';
import { DomainError } from './domain-error.js';
import { MediaAnswer } from '../media-answer.js';
import { RouteNotFound, UnsupportedContentEncoding } from './request.errors.js';
import { ClientGoneError } from '../client-signal.js';
import { type ErrorEnvelope, errorEnvelope } from './error-envelope.js';
import { inferenceMetadata } from './error-type.js';

/** Turns every error of a request into the error envelope (docs/interface/errors.md#envelope). */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly logger: ServiceLogger,
    private readonly constraintErrors: ConstraintErrors,
    private readonly brokenAnswers: BrokenAnswers,
    private readonly dialect: Dialect,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof ClientGoneError) return;
    const request = host.switchToHttp().getRequest<GatehouseRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = this.knownErrorOf(thrown, request);
    const status = error?.status ?? 500;
    // The answer says nothing of these causes; the log line with the same request id does.
    if (error === undefined || status === 503) this.logger.failure(request.requestId, thrown, error?.logged);
    if (response.headersSent) {
      this.brokenAnswers.end(response);
      return;
    }
    if (error !== undefined && status === 429) this.metrics?.rateLimitHit(error.reason);
    if (error?.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
    if (error instanceof PreconditionFailed && error.entityTag !== undefined) {
      response.setHeader('ETag', error.entityTag);
    }
    // What would be taken instead (RFC 9110, section 15.5.16).
    if (error instanceof UnsupportedContentEncoding) response.setHeader('Accept-Encoding', 'identity');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (status === 401 && errorWriterOf(request)?.repeats401 === true) response.setHeader('X-Should-Retry', 'false');
    const envelope = errorEnvelope(
      status,
      request.requestId,
      metadataOf(error, request),
      request.callerUserId,
      this.messageOf(error, request),
    );
    const further = status === 500 ? {} : request.envelopeFields;
    const body = { ...envelope, error: { ...envelope.error, ...error?.furtherFields }, ...error?.besides, ...further };
    const form = inFormOf(request, response, body);
    const contentType = errorWriterOf(request)?.contentType;
    const answer = contentType === undefined ? form : new MediaAnswer(status, contentType, form);
    this.adapterHost.httpAdapter.reply(response, answer, status);
  }

  private knownErrorOf(thrown: unknown, { handler }: GatehouseRequest): DomainError | undefined {
    if (thrown instanceof DomainError) return thrown;
    // What Nest throws for a path or method that no controller has.
    if (thrown instanceof HttpException && thrown.getStatus() === 404) return new RouteNotFound();
    const error = this.constraintErrors.errorOf(thrown);
    return error ?? (documentsUnavailability(handler) ? unavailabilityOf(thrown) : undefined);
  }

  /** The message of an error that has one of its own; undefined for that of its status. */
  private messageOf(error: DomainError | undefined, request: GatehouseRequest): string | undefined {
    const isExplained =
      isOfInference(request) ||
      errorWriterOf(request)?.explains === true ||
      (this.dialect.isPublic && error?.status === 400);
    return (isExplained ? error?.explanation : undefined) ?? error?.shownMessage;
  }
}

/** `error.metadata`; undefined for an error whose cause is not told. */
function metadataOf(error: DomainError | undefined, request: GatehouseRequest): Record<string, unknown> | undefined {
  return error !== undefined && isOfInference(request)
    ? inferenceMetadata(error.status, error.metadata)
    : error?.metadata;
}

function isOfInference({ handler }: GatehouseRequest): boolean {
  return handler !== undefined && operationOf(handler)?.isInference === true;
}

/** The body of a failure as the operation has it. */
function inFormOf(request: GatehouseRequest, response: Response, envelope: ErrorEnvelope): object {
  const writer = errorWriterOf(request);
  const generationId = response.getHeader('X-Generation-Id');
  return writer?.write(envelope, typeof generationId === 'string' ? generationId : null) ?? envelope;
}

/** What writes failures of an operation that clients of another interface call. */
function errorWriterOf({ handler }: GatehouseRequest): ErrorWriter | undefined {
  return handler === undefined ? undefined : operationOf(handler)?.errorWriter;
}

/** Operations whose contract has no 503 answer 500 while the database cannot be used. */
function documentsUnavailability(handler: object | undefined): boolean {
  return handler === undefined || operationOf(handler)?.unavailableStatus === undefined;
}
