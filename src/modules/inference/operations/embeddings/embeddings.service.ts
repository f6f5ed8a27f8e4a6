import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { sessionHeaderOf } from '../../pipeline/request/session-header.js';
import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import { EmbeddingsAnswerService } from './embeddings-answer.service.js';
import { EMBEDDINGS } from './embeddings-operation.js';

/** Answers requests for embeddings (docs/interface/inference.md#embeddings). */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly pipeline: InferencePipeline,
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
    http: GatehouseRequest,
    response: Response,
  ): Promise<void> {
    const request = new InferenceRequest(caller, http, {
      apiType: 'embeddings',
      streamed: false,
      requestedModel: body.model,
      externalUser: body.user,
      sessionId: body.session_id ?? sessionHeaderOf(http),
      dataRegion: this.environment.dataRegion,
    });
    const answer = this.answers.send.bind(this.answers);
    await this.pipeline.run({ operation: EMBEDDINGS, request, body, response, answer });
  }
}
