import {
  type Detector,
  type MatchHandler,
  type Span,
  TextPart,
  WordRoom,
} from '../../../../packages/content-detectors/index.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { TextReading } from './text-readings.js';

/** How much of a text one call of a detector gets, in code units: a part of a hostile text takes one some six milliseconds at most. */
const PART = 4_096;

/** A detector, and who takes what it finds. */
export interface DetectorScan {
  readonly detector: Detector;
  readonly found: MatchHandler;
}

/** Runs detectors over the stretches of a text that are to be searched, part by part, and lets others use the event loop meanwhile. */
export async function scanWith(
  scans: readonly DetectorScan[],
  { text, stretches }: Pick<TextReading, 'text' | 'stretches'>,
  turn: LongWork,
): Promise<void> {
  const positions = scans.map(() => 0);
  const room = new WordRoom(Math.min(PART, text.length));
  for (const stretch of stretches()) await scanStretch(scans, text, stretch, { positions, room, turn });
}

/** What the scans of one text go on with from one stretch to the next. */
interface ScanProgress {
  /** Where each detector goes on: behind a match that reaches beyond the last stretch. */
  readonly positions: number[];
  readonly room: WordRoom;
  readonly turn: LongWork;
}

/** Runs detectors over one stretch of a text. */
export async function scanStretch(
  scans: readonly DetectorScan[],
  text: string,
  stretch: Span,
  { positions, room, turn }: ScanProgress,
): Promise<void> {
  for (let from = stretch.start; from < stretch.end; from += PART) {
    const part = new TextPart(text, from, Math.min(from + PART, stretch.end), room);
    for (const [index, { detector, found }] of scans.entries()) {
      const position = Math.max(positions[index]!, from);
      if (position >= part.to) continue;
      if (turn.mustRest) await turn.rest();
      positions[index] = detector.detect(part, position, found);
    }
  }
}

/** Where the words of a part are written to, which no part needs that is done with. */
export function partRoom(): WordRoom {
  return new WordRoom(PART);
}
