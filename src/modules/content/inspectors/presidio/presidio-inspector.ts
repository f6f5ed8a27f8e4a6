import type { AnalyzerRule } from '../../engine/compiled-filters.js';
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
    await inspectRemotely(this.analyzer.settings, client, this.matches, async (signal) => {
      for (let first = 0; first < texts.length; first += ANALYZED_AT_ONCE) {
        const batch = texts.slice(first, first + ANALYZED_AT_ONCE);
        await Promise.all(batch.map((_, position) => this.analyze(first + position, { ...request, signal })));
      }
    });
  }

  private async analyze(index: number, { organizationId, targetOf, signal }: InspectedRequest): Promise<void> {
    const { text } = await targetOf(index);
    const entities = this.rules.map(({ entity }) => entity);
    for await (const spans of this.analyzer.analyze({ organizationId, text, entities, signal })) {
      for (const { start, end, entity } of spans) this.matches[entities.indexOf(entity)]?.add(index, start, end);
    }
  }
}
