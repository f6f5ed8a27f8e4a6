import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import type { GatehouseRequest } from '../../../http/request.js';
import type { OperationName } from '../../../telemetry/operations.js';
import type { AnswerUsage } from '../../codecs/client-codec.js';
import type { WholeOf } from '../../codecs/provider-operations.js';
import { type CountedResult, type FilterTexts, ResultAnswerService } from '../pipeline/answer/result-answer.service.js';
import { ProviderCalls } from '../pipeline/attempts/provider-calls.js';
import { InferencePipeline } from '../pipeline/pipeline.service.js';
import type { Candidate } from '../pipeline/request/candidate.js';
import type { Exchange } from '../pipeline/request/exchange.js';
import { InferenceRequest } from '../pipeline/request/inference-request.js';
import type { ResultOperation, RoutedBody } from '../pipeline/request/operation.js';

/** What a body says of its request for the record. */
interface RequestingBody extends RoutedBody {
  readonly model: string;
}

/** An operation whose answer is one document, made of one document of a provider. */
export interface DocumentOperation<
  Body extends RequestingBody,
  Name extends OperationName,
  Result extends CountedResult,
  Answer extends object,
> extends ResultOperation<Body, Name> {
  /** What the answer of a provider comes to. @throws ProviderError for one that cannot be used: the next candidate is asked */
  readonly resultOf: (answer: WholeOf<Name>, exchange: Exchange<Body>) => Result | Promise<Result>;
  /** The answer to the client. */
  readonly documentOf: (result: Result, exchange: Exchange<Body>, candidate: Candidate, usage: AnswerUsage) => Answer;
  /** The result without what filters take out of its texts; absent for one that has none. */
  readonly filtered?: (result: Result, filter: FilterTexts) => Promise<Result>;
  /** What a failure is for the client; absent for itself. */
  readonly failureOf?: (error: unknown) => unknown;
}

/** A request as its controller has it. */
interface Asked {
  readonly caller: ApiKeyPrincipal;
  readonly http: GatehouseRequest;
  readonly response: Response;
}

/** Answers the requests of {@link DocumentOperation}s (docs/interface/inference.md). */
@Injectable()
export class DocumentOperations {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly results: ResultAnswerService,
    private readonly calls: ProviderCalls,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @param write writes the answer in another form
   * @throws DomainError for a request that is refused
   */
  async answer<
    Body extends RequestingBody,
    Name extends OperationName,
    Result extends CountedResult,
    Answer extends object,
  >(
    operation: DocumentOperation<Body, Name, Result, Answer>,
    body: Body,
    { caller, http, response }: Asked,
    write: (answer: Answer) => object = (answer) => answer,
  ): Promise<void> {
    const request = InferenceRequest.of(operation, caller, body, http, {
      streamed: false,
      dataRegion: this.environment.dataRegion,
    });
    const answer = async (exchange: Exchange<Body>): Promise<void> => {
      try {
        await this.results.send<Body, Result>(exchange, {
          ask: (candidate, sent) => this.asked(operation, exchange, candidate, sent),
          ...(operation.filtered && { filtered: operation.filtered }),
          documentOf: (result, candidate, usage) => write(operation.documentOf(result, exchange, candidate, usage)),
        });
      } catch (error) {
        throw operation.failureOf?.(error) ?? error;
      }
    };
    await this.pipeline.run({ operation, request, body, response, answer });
  }

  private async asked<Body extends RequestingBody, Name extends OperationName, Result extends CountedResult>(
    operation: DocumentOperation<Body, Name, Result, object>,
    exchange: Exchange<Body>,
    candidate: Candidate,
    sent: () => void,
  ): Promise<Result> {
    const { request, decision, signal } = exchange;
    const answer = await this.calls.whole(
      operation,
      candidate,
      (adjustments) => operation.requestFor(decision.sent, candidate, adjustments),
      request,
      { signal, sent },
    );
    return operation.resultOf(answer, exchange);
  }
}
