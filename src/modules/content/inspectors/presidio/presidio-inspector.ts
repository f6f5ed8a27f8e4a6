import type { ScannedText } from '../../content-result.js';
import type { AnalyzerRule } from '../../engine/compiled-filters.js';
import { looksThrough } from '../../engine/filter-rule.js';
import type { RuleMatches } from '../../engine/rule-matches.js';
import type { InspectedRequest, Inspector } from '../inspector.js';
import { inspectRemotely } from '../remote-inspection.js';
import type { AnalyzerClient } from './analyzer-client.js';

/** How many texts of one request are analyzed at once. */
const ANALYZED_AT_ONCE = 8;

/** Has names and addresses looked for by an analyzer (docs/interface/content-filters.md#analyzer). */
export class PresidioInspector implements Inspector {
  /** @param matches those of each rule */
  constructor(
    private readonly analyzer: AnalyzerClient,
    private readonly rules: readonly AnalyzerRule[],
    private readonly matches: readonly RuleMatches[],
  ) {}

  async inspect(request: InspectedRequest): Promise<void> {
    const { texts, signal: client } = request;
    const analyzed = [...texts.keys()].filter((index) => this.rulesFor(texts[index]!).length > 0);
    await inspectRemotely(this.analyzer.settings, client, this.matches, async (signal) => {
      for (let first = 0; first < analyzed.length; first += ANALYZED_AT_ONCE) {
        const batch = analyzed.slice(first, first + ANALYZED_AT_ONCE);
        await Promise.all(batch.map((index) => this.analyze(index, { ...request, signal })));
      }
    });
  }

  /** The positions of the rules that look through a text: one for each entity at most. */
  private rulesFor(text: ScannedText): number[] {
    return [...this.rules.keys()].filter((position) => looksThrough(this.rules[position]!.rule, text));
  }

  private async analyze(index: number, { organizationId, texts, targetOf, signal }: InspectedRequest): Promise<void> {
    const { text } = await targetOf(index);
    const positions = this.rulesFor(texts[index]!);
    const matches = new Map(positions.map((position) => [this.rules[position]!.entity, this.matches[position]!]));
    const entities = [...matches.keys()];
    for await (const spans of this.analyzer.analyze({ organizationId, text, entities, signal })) {
      for (const { start, end, entity } of spans) matches.get(entity)?.add(index, start, end);
    }
  }
}
