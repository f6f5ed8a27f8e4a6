import { Injectable } from '@nestjs/common';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { ChatChoice, ChatCompletion } from '../../../codecs/chat/chat-completion.js';
import { MASKED_FAILURE } from '../../../codecs/errors/shown-error.js';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import { StickyEndpoints } from '../../../routing/sticky-endpoints.js';
import { type Answering, AttemptsService } from '../attempts/attempts.service.js';
import { originOf } from './answer-origin.js';
import { ChargedAttempts } from '../attempts/charged-attempts.service.js';
import { ChatCalls } from '../attempts/chat-calls.js';
import { GenerationFailed } from '../../inference.errors.js';
import type { Candidate } from '../request/candidate.js';
import { keepsContentOf } from '../request/decision.js';
import type { ChatExchange } from '../request/exchange.js';
import { healedChoices } from './healed-choices.js';
import { cachedAnswer } from '../cache/request-cache.js';
import { keptOutputOf } from './kept-output.js';
import { SettlementService } from '../settlement/settlement.service.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { BoundedImages, mostImagesOf } from './bounded-images.js';
import { CandidateStream } from './candidate-stream.js';
import { AnswerFiltering, type FilteredAnswer } from './filters/answer-filtering.js';
import { DeliveredAnswer } from './delivered-answer.js';
import { estimatedTokens } from '../cost/estimated-tokens.js';
import { givenUp } from '../settlement/given-up.js';
import { excludesReasoning, withoutReasoning } from './shown-reasoning.js';
import { ShownRouting } from '../routing-metadata/shown-routing.service.js';
import { sendDocument } from './document-answer.js';
import { usesPromptCache } from '../cost/charged-usage.js';
import { sealedChoices } from '../thoughts/sealed-choices.js';
import { ThoughtSeals } from '../thoughts/thought-seals.js';

/** Answers requests with one document (docs/interface/inference.md#whole-answers). */
@Injectable()
export class WholeAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly calls: ChatCalls,
    private readonly charged: ChargedAttempts,
    private readonly settlement: SettlementService,
    private readonly routing: ShownRouting,
    private readonly sticky: StickyEndpoints,
    private readonly turns: LoopTurns,
    private readonly seals: ThoughtSeals,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send(exchange: ChatExchange): Promise<void> {
    const { request, response, decision, outcome, encoder, cache } = exchange;
    const { organizationId } = request;
    const body = decision.sent;
    const { candidate, result } = (cachedAnswer(exchange) ?? (await this.asked(exchange))) as Answering<ChatCompletion>;
    outcome.answering();
    const isKept = cache?.hit !== undefined;
    if (!isKept) {
      this.attempts.succeeded(candidate, organizationId);
      outcome.providerFilters.add(result);
    }
    const seal = this.seals.sealerOf(organizationId, candidate.connection);
    // What was kept is sealed already.
    const images = new BoundedImages(mostImagesOf(decision, candidate));
    const bounded = images.ofChoices(result.choices);
    const { left: filtered = [], refusal } = await this.filtered(exchange, bounded, candidate);
    const sealed = isKept ? filtered : sealedChoices(filtered, seal);
    if (refusal === undefined) cache?.recording?.completion(Object.assign({}, result, { choices: sealed }));
    if (usesPromptCache(result.usage)) this.sticky.remember(decision.conversation, candidate);
    const [choice] = bounded;
    const delivered = new DeliveredAnswer(body['audio']);
    for (const { message } of bounded) delivered.add(message);
    const { choices, stage } = await healedChoices(body, sealed, new LongWork(this.turns, organizationId));
    if (stage !== undefined) outcome.pluginStages.push(stage);
    const shown = excludesReasoning(body) ? withoutReasoning(choices) : choices;
    const isFailed = encoder.refusesFailedAnswers === true && choice?.finish_reason === 'error';
    const failure = refusal ?? (isFailed ? new GenerationFailed() : undefined);
    const usage = await this.settlement.settle(exchange, candidate, {
      usage: result.usage,
      isAnswerUncounted: result.isAnswerUncounted === true,
      isPromptUncounted: result.isPromptUncounted === true,
      delivered: delivered.tokens(true),
      units: { image: delivered.imageSizes.length },
      imageSizes: delivered.imageSizes,
      isCut: images.isExceeded,
      isCancelled: response.destroyed,
      hasFailed: isFailed && refusal === undefined,
      finishReason: refusal === undefined ? (choice?.finish_reason ?? null) : 'content_filter',
      finishReasons: bounded.flatMap(({ finish_reason: reason }) => reason ?? []),
      nativeFinishReason: choice?.native_finish_reason ?? null,
      upstreamId: result.upstreamId,
      serviceTier: result.serviceTier,
      output: keepsContentOf(decision) ? keptOutputOf(shown) : null,
      ...(failure !== undefined && {
        status: failure.status,
        refusal: failure.reason,
        error: { status: failure.status, message: refusal === undefined ? MASKED_FAILURE : failure.message },
      }),
    });
    if (failure !== undefined) throw failure;
    const routing = (): object => this.routing.fieldOf(exchange, candidate);
    const origin = originOf(request, candidate, body, routing);
    const answer = AnswerFiltering.withoutTexts(exchange, Object.assign({}, result, { choices: shown }));
    const document = encoder.whole(origin, answer, usage);
    await sendDocument(response, document, () => this.turns.next(organizationId), request.memory);
  }

  /** What filters leave of an answer, or the error that the client gets in its place. */
  private filtered(
    exchange: ChatExchange,
    choices: readonly ChatChoice[],
    candidate: Candidate,
  ): Promise<FilteredAnswer<readonly ChatChoice[]>> | FilteredAnswer<readonly ChatChoice[]> {
    const filtering = AnswerFiltering.of(exchange, candidate);
    return filtering?.whole(() => filtering.choices(choices, exchange.decision.sent)) ?? { left: choices };
  }

  /** Asks for the answer. A client that leaves ends that, and is charged what the prompt costs and what the model may have thought. */
  private asked(exchange: ChatExchange): Promise<Answering<ChatCompletion>> {
    const { request, decision, signal } = exchange;
    const { sent: body, thoughts } = decision;
    const streamed = { body, signal, keepsOutput: false };
    return this.charged.firstAnswer(exchange, {
      attemptAt: (candidate) => new CandidateStream(candidate, streamed),
      // The signal of the client itself: of an answer that comes in one piece nothing is read on when its client has left.
      ask: ({ candidate, sent }) => this.calls.complete(candidate, body, request, { signal, sent, thoughts }),
      outcomeOf: unusedAnswer,
    });
  }
}

/** What an answer that cannot be used came to: what its provider counted, and else the part that came. */
function unusedAnswer(asked: CandidateStream, error: ProviderError): AnswerOutcome {
  const outcome = givenUp(asked.leftOutcome, error);
  if (error.counted !== null) return { ...outcome, hiddenTokens: 0, ...error.counted };
  const texts = Math.min(estimatedTokens(error.receivedBytes), asked.longestAnswer);
  return { ...outcome, delivered: { ...outcome.delivered, texts } };
}
