import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clientSignal } from '../../api/client-signal.js';
import type { GatehouseRequest } from '../../api/request.js';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { RequestSlots } from '../../limits/request-slots.js';
import type { AnswerForm } from './answer/answer-form.js';
import { ShownRouting } from './answer/shown-routing.service.js';
import { StreamedAnswerService } from './answer/streamed-answer.service.js';
import { WholeAnswerService } from './answer/whole-answer.service.js';
import type { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { GenerationDraft } from './generation-draft.js';
import { OpenRequests } from './open-requests.js';
import { ChatPreparationService } from './request/chat-preparation.service.js';
import { SettlementService } from './settlement/settlement.service.js';

/** Answers chat completions (docs/gateway.md). */
@Injectable()
export class ChatCompletionsService {
  constructor(
    private readonly preparation: ChatPreparationService,
    private readonly wholeAnswers: WholeAnswerService,
    private readonly streamedAnswers: StreamedAnswerService,
    private readonly settlement: SettlementService,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly environment: Environment,
    private readonly routing: ShownRouting,
  ) {}

  /**
   * Answers a request, and records it: also when it is refused, and before the last byte of the answer.
   *
   * @param form how the answer is written
   * @throws DomainError for a request that is refused before a byte of its answer is sent
   */
  async answer(
    caller: ApiKeyPrincipal,
    body: ChatCompletionRequest,
    response: Response,
    form: AnswerForm,
  ): Promise<void> {
    const request = response.req as GatehouseRequest;
    const draft = this.draftOf(caller, body, request);
    response.setHeader('X-Generation-Id', draft.id);
    const signal = clientSignal(response);
    try {
      await this.openRequests.run(caller.organizationId, async () => {
        const prepared = await this.slots.run(caller.organizationId, () =>
          this.preparation.prepare(caller, body, draft, signal),
        );
        const exchange = { caller, response, draft, prepared, signal, form };
        await (body.stream === true ? this.streamedAnswers : this.wholeAnswers).send(exchange);
      });
    } catch (error) {
      // What was answered in part has its record already.
      if (!response.headersSent) await this.settlement.recordRefusal(draft, error);
      request.envelopeFields = this.routing.fieldOf(request, draft);
      throw error;
    }
  }

  private draftOf(caller: ApiKeyPrincipal, body: ChatCompletionRequest, request: GatehouseRequest): GenerationDraft {
    return new GenerationDraft(caller, request, {
      apiType: 'completions',
      streamed: body.stream === true,
      requestedModel: body.model ?? body.models?.[0] ?? '',
      externalUser: body.user,
      sessionId: body.session_id ?? sessionHeaderOf(request),
      dataRegion: this.environment.dataRegion,
    });
  }
}

function sessionHeaderOf({ headers }: GatehouseRequest): string | undefined {
  const value = headers['x-session-id'];
  return typeof value === 'string' && value.length <= 256 ? value : undefined;
}
