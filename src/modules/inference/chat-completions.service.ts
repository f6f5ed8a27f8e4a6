import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '../../api/errors/domain-error.js';
import type { GatehouseRequest } from '../../api/request.js';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { RequestAdjustments } from '../providers/request-adjustments.js';
import type { AnswerForm, RefusedRequest } from './answer/answer-form.js';
import { EventStream } from './answer/event-stream.js';
import { ShownRouting } from './answer/shown-routing.service.js';
import { StreamedAnswerService } from './answer/streamed-answer.service.js';
import { WholeAnswerService } from './answer/whole-answer.service.js';
import type { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { ExchangesService } from './exchanges.service.js';
import { GenerationDraft } from './generation-draft.js';
import { ChatPreparationService } from './request/chat-preparation.service.js';
import { sessionHeaderOf } from './session-header.js';

/** A request that was refused. */
type Refused = Pick<RefusedRequest, 'draft' | 'body'>;

/** Answers chat completions (docs/gateway.md). */
@Injectable()
export class ChatCompletionsService {
  constructor(
    private readonly exchanges: ExchangesService,
    private readonly preparation: ChatPreparationService,
    private readonly wholeAnswers: WholeAnswerService,
    private readonly streamedAnswers: StreamedAnswerService,
    private readonly turns: LoopTurns,
    private readonly environment: Environment,
    private readonly routing: ShownRouting,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @param translated the request, written from that of another form in a turn of the event loop if it is large;
   * what it leaves out or changes is noted in the adjustments that it gets
   * @param form how the answer is written
   * @throws DomainError for a request that is refused before a byte of its answer is sent
   */
  async answer(
    caller: ApiKeyPrincipal,
    translated: (adjustments: RequestAdjustments) => ChatCompletionRequest,
    response: Response,
    form: AnswerForm,
  ): Promise<void> {
    const request = response.req as GatehouseRequest;
    await this.turns.nextIfLarge(caller.organizationId, request.heldMemory?.size ?? 0);
    const adjustments = new RequestAdjustments();
    const body = translated(adjustments);
    const draft = this.draftOf(caller, body, request, adjustments);
    const answers = body.stream === true ? this.streamedAnswers : this.wholeAnswers;
    try {
      await this.exchanges.answer(
        { caller, response, draft, rateHeaders: form.rateHeaders },
        {
          prepare: (signal) => this.preparation.prepare(caller, body, draft, signal),
          send: (exchange) => answers.send({ ...exchange, form }),
        },
      );
    } catch (error) {
      if (!(await this.isSaidInStream(error, { draft, body, response, form }))) throw error;
    }
  }

  /** Says a refusal within a stream where the clients of a form understand it only there. @returns whether it did */
  private async isSaidInStream(
    error: unknown,
    { draft, body, response, form }: { readonly form: AnswerForm; readonly response: Response } & Refused,
  ): Promise<boolean> {
    if (body.stream !== true || response.headersSent || !(error instanceof DomainError)) return false;
    const routing = (): object => this.routing.fieldOf(response.req as GatehouseRequest, draft);
    const events = form.refusedStream?.({ error, draft, body, routing });
    if (events === undefined) return false;
    await new EventStream(response, this.environment.apiDialect).end(events);
    return true;
  }

  private draftOf(
    caller: ApiKeyPrincipal,
    body: ChatCompletionRequest,
    request: GatehouseRequest,
    adjustments: RequestAdjustments,
  ): GenerationDraft {
    return new GenerationDraft(caller, request, {
      apiType: 'completions',
      streamed: body.stream === true,
      requestedModel: body.model ?? body.models?.[0] ?? '',
      externalUser: body.user,
      sessionId: body.session_id ?? sessionHeaderOf(request),
      dataRegion: this.environment.dataRegion,
      adjustments,
    });
  }
}
