import type { Detector, MatchHandler } from './detector.js';
import type { ScanTurn } from './loop-turns.js';

/** How much of a text one call of a detector gets, in code units: no detector needs a millisecond for it. */
const PART = 8_192;

/** Runs a detector over a text, part by part, and lets others use the event loop meanwhile. */
export async function scanWith(detector: Detector, text: string, turn: ScanTurn, found: MatchHandler): Promise<void> {
  for (let from = 0; from < text.length;) {
    if (turn.isOver) await turn.rest();
    from = detector.detect(text, from, Math.min(from + PART, text.length), found);
  }
}
