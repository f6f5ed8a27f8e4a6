import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import { nonEmptyText } from '../../../providers/json-values.js';
import { ProviderError } from '../../../providers/provider-error.js';

/** Maximum size of all held calls, in characters. */
const MAXIMUM_HELD_LENGTH = 16 * 1024 * 1024;

/** What a piece takes besides its text while the text of its call is put together, in characters. */
const PIECE_SIZE = 32;

/** The size that a call counts besides its texts, in characters. */
const CALL_SIZE = 64;

/**
 * The tool calls that began while another one was incomplete, or without their names. Providers may send the pieces of several calls in turn,
 * or a name after the beginning; the Messages form has one block after the other, so these calls wait until the answer ends.
 */
export class HeldCalls {
  private readonly calls = new Map<number, ToolCallDelta>();
  /** What is held, in characters. */
  size = 0;

  /** Whether no call waits. */
  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** Whether the call of this number waits. */
  has(index: number): boolean {
    return this.calls.has(index);
  }

  /** Takes a piece of a call. @throws ProviderError for more than can be kept */
  add(piece: ToolCallDelta): void {
    const { index, id, function: called } = piece;
    const known = this.calls.get(index);
    const name = called?.name ?? '';
    const text = called?.arguments ?? '';
    this.size += PIECE_SIZE + text.length + name.length + (known === undefined ? CALL_SIZE + (id ?? '').length : 0);
    if (this.size > MAXIMUM_HELD_LENGTH) {
      throw new ProviderError('invalid', 'The provider sent more than 16 MiB of calls in turn.');
    }
    this.calls.set(index, known === undefined ? piece : joined(known, piece));
  }

  /** Gives the calls, each in one piece, in the order in which they have begun. */
  taken(): ToolCallDelta[] {
    const calls = [...this.calls.values()];
    this.calls.clear();
    this.size = 0;
    return calls;
  }
}

function joined(call: ToolCallDelta, { id, function: called }: ToolCallDelta): ToolCallDelta {
  return {
    index: call.index,
    id: call.id ?? id,
    type: 'function',
    function: {
      // A few providers send an empty one first.
      name: nonEmptyText(call.function?.name) ?? called?.name,
      arguments: `${call.function?.arguments ?? ''}${called?.arguments ?? ''}`,
    },
  };
}
