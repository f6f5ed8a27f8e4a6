import type { CustomFilter } from '../content-filters.js';
import { customRule, type FilterRule } from '../engine/filter-rule.js';

/** A custom filter of a policy. */
export interface CustomPattern {
  readonly rule: FilterRule;
  readonly pattern: string;
}

/** Prepares a custom filter. @param index its position in the policy */
export function customPattern(filter: CustomFilter, index: number): CustomPattern {
  return { rule: customRule(filter, index), pattern: filter.pattern };
}
