import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DocumentOperations } from '../document-operations.service.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import { EmbeddingsResponse } from './dto/embeddings-response.dto.js';
import { EMBEDDINGS } from './operation.js';

/** Embeddings. */
@Controller('embeddings')
@ApiTags('Embeddings')
export class EmbeddingsController {
  constructor(private readonly operations: DocumentOperations) {}

  @Post()
  @InferenceRoute({
    operation: EMBEDDINGS,
    type: EmbeddingsResponse,
    summary: 'Create embeddings',
    description:
      'Turns texts, tokens or media into vectors under the guardrails of the key. The header `X-Generation-Id` is the id of the record.',
  })
  async createEmbeddings(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: EmbeddingsRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.operations.answer(EMBEDDINGS, body, { caller, http: request, response });
  }
}
