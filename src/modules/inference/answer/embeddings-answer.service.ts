import { Injectable } from '@nestjs/common';
import { LongWork } from '../../../limits/long-work.js';
import { LoopTurns } from '../../../limits/loop-turns.js';
import { NO_OUTPUT } from '../../generations/content/generation-content.js';
import type { EmbeddingList } from '../../providers/embeddings.js';
import { AttemptsService } from '../attempts/attempts.service.js';
import type { Candidate } from '../attempts/candidate.js';
import { ProviderCalls } from '../attempts/provider-calls.js';
import type { EmbeddingsRequest } from '../dto/embeddings-request.dto.js';
import type { EmbeddingsResponse } from '../dto/embeddings-response.dto.js';
import type { Exchange } from '../exchange.js';
import { stopSignalOf } from '../open-exchanges.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { sendDocument } from './document-answer.js';
import { NOTHING_DELIVERED } from './delivered-answer.js';
import { vectorOf } from './embedding-encoding.js';

/** The vectors of an answer, in the form that the caller asked for, and what the provider says besides. */
interface Embedded extends Pick<EmbeddingList, 'upstreamId' | 'usage'> {
  readonly data: EmbeddingsResponse['data'];
}

/** Answers requests for embeddings (docs/interface/inference.md#embeddings). */
@Injectable()
export class EmbeddingsAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly calls: ProviderCalls,
    private readonly settlement: SettlementService,
    private readonly turns: LoopTurns,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send(exchange: Exchange<EmbeddingsRequest>): Promise<void> {
    const { caller, response, draft, prepared } = exchange;
    const { candidate, result } = await this.attempts.firstAnswer(draft, prepared.candidates, (one) =>
      this.embed(one, exchange),
    );
    draft.answering();
    this.attempts.succeeded(candidate, caller.organizationId);
    const { completion_tokens: _none, ...usage } = await this.settlement.settle(exchange, candidate, {
      usage: result.usage && { ...result.usage, completion_tokens: 0 },
      delivered: NOTHING_DELIVERED,
      isCancelled: response.destroyed,
      hasFailed: false,
      isWithoutTokens: true,
      finishReason: null,
      nativeFinishReason: null,
      upstreamId: result.upstreamId,
      serviceTier: null,
      // Vectors are not texts.
      output: draft.input === undefined ? null : NO_OUTPUT,
    });
    const { data } = result;
    const document = { id: draft.id, object: 'list', data, model: candidate.model.row.id, usage };
    await sendDocument(response, document, new LongWork(this.turns, caller.organizationId));
  }

  /** The provider answers for vectors of a wrong form, so that the next candidate is tried. */
  private async embed(
    candidate: Candidate,
    { prepared: { body }, draft, caller, signal: ofRequest }: Exchange<EmbeddingsRequest>,
  ): Promise<Embedded> {
    // A client that leaves ends nothing: most providers would work, and charge, to the end.
    const signal = stopSignalOf(ofRequest);
    const { data: embeddings, upstreamId, usage } = await this.calls.embed(candidate, body, draft, signal);
    const format = body.encoding_format ?? 'float';
    const work = new LongWork(this.turns, caller.organizationId);
    const data: EmbeddingsResponse['data'][number][] = [];
    for (const one of embeddings) {
      if (work.mustRest) await work.rest();
      data.push({ object: 'embedding', index: one.index, embedding: vectorOf(one, format) });
    }
    return { upstreamId, usage, data };
  }
}
