import type { LongWork } from '../../../../concurrency/long-work.js';
import { codePointsOf } from '../../../../api/validation/constraints.js';
import type { FinishReason } from '../../../providers/chat-completion.js';
import { allTokenProbabilitiesOf, type TokenProbabilities, tokenProbabilitiesOf } from './token-probabilities.js';

/** What a choice of a chat says, as a whole or in one of its pieces. */
interface SaidText {
  readonly text: string | null | undefined;
  readonly logprobs?: unknown;
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** Writes one choice of an answer, as a whole or piece by piece (docs/interface/completions.md#answers). */
export class TextChoice {
  /** The length of the tokens so far, in characters. */
  private tokenLength = 0;

  /**
   * @param index of the choice, from 0
   * @param opening what stands before the answer
   */
  constructor(
    private readonly index: number,
    private opening: string,
  ) {}

  /** The next piece of the choice. */
  write(said: SaidText): object {
    return this.written(said, tokenProbabilitiesOf(said.logprobs, this.tokenLength));
  }

  /** The whole choice, in turns of the event loop where it is large. */
  async writeWhole(said: SaidText, work: LongWork): Promise<object> {
    return this.written(said, await allTokenProbabilitiesOf(said.logprobs, work));
  }

  private written(
    { text, finish_reason: reason, native_finish_reason: native }: SaidText,
    probabilities: TokenProbabilities | null,
  ): object {
    for (const token of probabilities?.tokens ?? []) this.tokenLength += codePointsOf(token);
    const { opening } = this;
    this.opening = '';
    return {
      text: opening + (text ?? ''),
      index: this.index,
      logprobs: probabilities,
      // The form has no calls of tools.
      finish_reason: reason === 'tool_calls' ? 'stop' : reason,
      native_finish_reason: native,
    };
  }
}
