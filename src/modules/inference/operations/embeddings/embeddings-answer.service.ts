import { Injectable } from '@nestjs/common';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { EmbeddingList, EmbeddingRequest, RequestAdjustments } from '../../../codecs/index.js';
import { type Answering, AttemptsService } from '../../pipeline/attempts/attempts.service.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import { GivenUpAttempts } from '../../pipeline/attempts/given-up-attempts.service.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import { embeddingRequestFor } from './embeddings-operation.js';
import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import type { EmbeddingsResponse } from './dto/embeddings-response.dto.js';
import { NOTHING_KEPT } from '../../pipeline/answer/kept-output.js';
import { keepsContentOf } from '../../pipeline/request/decision.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { SettlementService } from '../../pipeline/settlement/settlement.service.js';
import type { AnswerOutcome } from '../../pipeline/request/answer-outcome.js';
import { sendDocument } from '../../pipeline/answer/document-answer.js';
import { NOTHING_DELIVERED } from '../../pipeline/answer/delivered-answer.js';
import { givenUp } from '../../pipeline/settlement/given-up.js';
import { vectorOf, vectorSize } from './embedding-encoding.js';

/** The outcome of a request that its client has left before its vectors came. */
const NOTHING_CAME: AnswerOutcome = {
  usage: null,
  delivered: NOTHING_DELIVERED,
  isCancelled: true,
  hasFailed: false,
  isWithoutTokens: true,
  finishReason: null,
  nativeFinishReason: null,
  upstreamId: null,
  serviceTier: null,
  output: null,
};

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
    private readonly givenUp: GivenUpAttempts,
    private readonly settlement: SettlementService,
    private readonly turns: LoopTurns,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send(exchange: Exchange<EmbeddingsRequest>): Promise<void> {
    const { request, response, decision, outcome } = exchange;
    const { candidate, result } = await this.asked(exchange);
    outcome.answering();
    this.attempts.succeeded(candidate, request.organizationId);
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
      output: keepsContentOf(decision) ? NOTHING_KEPT : null,
    });
    const { data } = result;
    const document = { id: request.id, object: 'list', data, model: candidate.model.row.id, usage };
    await sendDocument(response, document, () => this.turns.next(request.organizationId), request.memory);
  }

  /** Asks for the vectors. A client that leaves ends that, and is charged what its inputs cost. */
  private async asked(exchange: Exchange<EmbeddingsRequest>): Promise<Answering<Embedded>> {
    const { decision, signal } = exchange;
    let asked: Candidate | undefined;
    try {
      const call = (candidate: Candidate): Promise<Embedded> => {
        asked = undefined;
        signal.throwIfAborted();
        return this.embed(candidate, exchange, () => (asked = candidate));
      };
      const rules = this.givenUp.rulesFor(exchange, (error) =>
        asked === undefined ? undefined : givenUp({ ...NOTHING_CAME, usage: error.counted?.usage ?? null }, error),
      );
      return await this.attempts.firstAnswer(exchange, decision.candidates, call, rules);
    } catch (error) {
      if (asked !== undefined) await this.settlement.settleUnbegun(exchange, asked, NOTHING_CAME, error);
      throw error;
    }
  }

  /** The provider answers for vectors of a wrong form, so that the next candidate is tried. */
  private async embed(
    candidate: Candidate,
    { request, decision: { sent: body }, signal }: Exchange<EmbeddingsRequest>,
    sent: () => void,
  ): Promise<Embedded> {
    const asking = { signal, sent };
    const encode = (adjustments: RequestAdjustments): EmbeddingRequest =>
      embeddingRequestFor(body, candidate, adjustments);
    const { data: embeddings, upstreamId, usage } = await this.calls.embed(candidate, encode, request, asking);
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
