import type { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { AnalyzedEntity } from '../inspectors/presidio/analyzer.js';
import type { AnalyzerClient } from '../inspectors/presidio/analyzer-client.js';
import type { ClassifierClient } from '../inspectors/classifier/classifier-client.js';
import type { CustomPattern } from '../custom/custom-pattern.js';
import type { CustomSearch } from '../custom/custom-search.js';
import type { Detector } from '../../../../packages/content-detectors/index.js';
import type { FilterRule } from './filter-rule.js';

/** What the policies of a process share. */
export interface ContentEngine {
  readonly turns: LoopTurns;
  readonly customSearch: CustomSearch;
  readonly analyzer: AnalyzerClient;
  readonly classifier: ClassifierClient;
}

/** A builtin filter that is ready to scan with. */
export interface DetectorRule {
  readonly rule: FilterRule;
  readonly detector: Detector;
  /** Whether only what the user says is scanned. */
  readonly isUserOnly: boolean;
}

/** A builtin filter that needs the analyzer. */
export interface AnalyzerRule {
  readonly rule: FilterRule;
  readonly entity: AnalyzedEntity;
}

/** The filters of a policy that are ready to scan with. */
export interface CompiledFilters {
  /** The organization, which takes turns with others. */
  readonly organizationId: string;
  readonly detectors: readonly DetectorRule[];
  /** Where among the detectors those of prompt injections are, for which a classifier may be asked too. */
  readonly classified: readonly number[];
  readonly analyzed: readonly AnalyzerRule[];
  readonly customPatterns: readonly CustomPattern[];
}
