import type { ChatChoice, ChatChunkChoice } from '../../../codecs/chat/chat-completion.js';
import { listOf } from '../../../codecs/chat/json-values.js';
import type { Candidate } from '../request/candidate.js';
import type { Decision } from '../request/decision.js';

/**
 * The images of a chat, of which no more are delivered, and so charged, than were reserved (docs/budgets.md#images-of-chats): no request says
 * to a provider how many it may draw. A choice that has one left out ends with `length`, as one whose tokens are used up.
 */
export class BoundedImages {
  /** Whether an image was left out. */
  isExceeded = false;

  /** @param left how many the answer may have; Infinity for any number */
  constructor(private left: number) {}

  /** Whole choices within the bound. */
  ofChoices(choices: readonly ChatChoice[]): readonly ChatChoice[] {
    if (this.left === Infinity) return choices;
    return choices.map((choice) => this.ended({ ...choice, message: this.within(choice.message) }));
  }

  /** What a chunk adds to choices, within the bound. */
  ofChunk(choices: readonly ChatChunkChoice[]): readonly ChatChunkChoice[] {
    if (this.left === Infinity) return choices;
    return choices.map((choice) => this.ended({ ...choice, delta: this.within(choice.delta) }));
  }

  private within<Said extends object>(said: Said): Said {
    if (!('images' in said)) return said;
    const came = listOf(said.images);
    const images = came.slice(0, this.left);
    this.left -= images.length;
    if (images.length === came.length) return said;
    this.isExceeded = true;
    return { ...said, images };
  }

  private ended<Choice extends ChatChoice | ChatChunkChoice>(choice: Choice): Choice {
    return this.isExceeded && choice.finish_reason === 'stop' ? { ...choice, finish_reason: 'length' } : choice;
  }
}

/** The most images that an answer of a candidate may have: one for each choice where that is what was reserved, and an image has a price. */
export function mostImagesOf(
  { reservation, size }: Pick<Decision<unknown>, 'reservation' | 'size'>,
  { endpoint: { row } }: Pick<Candidate, 'endpoint'>,
): number {
  if (reservation === undefined || size === undefined) return Infinity;
  return Number(row.pricing.image_output ?? 0) > 0 ? (size.answer?.choices ?? 1) : Infinity;
}
