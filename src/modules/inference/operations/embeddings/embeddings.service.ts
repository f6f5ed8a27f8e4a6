import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { GatehouseRequest } from '../../../../api/request.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { EmbeddingsAnswerService } from './embeddings-answer.service.js';
import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import { ExchangesService } from '../../pipeline/pipeline.service.js';
import { GenerationDraft } from '../../pipeline/request/generation-draft.js';
import { RequestRates } from '../../pipeline/rates/request-rates.service.js';
import { EMBEDDINGS_FORM } from './embeddings-form.js';
import { RequestPreparationService } from '../../pipeline/request-preparation.service.js';
import { sessionHeaderOf } from '../../pipeline/request/session-header.js';

/** Answers requests for embeddings (docs/interface/inference.md#embeddings). */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly exchanges: ExchangesService,
    private readonly preparation: RequestPreparationService,
    private readonly rates: RequestRates,
    private readonly answers: EmbeddingsAnswerService,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @throws DomainError for a request that is refused
   */
  async answer(
    caller: ApiKeyPrincipal,
    body: EmbeddingsRequest,
    request: GatehouseRequest,
    response: Response,
  ): Promise<void> {
    const draft = new GenerationDraft(caller, request, {
      apiType: 'embeddings',
      streamed: false,
      requestedModel: body.model,
      externalUser: body.user,
      sessionId: body.session_id ?? sessionHeaderOf(request),
      dataRegion: this.environment.dataRegion,
    });
    await this.exchanges.answer<EmbeddingsRequest>(
      { caller, response, draft },
      {
        prepare: async (signal) => {
          const inputs = await this.preparation.readInputs(caller, draft);
          const { context } = inputs;
          await this.rates.count(EMBEDDINGS_FORM, { caller, context, body, facts: draft });
          return this.preparation.prepare(EMBEDDINGS_FORM, { caller, inputs, body, facts: draft, signal });
        },
        send: (exchange) => this.answers.send(exchange),
      },
    );
  }
}
