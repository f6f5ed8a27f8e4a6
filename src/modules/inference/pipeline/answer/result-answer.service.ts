import { Injectable } from '@nestjs/common';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { AnswerUsage } from '../../../codecs/client-codec.js';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { WholeAnswerText } from '../../../content/answers/answer-inspection.js';
import { boundedText } from '../../../generations/content/generation-content.js';
import { type Answering, AttemptsService } from '../attempts/attempts.service.js';
import { type ChargedAttempt, ChargedAttempts } from '../attempts/charged-attempts.service.js';
import { countedBytes, estimatedTokens } from '../cost/estimated-tokens.js';
import type { Units } from '../cost/units.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Candidate } from '../request/candidate.js';
import { keepsContentOf } from '../request/decision.js';
import type { Exchange } from '../request/exchange.js';
import type { RoutedBody } from '../request/operation.js';
import { cachedAnswer } from '../cache/request-cache.js';
import { givenUp } from '../settlement/given-up.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { type DeliveredTokens, NOTHING_DELIVERED } from './delivered-answer.js';
import { sendDocument } from './document-answer.js';
import { AnswerFiltering, type FilteredAnswer, refusedBy } from './filters/answer-filtering.js';
import { type KeptOutput, NOTHING_KEPT } from './kept-output.js';

/** The outcome of a request that its client has left before a result came. */
export const NOTHING_CAME: AnswerOutcome = {
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

/** What a provider says of a result besides the result itself. */
export interface CountedResult {
  readonly upstreamId: string | null;
  /** Null where the provider reported nothing; without tokens of an answer where there are none. */
  readonly usage: (Omit<TokenUsage, 'completion_tokens'> & Partial<TokenUsage>) | null;
  /** What came besides, where it is charged; absent for a result that is no media. */
  readonly came?: CountedMedia;
  /** What is charged besides tokens, as the provider counts it; absent for nothing. */
  readonly units?: Units;
  /** The text that it is; absent where it is none. */
  readonly text?: string;
}

/** The media of an answer, and the prices that they are charged by. */
export type CountedMedia = Pick<AnswerOutcome, 'delivered' | 'units' | 'pricing'>;

/** What is done about candidates that do not answer. */
export interface AskedResult {
  /** What a candidate is charged that was asked and has not answered; absent for the prompt alone. */
  readonly leftOf?: (candidate: Candidate) => CountedMedia;
  /** Whether a candidate is asked again that has refused the request; absent for never. */
  readonly asksAgain?: (candidate: Candidate, error: ProviderError) => boolean;
}

/** How a request is answered with a result. */
export interface ResultAnswer<Result extends CountedResult> extends AskedResult {
  /** Asks a candidate, and says when the candidate has the whole request. @throws ProviderError */
  readonly ask: (candidate: Candidate, sent: () => void) => Promise<Result>;
  readonly documentOf: (result: Result, candidate: Candidate, usage: AnswerUsage) => object;
  /** The result without what filters take out of its texts; absent for one that has none. */
  readonly filtered?: (result: Result, filter: FilterTexts) => Promise<Result>;
}

/** Applies the filters of answers to texts. @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans */
export type FilterTexts = (texts: readonly WholeAnswerText[]) => Promise<readonly string[]>;

/** Answers requests whose result comes as a whole, and is charged without its tokens where these are not counted, such as vectors or a ranking. */
@Injectable()
export class ResultAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly charged: ChargedAttempts,
    private readonly settlement: SettlementService,
    private readonly turns: LoopTurns,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send<Body extends RoutedBody, Result extends CountedResult>(
    exchange: Exchange<Body>,
    answer: ResultAnswer<Result>,
  ): Promise<void> {
    const { request, response, decision, outcome, cache } = exchange;
    const { candidate, result } = (cachedAnswer(exchange) ??
      (await this.asked(exchange, answer.ask, answer))) as Answering<Result>;
    outcome.answering();
    if (cache?.hit === undefined) this.attempts.succeeded(candidate, request.organizationId);
    const { left, refusal } = await this.filtered(exchange, answer, result, candidate);
    if (left !== undefined) cache?.recording?.result(left);
    const usage = await this.settlement.settle(exchange, candidate, {
      ...NOTHING_CAME,
      usage: result.usage && { completion_tokens: 0, ...result.usage },
      delivered: deliveredIn(result),
      isCancelled: response.destroyed,
      upstreamId: result.upstreamId,
      units: result.units,
      ...result.came,
      output: left !== undefined && keepsContentOf(decision) ? keptOf(left) : null,
      ...(refusal !== undefined && refusedBy(refusal)),
    });
    if (refusal !== undefined) throw refusal;
    const document = answer.documentOf(left, candidate, usage);
    await sendDocument(response, document, () => this.turns.next(request.organizationId), request.memory);
  }

  private filtered<Body extends RoutedBody, Result extends CountedResult>(
    exchange: Exchange<Body>,
    { filtered }: ResultAnswer<Result>,
    result: Result,
    candidate: Candidate,
  ): Promise<FilteredAnswer<Result>> | FilteredAnswer<Result> {
    const filtering = filtered && AnswerFiltering.of(exchange, candidate);
    return filtering?.whole(() => filtered!(result, (texts) => filtering.texts(texts))) ?? { left: result };
  }

  /**
   * Asks for the result, or for what it begins with. A client that leaves ends that, and is charged what its input costs.
   *
   * @param ask asks a candidate, and says when the candidate has the whole request
   * @throws DomainError where no provider answers
   */
  async asked<Body extends RoutedBody, Result>(
    exchange: Exchange<Body>,
    ask: (candidate: Candidate, sent: () => void) => Promise<Result>,
    { leftOf, asksAgain }: AskedResult = {},
  ): Promise<Answering<Result>> {
    return this.charged.firstAnswer(exchange, {
      attemptAt: (candidate): ChargedAttempt & { isSent: boolean } => ({
        candidate,
        isSent: false,
        unbegunOutcome: () => ({ ...NOTHING_CAME, ...leftOf?.(candidate) }),
      }),
      ask: (attempt) =>
        ask(attempt.candidate, () => {
          attempt.isSent = true;
        }),
      asksAgain: ({ candidate }, error) => asksAgain?.(candidate, error) === true,
      outcomeOf: (attempt, error) =>
        givenUp({ ...attempt.unbegunOutcome(), usage: error.counted?.usage ?? null }, error),
    });
  }
}

/** The tokens of a text, for where its provider has not counted them. */
function deliveredIn({ text }: CountedResult): DeliveredTokens {
  return text === undefined ? NOTHING_DELIVERED : { ...NOTHING_DELIVERED, texts: estimatedTokens(countedBytes(text)) };
}

function keptOf({ text }: CountedResult): KeptOutput {
  return text === undefined ? NOTHING_KEPT : { ...NOTHING_KEPT, completion: boundedText(text) };
}
