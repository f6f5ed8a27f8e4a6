import { measurePattern, QuickTest } from '../../../../packages/patterns/index.js';
import type { CustomFilter } from '../content-filters.js';
import { customRule, type FilterRule } from '../engine/filter-rule.js';

/** Guardrails accept no pattern whose groups are nested deeper. */
const MAXIMUM_DEPTH = 100;

/** A custom filter that is ready to search with. */
export class CustomPattern {
  readonly rule: FilterRule;
  readonly pattern: string;
  private readonly quickTest: QuickTest;

  constructor(filter: CustomFilter, index: number) {
    this.rule = customRule(filter, index);
    this.pattern = filter.pattern;
    this.quickTest = new QuickTest(filter.pattern, measurePattern(filter.pattern, MAXIMUM_DEPTH));
  }

  /** Whether a text is known to have no match, by a test of a few milliseconds at most. */
  isAbsentFrom(text: string): boolean {
    return this.quickTest.occursIn(text) === false;
  }
}
