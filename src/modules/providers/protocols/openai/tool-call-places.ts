import type { ToolCallDelta } from '../../chat-completion.js';
import { ProviderError } from '../../provider-error.js';

/** Far more than any answer has. */
const MOST_CALLS = 10_000;

/** A call that parts may still come for. */
interface OpenCall {
  readonly id: string | undefined;
  readonly place: number;
}

/** The calls of one choice, by the provider's index. */
interface CallsOfChoice {
  readonly open: Map<number, OpenCall>;
  /** The place behind all others. */
  end: number;
  /** Whether the provider's indexes are no longer the places. */
  areMoved: boolean;
}

/**
 * Gives each tool call of a stream a place of its own. Some servers send every call with the index 0, or without an index, and
 * clients would put the arguments of all of them together.
 */
export class ToolCallPlaces {
  private readonly choices = new Map<number, CallsOfChoice>();
  private calls = 0;

  /**
   * Puts the place of its call into each part.
   *
   * @param choice its index
   * @param deltas in their order
   * @throws ProviderError for more than 10,000 calls
   */
  placed(choice: number, deltas: readonly ToolCallDelta[]): readonly ToolCallDelta[] {
    const calls = this.callsOf(choice);
    return deltas.map((delta) => {
      const place = this.placeOf(calls, delta);
      return place === delta.index ? delta : { index: place, ...withoutIndex(delta) };
    });
  }

  private callsOf(choice: number): CallsOfChoice {
    const known = this.choices.get(choice);
    if (known !== undefined) return known;
    const calls: CallsOfChoice = { open: new Map(), end: 0, areMoved: false };
    this.choices.set(choice, calls);
    return calls;
  }

  private placeOf(calls: CallsOfChoice, delta: ToolCallDelta): number {
    const { index, id } = delta;
    const open = calls.open.get(index);
    if (open !== undefined && !isAnother(open, delta)) {
      if (open.id === undefined && id !== undefined) calls.open.set(index, { id, place: open.place });
      return open.place;
    }
    this.calls += 1;
    if (this.calls > MOST_CALLS) {
      throw new ProviderError('invalid', `The provider’s answer has more than ${MOST_CALLS} calls of tools.`);
    }
    calls.areMoved ||= open !== undefined;
    const place = calls.areMoved ? calls.end : index;
    calls.end = Math.max(calls.end, place + 1);
    calls.open.set(index, { id, place });
    return place;
  }
}

/** Whether a part begins another call. Some servers give each part of one call a new id, but only the first of them a name. */
function isAnother(open: OpenCall, { id, function: called }: ToolCallDelta): boolean {
  return open.id !== undefined && id !== undefined && id !== open.id && called?.name !== undefined;
}

function withoutIndex({ index: _index, ...others }: ToolCallDelta): Omit<ToolCallDelta, 'index'> {
  return others;
}
