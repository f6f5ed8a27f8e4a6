import type { DetectorRule } from '../../engine/compiled-filters.js';
import { type DetectorScan, scanWith } from '../../engine/detector-scan.js';
import type { RuleMatches } from '../../engine/rule-matches.js';
import { readingsOf, type TextReading } from '../../engine/text-readings.js';
import { type InspectedRequest, type Inspector, isOfUser } from '../inspector.js';

/** Runs the detectors of this service over texts, on the event loop. */
export class BuiltinInspector implements Inspector {
  /** @param matches those of each rule */
  constructor(
    private readonly rules: readonly DetectorRule[],
    private readonly matches: readonly RuleMatches[],
  ) {}

  async inspect({ texts, targetOf, turn }: InspectedRequest): Promise<void> {
    if (this.rules.length === 0) return;
    for (const [index, text] of texts.entries()) {
      if (turn.mustRest) await turn.rest();
      for (const reading of await readingsOf((await targetOf(index)).text, turn)) {
        await scanWith(this.scansOf(index, isOfUser(text), reading), reading, turn);
      }
    }
  }

  private scansOf(index: number, isUsers: boolean, reading: TextReading): DetectorScan[] {
    return this.rules.flatMap(({ detector, isUserOnly }, position): DetectorScan[] => {
      if (isUserOnly && !isUsers) return [];
      const matches = this.matches[position]!;
      return [{ detector, found: (start, end, pattern) => matches.addRead(index, reading, { start, end }, pattern) }];
    });
  }
}
