import type { ChatChunk, ChatChunkChoice } from '../../../../codecs/chat/chat-completion.js';
import { promptResultsWithoutTexts } from '../../../../codecs/chat/provider-filters.js';
import type { AnswerInspection } from '../../../../content/answers/answer-inspection.js';
import { isEnforced } from './answer-fields.js';
import { FilteredChoice } from './filtered-choice.js';

/** A streamed answer under filters: what may leave of it, and when (docs/interface/content-filters.md#answers). */
export class FilteredStream {
  private readonly choices = new Map<number, FilteredChoice>();
  /** What chunks without anything for the client have said besides. */
  private unsent: Omit<ChatChunk, 'choices'> = {};

  private readonly isEnforced: boolean;

  private readonly observers: readonly FilteredStream[];

  /**
   * @param isJson whether the content was asked for in JSON
   * @param observing look at what comes, and change nothing
   */
  constructor(
    private readonly inspection: AnswerInspection,
    private readonly isJson: boolean,
    observing: readonly AnswerInspection[] = [],
  ) {
    this.isEnforced = isEnforced(inspection);
    this.observers = observing.map((observer) => new FilteredStream(observer, isJson));
  }

  /** The choices of which anything has come. */
  get choiceIndexes(): readonly number[] {
    return [...this.choices.keys()];
  }

  /** The estimated bytes of what is held, or kept for filters that report. */
  get keptBytes(): number {
    const { heldLength, keptLength } = this.inspection;
    let spoken = 0;
    for (const { spokenLength } of this.choices.values()) spoken += spokenLength;
    const observed = this.observers.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
    return 2 * (heldLength + keptLength) + spoken + observed;
  }

  /**
   * Takes a chunk.
   *
   * @returns the chunks that may leave now
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  async add(chunk: ChatChunk): Promise<readonly ChatChunk[]> {
    const { choices, ...said } = chunk;
    for (const observer of this.observers) observer.observe(choices);
    if (!this.isEnforced) {
      this.observe(choices);
      return [chunk];
    }
    Object.assign(this.unsent, said);
    const { promptFilterResults: results } = said;
    if (results !== undefined)
      this.unsent = { ...this.unsent, promptFilterResults: promptResultsWithoutTexts(results) };
    const left: ChatChunkChoice[] = [];
    for (const choice of choices) left.push(...(await this.choice(choice.index).add(choice)));
    return this.chunks(left);
  }

  /** Ends all choices, once nothing more comes. @throws as {@link add} does */
  async end(): Promise<readonly ChatChunk[]> {
    if (!this.isEnforced) return [];
    const left: ChatChunkChoice[] = [];
    for (const choice of this.choices.values()) left.push(...(await choice.end()));
    return this.chunks(left);
  }

  private observe(choices: readonly ChatChunkChoice[]): void {
    for (const choice of choices) this.choice(choice.index).observe(choice);
  }

  private choice(index: number): FilteredChoice {
    const known = this.choices.get(index) ?? new FilteredChoice(index, this.inspection, this.isJson);
    this.choices.set(index, known);
    return known;
  }

  private chunks([first, ...others]: readonly ChatChunkChoice[]): ChatChunk[] {
    if (first === undefined) return [];
    const { unsent } = this;
    this.unsent = {};
    return [Object.assign({}, unsent, { choices: [first] }), ...others.map((choice) => ({ choices: [choice] }))];
  }
}
