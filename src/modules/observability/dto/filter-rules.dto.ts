import { BooleanField, EnumField, ObjectListField, TextOrNumberField } from '../../../http/validation/fields.js';

/** The fields that rules compare. */
const FILTER_FIELDS = [
  'model',
  'provider',
  'session_id',
  'user_id',
  'api_key_name',
  'finish_reason',
  'input',
  'output',
  'total_cost',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
] as const;

const FILTER_OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'regex',
  'starts_with',
  'ends_with',
  'gt',
  'lt',
  'gte',
  'lte',
  'exists',
  'not_exists',
] as const;

/** How the rules of a group combine. */
const FILTER_LOGICS = ['and', 'or'] as const;

/** The rules that select generations, as stored and returned. */
export interface FilterRules {
  readonly enabled?: boolean;
  readonly groups: readonly {
    readonly logic?: (typeof FILTER_LOGICS)[number];
    readonly rules: readonly {
      readonly field: (typeof FILTER_FIELDS)[number];
      readonly operator: (typeof FILTER_OPERATORS)[number];
      readonly value?: string | number;
    }[];
  }[];
}

/** One condition on a generation. */
export class ObservabilityFilterRule {
  @EnumField(FILTER_FIELDS, { description: 'The field that the rule compares.', example: 'model' })
  field: (typeof FILTER_FIELDS)[number];

  @EnumField(FILTER_OPERATORS, { description: 'The operator.', example: 'equals' })
  operator: (typeof FILTER_OPERATORS)[number];

  @TextOrNumberField({
    description: 'The value to compare with.',
    example: 'openai/gpt-5.5',
    optional: true,
  })
  value?: string | number;
}

/** Conditions that belong together. */
export class ObservabilityFilterRuleGroup {
  @EnumField(FILTER_LOGICS, {
    description: 'Whether all rules must match (and) or any (or).',
    example: 'and',
    optional: true,
    default: 'and',
  })
  logic?: (typeof FILTER_LOGICS)[number];

  @ObjectListField(() => ObservabilityFilterRule, { description: 'The rules.' })
  rules: readonly ObservabilityFilterRule[];
}

/** Which generations a destination receives. */
export class ObservabilityFilterRulesConfig {
  @BooleanField({ description: 'Whether the rules are applied.', example: true, optional: true, default: true })
  enabled?: boolean;

  @ObjectListField(() => ObservabilityFilterRuleGroup, { description: 'The groups of rules.' })
  groups: readonly ObservabilityFilterRuleGroup[];
}
