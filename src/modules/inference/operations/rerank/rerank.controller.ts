import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { DocumentOperations } from '../document-operations.service.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { CohereRerankResponse } from './dto/cohere-rerank-response.dto.js';
import { RerankRequest } from './dto/rerank-request.dto.js';
import { RerankResponse } from './dto/rerank-response.dto.js';
import { RERANK } from './operation.js';

/** Ranking of documents. */
@Controller()
@ApiTags('Rerank')
export class RerankController {
  constructor(private readonly operations: DocumentOperations) {}

  @Post('rerank')
  @InferenceRoute({
    operation: RERANK,
    type: RerankResponse,
    summary: 'Rank documents',
    description:
      'Ranks documents by how relevant they are to a query, under the guardrails of the key. The header `X-Generation-Id` is the id of the record.',
  })
  async createRerank(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: RerankRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.operations.answer(RERANK, body, { caller, http: request, response });
  }

  @Post('v2/rerank')
  @InferenceRoute({
    operation: RERANK,
    type: CohereRerankResponse,
    summary: 'Rank documents for clients of Cohere',
    description:
      'The same as `POST /rerank`, at the path and with the answer that clients of version 2 of Cohere expect.',
  })
  async createCohereRerank(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: RerankRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.operations.answer(RERANK, body, { caller, http: request, response }, ({ id, results, usage }) => ({
      id,
      results: results.map(({ index, relevance_score }) => ({ index, relevance_score })),
      meta: { api_version: { version: '2' }, billed_units: { search_units: usage.search_units } },
    }));
  }
}
