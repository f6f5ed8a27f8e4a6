import { DETECTORS, REACHES } from '../../../../packages/content-detectors/index.js';
import { maximumMatchLength } from '../../../../packages/patterns/index.js';
import {
  ANSWER_PLACES,
  type BuiltinFilter,
  type ContentFilters,
  type CustomFilter,
  appliesTo,
} from '../content-filters.js';
import { ContentPolicy } from '../content-policy.js';
import { customPattern } from '../custom/custom-pattern.js';
import type { ContentEngine } from '../engine/compiled-filters.js';
import { builtinRule } from '../engine/filter-rule.js';
import { isAnalyzed } from '../inspectors/presidio/analyzer.js';
import { MAXIMUM_HELD } from './answer-text.js';
import type { BoundedDetector, BoundedPattern, BoundedRules } from './growing-scan.js';

export type AnswerPlace = (typeof ANSWER_PLACES)[number];

/** The filters of a policy that apply to one place of answers. */
export interface PlacePolicy {
  /** All of them. */
  readonly all: ContentPolicy;
  /** Those that only report; absent where none does. */
  readonly flagging?: ContentPolicy;
  /** Those that change or block what comes; absent where none does. */
  readonly enforcing?: ContentPolicy;
  /** How these are applied while a text comes; absent where one of them has to see all of it. */
  readonly bounded?: BoundedRules;
}

/** What the filters of a policy do to answers (docs/interface/content-filters.md#answers). */
export type AnswerPolicy = Readonly<Record<AnswerPlace, PlacePolicy | undefined>>;

/** The filters of a policy that apply to answers, ready to be applied. */
export function answerPolicyOf(organizationId: string, filters: ContentFilters, engine: ContentEngine): AnswerPolicy {
  const [response, toolCall] = ANSWER_PLACES.map((place) => {
    const ofPlace = filtersOfPlace(filters, place);
    return isEmpty(ofPlace) ? undefined : placePolicyOf(organizationId, ofPlace, engine);
  });
  return { response, tool_call: toolCall };
}

/** A policy whose filters only tell what they would do. */
export function observingPolicyOf({ response, tool_call: toolCall }: AnswerPolicy): AnswerPolicy {
  const observing = (policy: PlacePolicy | undefined): PlacePolicy | undefined =>
    policy && { all: policy.all, flagging: policy.all };
  return { response: observing(response), tool_call: observing(toolCall) };
}

function placePolicyOf(organizationId: string, filters: ContentFilters, engine: ContentEngine): PlacePolicy {
  const policyOf = (some: ContentFilters): ContentPolicy => new ContentPolicy(organizationId, some, engine);
  const flagging = filtersWhere(filters, ({ action }) => action === 'flag');
  const enforcing = filtersWhere(filters, ({ action }) => action !== 'flag');
  const bounded = boundedRulesOf(organizationId, enforcing, engine);
  return {
    all: policyOf(filters),
    ...(!isEmpty(flagging) && { flagging: policyOf(flagging) }),
    ...(!isEmpty(enforcing) && { enforcing: policyOf(enforcing) }),
    ...(bounded && { bounded }),
  };
}

/** Whether a filter of answers holds a text to its end, because what it looks for has no bound or is looked for elsewhere. */
export function holdsWholeText(
  filter: Pick<BuiltinFilter, 'slug'> | Pick<CustomFilter, 'pattern'>,
  isClassified: boolean,
): boolean {
  if ('pattern' in filter) return boundOf(filter.pattern) === undefined;
  return isAnalyzed(filter.slug) || (filter.slug === 'regex-prompt-injection' && isClassified);
}

/** The filters that apply to a place, as filters of nothing else: who says a text makes no difference in an answer. */
function filtersOfPlace(filters: ContentFilters, place: AnswerPlace): ContentFilters {
  const positioned = filters.contentFilters.map((filter, position) => ({ ...filter, position }));
  const applying = filtersWhere({ ...filters, contentFilters: positioned }, (filter) => appliesTo(filter, [place]));
  return {
    contentFilterBuiltins: applying.contentFilterBuiltins.map(({ slug, action, guardrailIds }) => ({
      slug,
      action,
      guardrailIds,
    })),
    contentFilters: applying.contentFilters.map(({ applies_to: _places, ...filter }) => filter),
  };
}

function filtersWhere(
  { contentFilterBuiltins, contentFilters }: ContentFilters,
  isMeant: (filter: BuiltinFilter | CustomFilter) => boolean,
): ContentFilters {
  return {
    contentFilterBuiltins: contentFilterBuiltins.filter(isMeant),
    contentFilters: contentFilters.filter(isMeant),
  };
}

function isEmpty({ contentFilterBuiltins, contentFilters }: ContentFilters): boolean {
  return contentFilterBuiltins.length + contentFilters.length === 0;
}

function boundedRulesOf(
  organizationId: string,
  { contentFilterBuiltins, contentFilters }: ContentFilters,
  engine: ContentEngine,
): BoundedRules | undefined {
  const { isConfigured } = engine.classifier;
  if ([...contentFilterBuiltins, ...contentFilters].some((filter) => holdsWholeText(filter, isConfigured)))
    return undefined;
  return {
    organizationId,
    detectors: contentFilterBuiltins.flatMap((filter): BoundedDetector[] => {
      const { slug } = filter;
      if (isAnalyzed(slug)) return [];
      return [{ rule: builtinRule(filter), detector: DETECTORS[slug], isUserOnly: false, reach: REACHES[slug] }];
    }),
    patterns: contentFilters.map((filter, index): BoundedPattern => {
      return { ...customPattern(filter, index), length: boundOf(filter.pattern)! };
    }),
  };
}

/** The length of the longest match of a pattern; undefined where the text is held for it anyway. */
function boundOf(pattern: string): number | undefined {
  const length = maximumMatchLength(pattern);
  return length === undefined || length > MAXIMUM_HELD ? undefined : length;
}
