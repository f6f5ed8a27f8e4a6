import { Injectable } from '@nestjs/common';
import type { EmbeddingList, EmbeddingRequest, RequestAdjustments } from '../../../codecs/index.js';
import { ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import type { EmbeddingsResponse } from './dto/embeddings-response.dto.js';
import { vectorOf, vectorSize } from './embedding-encoding.js';
import { EMBEDDINGS } from './embeddings-operation.js';

/** The vectors of an answer, in the form that the caller asked for, and what the provider says besides. */
interface Embedded extends Pick<EmbeddingList, 'upstreamId' | 'usage'> {
  readonly data: EmbeddingsResponse['data'];
}

/** Answers requests for embeddings (docs/interface/inference.md#embeddings). */
@Injectable()
export class EmbeddingsAnswerService {
  constructor(
    private readonly results: ResultAnswerService,
    private readonly calls: ProviderCalls,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send(exchange: Exchange<EmbeddingsRequest>): Promise<void> {
    const { id } = exchange.request;
    await this.results.send(exchange, {
      ask: (candidate, sent) => this.embed(candidate, exchange, sent),
      documentOf: ({ data }, { model }, { completion_tokens: _none, ...usage }) => ({
        id,
        object: 'list',
        data,
        model: model.row.id,
        usage,
      }),
    });
  }

  /** The provider answers for vectors of a wrong form, so that the next candidate is tried. */
  private async embed(
    candidate: Candidate,
    { request, decision: { sent: body }, signal }: Exchange<EmbeddingsRequest>,
    sent: () => void,
  ): Promise<Embedded> {
    const encode = (adjustments: RequestAdjustments): EmbeddingRequest =>
      EMBEDDINGS.requestFor(body, candidate, adjustments);
    const asking = { signal, sent };
    const answer = await this.calls.whole(EMBEDDINGS, candidate, encode, request, asking);
    const { data: embeddings, upstreamId, usage } = answer;
    const format = body.encoding_format ?? 'float';
    const data: EmbeddingsResponse['data'][number][] = [];
    for (const one of embeddings) {
      const size = vectorSize(one, format);
      if (!request.memory.tryHold(size)) await request.memory.hold(size);
      data.push({ object: 'embedding', index: one.index, embedding: vectorOf(one, format) });
    }
    return { upstreamId, usage, data };
  }
}
