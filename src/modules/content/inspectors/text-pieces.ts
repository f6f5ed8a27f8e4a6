/** A piece of a text, and where it starts. */
export interface TextPiece {
  readonly start: number;
  readonly text: string;
}

/**
 * A text in pieces, which end between lines or words where that is possible; those of white space alone are left out.
 *
 * @param longest the length of a piece that starts at a position at most, in code units
 */
export function* piecesOf(text: string, longest: (start: number) => number): Generator<TextPiece> {
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start, longest(start));
    const piece = text.slice(start, end);
    if (piece.trim() !== '') yield { start, text: piece };
    start = end;
  }
}

function pieceEnd(text: string, start: number, longest: number): number {
  const last = start + longest;
  if (last >= text.length) return text.length;
  const piece = text.slice(start, last);
  for (const separator of ['\n', ' ']) {
    const end = piece.lastIndexOf(separator) + 1;
    if (end > longest / 2) return start + end;
  }
  // Not between the halves of one character.
  return /[\ud800-\udbff]/.test(text.charAt(last - 1)) ? last - 1 : last;
}
