import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutgoingGeneration } from './generation-event.js';
import type { TextLimit } from './text-cut.js';

/** How long generations are written before others have a turn of the event loop, in milliseconds. */
const TURN_MS = 4;

/** How much is left out of a generation that is larger than a request may be. */
export interface Shortening {
  /** Of each text of the content; null for whole texts. */
  readonly contentText: TextLimit | null;
  readonly hasContent: boolean;
  /** Of each other field that the caller has written; null for the limits of the type. */
  readonly fieldText: TextLimit | null;
}

/** How a body is put together of what is written for each of its generations. */
export interface BodyForm {
  readonly first: string;
  readonly between: string;
  readonly last: string;
  /** Of the body before compression. */
  readonly maximumBytes: number;
  /** Of one generation, where a type takes less of it than of a body. */
  readonly maximumGenerationBytes?: number;
}

/** Nothing is left out. */
const WHOLE: Shortening = { contentText: null, hasContent: true, fieldText: null };

/** Of the fields of a generation whose content was not enough to leave out. */
const SHORT_FIELD: TextLimit = { length: 1_024, unit: 'bytes' };

/**
 * Writes a body that is not larger than a type takes, a few generations in each turn of the event loop. A generation that is too large by
 * itself is shortened: first each text of its content to an eighth of the limit, then its content is left out as a whole, and its other
 * fields are cut.
 *
 * @param write what stands in the body for a generation; a function of its parameters alone
 * @returns null for generations that are too large together, which are to be halved, and for one that cannot be made to fit
 */
export async function fittingBody(
  generations: readonly OutgoingGeneration[],
  form: BodyForm,
  write: (generation: OutgoingGeneration, shortening: Shortening) => Buffer,
): Promise<Buffer | null> {
  const [first, between, last] = [form.first, form.between, form.last].map((text) => Buffer.from(text));
  const room = form.maximumBytes - first!.length - last!.length;
  const roomOfOne = Math.min(room, form.maximumGenerationBytes ?? room);
  const pieces: Buffer[] = [];
  let length = 0;
  let turnEndsAt = performance.now() + TURN_MS;
  for (const generation of generations) {
    if (performance.now() >= turnEndsAt) {
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
    const piece = fittingPiece(generation, roomOfOne, write);
    if (piece === null) return null;
    if (pieces.length > 0) pieces.push(between!);
    length += piece.length + (pieces.length > 0 ? between!.length : 0);
    if (length > room) return null;
    pieces.push(piece);
  }
  return Buffer.concat([first!, ...pieces, last!]);
}

function fittingPiece(
  generation: OutgoingGeneration,
  maximumBytes: number,
  write: (generation: OutgoingGeneration, shortening: Shortening) => Buffer,
): Buffer | null {
  const contentText: TextLimit = { length: Math.floor(maximumBytes / 8), unit: 'bytes' };
  const steps: Shortening[] = [
    WHOLE,
    { ...WHOLE, contentText },
    { contentText, hasContent: false, fieldText: SHORT_FIELD },
  ];
  for (const shortening of steps) {
    const piece = write(generation, shortening);
    if (piece.length <= maximumBytes) return piece;
  }
  return null;
}

/** Whether anything of a generation's content is left out. */
export function isShortened({ contentText, hasContent }: Shortening): boolean {
  return contentText !== null || !hasContent;
}
