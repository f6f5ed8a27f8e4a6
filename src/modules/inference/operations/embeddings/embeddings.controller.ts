import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { Authenticated, ResolvedBy } from '../../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { HoldsSlotsInParts } from '../../../../http/request-limits/request-slots.js';
import { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import { EmbeddingsResponse } from './dto/embeddings-response.dto.js';
import { EmbeddingsService } from './embeddings.service.js';
import { REFUSALS_OF_EVERY_OPERATION } from '../../inference.errors.js';
import { ResponseCacheHeaders } from '../../response-cache-headers.decorator.js';
import { CHAT_ERROR_FORM } from '../chat/chat-errors.js';
import { RecordsEarlyRefusals } from '../../pipeline/refusals/records-early-refusals.decorator.js';
import { CallerContexts } from '../../pipeline/context/caller-contexts.service.js';

/** Embeddings. */
@Controller('embeddings')
@ApiTags('Embeddings')
export class EmbeddingsController {
  constructor(private readonly embeddings: EmbeddingsService) {}

  @Post()
  @Authenticated(['api_key'])
  @HoldsSlotsInParts()
  @ResolvedBy(CallerContexts)
  @RecordsEarlyRefusals({ apiType: 'embeddings' })
  @ResponseCacheHeaders()
  @Operation({
    type: EmbeddingsResponse,
    summary: 'Create embeddings',
    description:
      'Turns texts, tokens or media into vectors under the guardrails of the key. The header `X-Generation-Id` is the id of the record.',
    isInference: true,
    errorWriter: CHAT_ERROR_FORM,
    errors: REFUSALS_OF_EVERY_OPERATION,
  })
  async createEmbeddings(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: EmbeddingsRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.embeddings.answer(caller, body, request, response);
  }
}
