import type { ChatDelta, ToolCallDelta } from '../../../providers/chat-completion.js';
import { nonEmptyText } from '../../../providers/json-values.js';
import { ProviderError } from '../../../providers/provider-error.js';

/** Maximum size of all held pieces, in characters. */
const MAXIMUM_HELD_LENGTH = 16 * 1024 * 1024;

/** The size that a piece counts besides its texts, in characters. */
const PIECE_SIZE = 64;

/** A piece of an answer: one kind of thing, and of calls one. */
export type Piece =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'thought'; readonly thought: Pick<ChatDelta, 'reasoning' | 'reasoning_details'> }
  | { readonly kind: 'call'; readonly call: ToolCallDelta };

/**
 * What came while a call was incomplete: text, thoughts and other calls. Providers may send the pieces of several calls in turn, text between
 * the pieces of one, or a name after the beginning; the Messages form has one block after the other.
 */
export class HeldPieces {
  /** In their order, by numbers that rise. */
  private readonly pieces = new Map<number, Piece>();
  /** The numbers of the calls among them, by the indexes of the calls. */
  private readonly calls = new Map<number, number>();
  /** Calls whose names have not come, by their indexes. */
  private readonly nameless = new Map<number, ToolCallDelta>();
  private last = 0;
  /** What is held, in characters. */
  size = 0;

  /** Whether the call of this number waits. */
  has(index: number): boolean {
    return this.calls.has(index) || this.nameless.has(index);
  }

  /** Takes a piece; those of a call, and texts that follow each other, become one. @throws ProviderError for more than can be kept */
  add(piece: Piece): void {
    this.size += PIECE_SIZE + lengthOf(piece);
    if (this.size > MAXIMUM_HELD_LENGTH) {
      throw new ProviderError('invalid', 'The provider sent more than 16 MiB between the pieces of a call.');
    }
    if (piece.kind === 'call') this.addCall(piece.call);
    else this.addOther(piece);
  }

  /** Gives the first piece. @param atEnd gives a call without a name, too, which waits on otherwise */
  next(atEnd: boolean): Piece | undefined {
    for (const [at, piece] of this.pieces) {
      this.pieces.delete(at);
      if (piece.kind === 'call') this.calls.delete(piece.call.index);
      this.size -= Math.min(this.size, PIECE_SIZE + lengthOf(piece));
      return piece;
    }
    if (!atEnd) return undefined;
    for (const [index, call] of this.nameless) {
      this.nameless.delete(index);
      return { kind: 'call', call };
    }
    return undefined;
  }

  private addCall(part: ToolCallDelta): void {
    const { index } = part;
    const at = this.calls.get(index);
    const known = at === undefined ? undefined : this.pieces.get(at);
    if (at !== undefined && known?.kind === 'call') {
      this.pieces.set(at, { kind: 'call', call: joined(known.call, part) });
      return;
    }
    const begun = this.nameless.get(index);
    const call = begun === undefined ? part : joined(begun, part);
    if (!isNamed(call)) {
      this.nameless.set(index, call);
      return;
    }
    this.nameless.delete(index);
    this.calls.set(index, this.push({ kind: 'call', call }));
  }

  private addOther(piece: Piece): void {
    const last = this.pieces.get(this.last);
    if (last?.kind === 'said' && piece.kind === 'said') {
      this.pieces.set(this.last, { kind: 'said', text: last.text + piece.text });
    } else {
      this.push(piece);
    }
  }

  private push(piece: Piece): number {
    this.last += 1;
    this.pieces.set(this.last, piece);
    return this.last;
  }
}

/** Whether a part of a call has its name, which its block begins with. */
export function isNamed({ function: called }: ToolCallDelta): boolean {
  return nonEmptyText(called?.name) !== undefined;
}

function lengthOf(piece: Piece): number {
  if (piece.kind === 'said') return piece.text.length;
  if (piece.kind === 'thought') return JSON.stringify(piece.thought).length;
  const { id, function: called } = piece.call;
  return (id ?? '').length + (called?.name ?? '').length + (called?.arguments ?? '').length;
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
