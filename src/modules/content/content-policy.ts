import { isAnalyzed } from './inspectors/presidio/analyzer.js';
import { DETECTORS } from '../../../packages/content-detectors/index.js';
import {
  appliesTo,
  type BuiltinFilter,
  type ContentFilters,
  type FilterPlace,
  REQUEST_PLACES,
} from './content-filters.js';
import type { ContentResult, ScannedText, OnTextMatch } from './content-result.js';
import { customPattern } from './custom/custom-pattern.js';
import type { AnalyzerRule, CompiledFilters, ContentEngine, DetectorRule } from './engine/compiled-filters.js';
import { builtinRule } from './engine/filter-rule.js';
import { Inspection } from './inspection.js';

/** The content filters of a policy, compiled once for all requests under it (docs/interface/content-filters.md). */
export class ContentPolicy {
  /** Those that apply to requests. */
  private readonly filters: CompiledFilters;

  /** @param organizationId the organization that the policy belongs to, whose texts take turns with those of others */
  constructor(
    organizationId: string,
    filters: ContentFilters,
    private readonly engine: ContentEngine,
  ) {
    this.filters = compiled(organizationId, filters, REQUEST_PLACES);
  }

  /** Whether there is nothing to look for in requests, so that they need not be inspected. */
  get isEmpty(): boolean {
    const { detectors, analyzed, customPatterns } = this.filters;
    return detectors.length + analyzed.length + customPatterns.length === 0;
  }

  /** Whether some of the texts of requests leave the process, which can take long. */
  get asksServer(): boolean {
    const { analyzed, classified } = this.filters;
    return analyzed.length > 0 || (classified.length > 0 && this.engine.classifier.isConfigured);
  }

  /**
   * Applies the filters to the texts of a request, each to those of its places.
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

/** Compiles the filters that apply to some of the places. */
function compiled(
  organizationId: string,
  { contentFilterBuiltins, contentFilters }: ContentFilters,
  places: readonly FilterPlace[],
): CompiledFilters {
  const builtins = contentFilterBuiltins.filter((filter) => appliesTo(filter, places));
  const detectors = builtins.flatMap(detectorRuleOf);
  return {
    organizationId,
    detectors,
    classified: detectors.flatMap(({ detector }, index) =>
      detector === DETECTORS['regex-prompt-injection'] ? [index] : [],
    ),
    analyzed: builtins.flatMap(analyzerRuleOf),
    // A pattern is known by its position among all of the policy.
    customPatterns: contentFilters.map(customPattern).filter((_, index) => appliesTo(contentFilters[index]!, places)),
  };
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
