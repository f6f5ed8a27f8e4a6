import type { ScannedText } from '../content-result.js';
import type { AnswerPlace } from './answer-policy.js';

/** What of a text a judge sees at a time, in UTF-16 code units: a window, and how much of the one before it comes with it. */
export interface JudgedWindow {
  readonly characters: number;
  readonly overlap: number;
}

/** A text, or a window of one. */
export type JudgedPiece = Pick<ScannedText, 'kind' | 'text'>;

/** Judges texts of an answer from elsewhere, behind the filters of the policy. */
export interface AnswerJudge {
  /** The places whose texts it judges. */
  readonly places: ReadonlySet<AnswerPlace>;
  /** Whether its verdict counts: otherwise it is only asked, about whole texts, when the answer has ended. */
  readonly isEnforcing: boolean;
  readonly window: JudgedWindow | 'whole';
  /**
   * Judges texts, each of its own kind: JSON stays JSON.
   *
   * @returns what is to stand in their places
   * @throws AnswerRefused for what is blocked
   * @throws DomainError where it cannot judge, and texts do not pass then
   * @throws the reason of the signal
   */
  judge(place: AnswerPlace, texts: readonly JudgedPiece[], signal: AbortSignal): Promise<readonly string[]>;
}

/**
 * Has texts judged by one after the other, each of which is given what those before it left.
 *
 * @returns what is to stand in their places
 * @throws what a judge throws
 */
export async function judgedInTurn<Judge>(
  judges: readonly Judge[],
  pieces: readonly JudgedPiece[],
  judge: (by: Judge, left: readonly JudgedPiece[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let left = pieces;
  for (const by of judges) {
    const made = await judge(by, left);
    left = made.map((text, index) => ({ kind: pieces[index]!.kind, text }));
  }
  return left.map(({ text }) => text);
}
