import type { ChatChoice, ChatCompletion } from '../../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../../codecs/chat/client-request.js';
import { promptResultsWithoutTexts } from '../../../../codecs/chat/provider-filters.js';
import type { AnswerInspection, WholeAnswerText } from '../../../../content/answers/answer-inspection.js';
import { AnswerRefused } from '../../../../content/answers/answer-text.js';
import { errorOfRefusal } from '../../../../content/content.errors.js';
import { DomainError } from '../../../../../http/errors/domain-error.js';
import type { AnswerOutcome } from '../../request/answer-outcome.js';
import type { Candidate } from '../../request/candidate.js';
import { judgingOf } from '../../request/decision.js';
import { isJsonFormat } from '../healed-choices.js';
import type { RequestCache } from '../../cache/request-cache.js';
import { seenBy } from '../../content/observed-findings.js';
import type { CompiledObserver } from '../../policy/compiled-policies.js';
import type { ObservedGuardrail } from '../../../../generations/generation-details.js';
import type { RequestState } from '../../request/exchange.js';
import { isEnforced } from './answer-fields.js';
import { filteredChoices } from './filtered-message.js';
import { FilteredStream } from './filtered-stream.js';

/** What is known of a request whose answer is filtered. */
interface FilteredExchange extends RequestState {
  readonly cache?: RequestCache | undefined;
  readonly signal: AbortSignal;
}

/** What filters leave of an answer, or the error that the client gets in its place. */
export type FilteredAnswer<Left> =
  { readonly left: Left; readonly refusal?: undefined } | { readonly left?: undefined; readonly refusal: DomainError };

/** A guardrail that only observes, and what its filters find in an answer. */
interface ObservedAnswer {
  readonly observer: CompiledObserver;
  readonly inspection: AnswerInspection;
}

/** The filters of one answer, and what is recorded of their work (docs/interface/content-filters.md#answers). */
export class AnswerFiltering {
  private milliseconds = 0;
  private mostHeld = 0;

  private constructor(
    private readonly state: FilteredExchange,
    private readonly inspection: AnswerInspection,
    private readonly observers: readonly ObservedAnswer[],
  ) {}

  /**
   * Begins for the answer of a candidate. One of the cache was kept under the same filters, but inspectors may say something else now.
   *
   * @returns undefined where nothing applies to it
   */
  static of(exchange: FilteredExchange, candidate: Candidate): AnswerFiltering | undefined {
    const { decision, cache, signal } = exchange;
    const { reservation, candidates, inspection: inspectors } = decision;
    const paid = reservation && judgingOf(reservation, candidates.indexOf(candidate));
    if (paid !== undefined) inspectors!.account.limitTo(paid);
    const { answers, observers } = decision.policy!;
    const judges = inspectors?.judges() ?? [];
    const isFiltered = cache?.hit === undefined;
    const observing = isFiltered ? observers.filter((observer) => !observer.answers.isEmpty) : [];
    if (judges.length + observing.length === 0 && (answers.isEmpty || !isFiltered)) return undefined;
    return new AnswerFiltering(
      exchange,
      answers.inspection(signal, judges),
      observing.map((observer) => ({ observer, inspection: observer.answers.observation(signal) })),
    );
  }

  /** An answer without texts in what the provider's own filters say, where filters of the gateway are enforced. */
  static withoutTexts(
    exchange: FilteredExchange,
    { promptFilterResults: results, ...answer }: ChatCompletion,
  ): ChatCompletion {
    if (results === undefined) return answer;
    const { decision, signal } = exchange;
    const isFiltered = isEnforced(decision.policy!.answers.inspection(signal, decision.inspection?.judges()));
    return { ...answer, promptFilterResults: isFiltered ? promptResultsWithoutTexts(results) : results };
  }

  /**
   * What filters make of the choices of a whole answer.
   *
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  async choices(choices: readonly ChatChoice[], body: ClientChatRequest): Promise<readonly ChatChoice[]> {
    const isJson = isJsonFormat(body);
    for (const { inspection } of this.observers) await tried(() => filteredChoices(choices, inspection, isJson));
    return this.timed(() => filteredChoices(choices, this.inspection, isJson));
  }

  /** What filters make of texts in one piece. @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans */
  async texts(texts: readonly WholeAnswerText[]): Promise<readonly string[]> {
    for (const { inspection } of this.observers) await tried(() => inspection.whole(texts));
    return this.timed(() => this.inspection.whole(texts));
  }

  /**
   * Filters an answer that has come as a whole, and notes it.
   *
   * @param step the work of the filters
   * @returns what they leave, or the error that the client gets in its place
   */
  async whole<Left>(step: () => Promise<Left>): Promise<FilteredAnswer<Left>> {
    try {
      return { left: await step() };
    } catch (error) {
      const refusal = shownRefusalOf(error);
      if (!(refusal instanceof DomainError)) throw error;
      return { refusal };
    } finally {
      await this.note();
    }
  }

  /** The filters of a stream. */
  stream(body: ClientChatRequest): FilteredStream {
    return new FilteredStream(
      this.inspection,
      isJsonFormat(body),
      this.observers.map(({ inspection }) => inspection),
    );
  }

  /** Does a step of the work, and counts its time. @throws whatever the step throws */
  async timed<Result>(step: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    try {
      return await step();
    } finally {
      this.milliseconds += performance.now() - begun;
      this.mostHeld = Math.max(this.mostHeld, this.inspection.heldLength);
    }
  }

  /** Notes for the record what was found and what it took, also of an answer that did not come to its end. */
  async note(): Promise<void> {
    const { outcome, decision } = this.state;
    await tried(() => this.timed(() => this.inspection.report()));
    const { findings } = this.inspection;
    const all = [...findings];
    const observed: ObservedGuardrail[] = [];
    for (const { observer, inspection } of this.observers) {
      await tried(() => inspection.report());
      const seen = seenBy(observer, inspection.findings, { findings, of: decision.policy! });
      all.push(...seen.findings);
      observed.push(...seen.observed);
    }
    outcome.findings = all;
    outcome.observed = observed;
    outcome.filtering = { heldCharacters: this.mostHeld, milliseconds: Math.round(1000 * this.milliseconds) / 1000 };
  }
}

/** Does what only reports: it holds no answer up, what it would block is among what it has found, and a client that has left ends it. */
async function tried(step: () => Promise<unknown>): Promise<void> {
  await step().catch(() => undefined);
}

/** The part of an outcome that says that a filter has ended an answer. @param refusal the error that the client gets in its place */
export function refusedBy({ status, reason, message }: DomainError): Partial<AnswerOutcome> {
  return { finishReason: 'content_filter', status, refusal: reason, error: { status, message } };
}

/** The error of an answer that a filter blocks, and what else ended the work of the filters as it is. */
export function shownRefusalOf(error: unknown): unknown {
  return error instanceof AnswerRefused ? errorOfRefusal(error.refusal, 'Answer') : error;
}
