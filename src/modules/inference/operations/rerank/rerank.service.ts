import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { AnswerUsage, RankedDocuments } from '../../../codecs/index.js';
import { type CountedResult, ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { sessionHeaderOf } from '../../pipeline/request/session-header.js';
import type { RerankRequest } from './dto/rerank-request.dto.js';
import type { RerankResponse } from './dto/rerank-response.dto.js';
import { RERANK } from './rerank-operation.js';
import { searchUnitsOf } from './rerank-units.js';

interface Ranked extends CountedResult {
  readonly ranking: RankedDocuments['results'];
}

/** Writes an answer in the form that a client asks for. */
export type RankingWriter = (answer: RerankResponse) => object;

/** Ranks documents (docs/interface/rerank.md). */
@Injectable()
export class RerankService {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly results: ResultAnswerService,
    private readonly calls: ProviderCalls,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @param write writes the answer
   * @throws DomainError for a request that is refused
   */
  async answer(
    caller: ApiKeyPrincipal,
    body: RerankRequest,
    http: GatehouseRequest,
    response: Response,
    write: RankingWriter = (answer) => answer,
  ): Promise<void> {
    const request = new InferenceRequest(caller, http, {
      apiType: 'rerank',
      streamed: false,
      requestedModel: body.model,
      externalUser: body.user,
      sessionId: body.session_id ?? sessionHeaderOf(http),
      dataRegion: this.environment.dataRegion,
    });
    const answer = (exchange: Exchange<RerankRequest>): Promise<void> =>
      this.results.send(exchange, {
        ask: (candidate, sent) => this.ranked(exchange, candidate, sent),
        documentOf: (result, candidate, usage) => write(answerOf(exchange, result, candidate, usage)),
      });
    await this.pipeline.run({ operation: RERANK, request, body, response, answer });
  }

  private async ranked(
    { request, decision: { sent: body }, signal }: Exchange<RerankRequest>,
    candidate: Candidate,
    sent: () => void,
  ): Promise<Ranked> {
    const { upstreamId, results, totalTokens, searchUnits } = await this.calls.whole(
      RERANK,
      candidate,
      (adjustments) => RERANK.requestFor(body, candidate, adjustments),
      request,
      { signal, sent },
    );
    return {
      upstreamId,
      usage: totalTokens === null ? null : { prompt_tokens: totalTokens, total_tokens: totalTokens },
      units: { request: searchUnits ?? searchUnitsOf(body.documents.length) },
      ranking: results,
    };
  }
}

/** Providers send no documents back, or cut them: they are those of the request, as the provider got them. */
function answerOf(
  { request, decision: { sent: body } }: Exchange<RerankRequest>,
  { ranking, units }: Ranked,
  { model, endpoint }: Candidate,
  { total_tokens: tokens, cost, is_byok: isByok, cost_details: details }: AnswerUsage,
): RerankResponse {
  return {
    id: request.id,
    model: model.row.id,
    provider: endpoint.provider.name,
    results: ranking.map(({ index, relevanceScore }) => {
      const document = body.documents[index]!;
      return {
        index,
        relevance_score: relevanceScore,
        document: typeof document === 'string' ? { text: document } : document,
      };
    }),
    usage: { search_units: units?.request ?? 0, total_tokens: tokens, cost, is_byok: isByok, cost_details: details },
  };
}
