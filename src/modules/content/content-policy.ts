import { isAnalyzed } from './inspectors/presidio/analyzer.js';
import { DETECTORS } from '../../../packages/content-detectors/index.js';
import type { BuiltinFilter, ContentFilters } from './content-filters.js';
import type { ContentResult, ScannedText, OnTextMatch } from './content-result.js';
import { customPattern } from './custom/custom-pattern.js';
import type { AnalyzerRule, CompiledFilters, ContentEngine, DetectorRule } from './engine/compiled-filters.js';
import { builtinRule } from './engine/filter-rule.js';
import { Inspection } from './inspection.js';

/** The content filters of a policy, compiled once for all requests under it (docs/interface/content-filters.md). */
export class ContentPolicy {
  private readonly filters: CompiledFilters;

  /** @param organizationId the organization that the policy belongs to, whose texts take turns with those of others */
  constructor(
    organizationId: string,
    { contentFilterBuiltins, contentFilters }: ContentFilters,
    private readonly engine: ContentEngine,
  ) {
    const detectors = contentFilterBuiltins.flatMap(detectorRuleOf);
    const injection = detectors.findIndex(({ detector }) => detector === DETECTORS['regex-prompt-injection']);
    this.filters = {
      organizationId,
      detectors,
      classified: injection === -1 ? undefined : injection,
      analyzed: contentFilterBuiltins.flatMap(analyzerRuleOf),
      customPatterns: contentFilters.map(customPattern),
    };
  }

  /** Whether there is nothing to look for, so that requests need not be inspected. */
  get isEmpty(): boolean {
    const { detectors, analyzed, customPatterns } = this.filters;
    return detectors.length + analyzed.length + customPatterns.length === 0;
  }

  /** Whether some of the texts leave the process, which can take long. */
  get asksServer(): boolean {
    const { analyzed, classified } = this.filters;
    return analyzed.length > 0 || (classified !== undefined && this.engine.classifier.isConfigured);
  }

  /**
   * Applies the filters to the texts of a request.
   *
   * @param texts all texts of the request, once the preset is merged
   * @param signal ends the scan when the client is gone
   * @param matched receives where filters match, for those who want to know
   * @throws ContentFilterUnavailable when a filter needs the analyzer or the classifier, and that fails
   * @throws TooManyContentScans when too many requests or texts of the organization wait already
   * @throws the reason of the signal
   */
  async inspect(texts: readonly ScannedText[], signal?: AbortSignal, matched?: OnTextMatch): Promise<ContentResult> {
    return new Inspection(this.filters, this.engine, texts, { signal, matched }).run();
  }
}

function detectorRuleOf(filter: BuiltinFilter): DetectorRule[] {
  const { slug } = filter;
  if (isAnalyzed(slug)) return [];
  return [{ rule: builtinRule(filter), detector: DETECTORS[slug], isUserOnly: filter.scan_scope === 'user_only' }];
}

function analyzerRuleOf(filter: BuiltinFilter): AnalyzerRule[] {
  const { slug } = filter;
  return isAnalyzed(slug) ? [{ rule: builtinRule(filter), entity: slug }] : [];
}
