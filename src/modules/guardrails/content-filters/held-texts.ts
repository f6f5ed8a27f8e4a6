import { holdsWholeText } from '../../content/answers/answer-policy.js';
import { ANSWER_PLACES, appliesTo } from '../../content/content-filters.js';
import type { StoredBuiltinFilter, StoredCustomFilter } from './stored-filters.js';

/** What an answer says of a filter that holds texts of answers back to their end. */
export interface HeldTexts {
  readonly holds_whole_text?: true;
}

/**
 * Whether a filter holds texts of answers to their end (docs/interface/guardrails.md#where-filters-apply). Takes time in proportion to the length
 * of a pattern that applies to answers.
 *
 * @param isClassified whether there is a classifier of prompt injections
 */
export function heldTextsOf(filter: StoredBuiltinFilter | StoredCustomFilter, isClassified: boolean): HeldTexts {
  const isEnforced = filter.action !== 'flag' && appliesTo(filter, ANSWER_PLACES);
  return isEnforced && holdsWholeText(filter, isClassified) ? { holds_whole_text: true } : {};
}
