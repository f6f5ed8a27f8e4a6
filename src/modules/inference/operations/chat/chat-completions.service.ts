import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../../../http/errors/domain-error.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { AnswerEncoder } from '../../../codecs/client-codec.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { RateHeaders } from '../../pipeline/rates/rate-headers.js';
import { EventStream } from '../../pipeline/answer/event-stream.js';
import { StreamedAnswerService } from '../../pipeline/answer/streamed-answer.service.js';
import { WholeAnswerService } from '../../pipeline/answer/whole-answer.service.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { CHAT } from './operation.js';

interface ClientDialect {
  readonly encoder: AnswerEncoder;
  /** The headers about limits per minute that its clients read besides those of every operation. */
  readonly rateHeaders?: RateHeaders;
}

interface Refused {
  readonly request: InferenceRequest;
  readonly body: ClientChatRequest;
  readonly response: Response;
  readonly encoder: AnswerEncoder;
}

/** Answers chat completions (docs/gateway.md). */
@Injectable()
export class ChatCompletionsService {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly wholeAnswers: WholeAnswerService,
    private readonly streamedAnswers: StreamedAnswerService,
    private readonly turns: LoopTurns,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @param translated the request, written from that of another form in a turn of the event loop if it is large;
   * what it leaves out or changes is noted in the adjustments that it gets
   * @param dialect how the answer is written
   * @throws DomainError for a request that is refused before a byte of its answer is sent
   */
  async answer(
    caller: ApiKeyPrincipal,
    translated: (adjustments: RequestAdjustments) => ClientChatRequest,
    response: Response,
    dialect: ClientDialect,
  ): Promise<void> {
    const { encoder, rateHeaders } = dialect;
    const http = response.req as GatehouseRequest;
    const bodyBytes = http.heldMemory?.size ?? 0;
    await this.turns.nextIfLarge(caller.organizationId, bodyBytes);
    const adjustments = new RequestAdjustments(bodyBytes);
    const body = translated(adjustments);
    const described = { streamed: body.stream === true, dataRegion: this.environment.dataRegion };
    const request = InferenceRequest.of(CHAT, caller, body, http, described, adjustments);
    const answers = body.stream === true ? this.streamedAnswers : this.wholeAnswers;
    try {
      await this.pipeline.run({
        operation: CHAT,
        request,
        body,
        response,
        rateHeaders,
        answer: (exchange) => answers.send({ encoder, ...exchange }),
      });
    } catch (error) {
      if (!(await this.isSaidInStream(error, { request, body, response, encoder }))) throw error;
    }
  }

  /** Says a refusal within a stream where the clients of a dialect understand it only there. @returns whether it did */
  private async isSaidInStream(error: unknown, { request, body, response, encoder }: Refused): Promise<boolean> {
    if (body.stream !== true || response.headersSent || !(error instanceof DomainError)) return false;
    const { id, created, http } = request;
    const routing = (): object => http.envelopeFields ?? {};
    const events = encoder.refusedStream?.({ error, id, created, body, routing });
    if (events === undefined) return false;
    await new EventStream(response, this.environment.apiDialect).end(events);
    return true;
  }
}
