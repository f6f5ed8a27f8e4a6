import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { tagOfAnswer } from '../entity-tags.js';
import { DomainError } from '../errors/domain-error.js';
import { type ErrorEnvelope, errorEnvelope } from '../errors/error-envelope.js';
import type { GatehouseRequest } from '../request.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { IdempotentRequests, type RepeatableAnswer } from './idempotent-requests.js';

/** The header of an answer that was given before. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

/**
 * Answers of operations of management: with the entity tag of what they show (docs/interface/conventions.md#conditional-requests), and once
 * for each Idempotency-Key. Not a global interceptor, which would cost every request of inference (docs/adr/0002-validation.md).
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(private readonly requests: IdempotentRequests) {}

  /** @throws BadRequestError for a header that is no key */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const key = keyOf(request);
    if (key !== undefined) return from(this.once(request, response, readIdempotencyKey(key), next));
    return next.handle().pipe(
      map((answer: unknown) => {
        setEntityTag(response, tagOfAnswer(answer));
        return answer;
      }),
    );
  }

  private async once(request: GatehouseRequest, response: Response, key: string, next: CallHandler): Promise<unknown> {
    let failure: DomainError | undefined;
    const { answer, isReplayed } = await this.requests.once(request, key, async () => {
      failure = undefined;
      try {
        const body: unknown = await lastValueFrom(next.handle());
        return { status: response.statusCode, entityTag: tagOfAnswer(body), body };
      } catch (error) {
        if (!(error instanceof DomainError) || !error.keepsChanges) throw error;
        failure = error;
        return answerOfFailure(error, request);
      }
    });
    setEntityTag(response, answer.entityTag);
    if (isReplayed) response.setHeader(REPLAYED_HEADER, 'true');
    if (isReplayed && isFailure(answer)) throw new ReplayedFailure(answer);
    if (failure !== undefined) throw failure;
    // It may be another one in a release that has changed the status of the operation.
    response.status(answer.status);
    return answer.body;
  }
}

/** A failure that was answered before. */
class ReplayedFailure extends DomainError {
  constructor(private readonly answer: AnswerOfFailure) {
    const { reason, ...detail } = answer.body.error.metadata;
    super({ status: answer.status, reason }, detail);
  }

  override get shownMessage(): string {
    return this.answer.body.error.message;
  }

  override get besides(): Readonly<Record<string, unknown>> {
    const { error: _error, service_metadata: _service, user_id: _user, ...besides } = this.answer.body;
    return besides;
  }
}

/** The answer of a failure whose changes are kept. */
interface AnswerOfFailure extends RepeatableAnswer {
  readonly body: Partial<ErrorEnvelope> & {
    readonly error: {
      readonly message: string;
      readonly metadata: Readonly<Record<string, unknown>> & { readonly reason: string };
    };
  };
}

/** In the form that it has when it is given, for replicas of a release that gives every answer as it was kept. */
function answerOfFailure(error: DomainError, request: GatehouseRequest): RepeatableAnswer {
  const { status, metadata, shownMessage, besides } = error;
  const body = {
    ...errorEnvelope(status, request.requestId, metadata, request.callerUserId, shownMessage),
    ...besides,
  };
  return { status, entityTag: undefined, body };
}

function isFailure(answer: RepeatableAnswer): answer is AnswerOfFailure {
  return answer.status >= 400;
}

/** The header of a request that may change something for an organization; undefined without one. */
function keyOf({ method, headers, organizationId }: GatehouseRequest): string | undefined {
  if (method === 'GET' || method === 'HEAD' || organizationId === undefined) return undefined;
  // Node.js joins several headers of this name.
  return headers['idempotency-key'] as string | undefined;
}

function setEntityTag(response: Response, tag: string | undefined): void {
  if (tag !== undefined) response.setHeader('ETag', tag);
}
