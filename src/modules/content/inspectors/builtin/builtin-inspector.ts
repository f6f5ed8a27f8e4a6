import type { DetectorRule } from '../../engine/compiled-filters.js';
import { type DetectorScan, scanWith } from '../../engine/detector-scan.js';
import type { RuleMatches } from '../../engine/rule-matches.js';
import { readingsOf, type TextReading } from '../../engine/text-readings.js';
import { type InspectedRequest, type Inspector, detectsIn } from '../inspector.js';

/** Runs the detectors of this service over texts, on the event loop. */
export class BuiltinInspector implements Inspector {
  /** @param matches those of each rule */
  constructor(
    private readonly rules: readonly DetectorRule[],
    private readonly matches: readonly RuleMatches[],
  ) {}

  async inspect({ texts, targetOf, turn }: InspectedRequest): Promise<void> {
    for (const [index, text] of texts.entries()) {
      const rules = [...this.rules.keys()].filter((position) => detectsIn(this.rules[position]!, text));
      if (rules.length === 0) continue;
      if (turn.mustRest) await turn.rest();
      for (const reading of await readingsOf((await targetOf(index)).text, turn)) {
        await scanWith(this.scansOf(index, rules, reading), reading, turn);
      }
    }
  }

  /** @param rules the positions of those that look through the text */
  private scansOf(index: number, rules: readonly number[], reading: TextReading): DetectorScan[] {
    return rules.map((position): DetectorScan => {
      const { detector } = this.rules[position]!;
      const matches = this.matches[position]!;
      return { detector, found: (start, end, pattern) => matches.addRead(index, reading, { start, end }, pattern) };
    });
  }
}
