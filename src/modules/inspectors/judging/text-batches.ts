import type { InspectionProtocol } from '../protocols/inspection-protocol.js';
import { piecesOf, type TextPiece } from '../../content/inspectors/text-pieces.js';

/** A piece of one of several texts. */
interface PlacedPiece extends TextPiece {
  readonly text: string;
  /** Which text. */
  readonly index: number;
}

/** Pieces of texts that are judged by one request. */
export type TextBatch = readonly PlacedPiece[];

/**
 * Divides texts into what one request takes. What is of white space alone is in none.
 *
 * @param most how many pieces there may be in a batch, and characters in a piece
 */
export function batchesOf(texts: readonly string[], most: InspectionProtocol['most']): TextBatch[] {
  const pieces = texts.flatMap((text, index) =>
    [...piecesOf(text, () => most.characters)].map((piece) => ({ ...piece, index })),
  );
  if (pieces.length === 0) return [];
  const size = Math.min(most.texts, pieces.length);
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, number) =>
    pieces.slice(number * size, (number + 1) * size),
  );
}

/** What a piece has become. */
export interface ChangedPiece {
  readonly piece: TextBatch[number];
  readonly text: string;
}

/** Texts with some of their pieces changed. */
export function withChanges(texts: readonly string[], changes: readonly ChangedPiece[]): string[] {
  const ofText = new Map<number, ChangedPiece[]>();
  for (const change of changes) {
    const { index } = change.piece;
    const known = ofText.get(index);
    if (known === undefined) ofText.set(index, [change]);
    else known.push(change);
  }
  return texts.map((text, index) => {
    const ordered = (ofText.get(index) ?? []).sort((one, other) => one.piece.start - other.piece.start);
    let end = 0;
    const parts = ordered.flatMap(({ piece, text: changed }) => {
      const kept = text.slice(end, piece.start);
      end = piece.start + piece.text.length;
      return [kept, changed];
    });
    return [...parts, text.slice(end)].join('');
  });
}
