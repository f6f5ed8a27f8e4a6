import { BooleanField, EnumField, ObjectListField, SchemaField } from '../../../http/schema/fields.js';
import { FILTER_FIELDS, FILTER_LOGICS, FILTER_OPERATORS } from '../filter-rules.js';

/** One condition on a generation. */
export class ObservabilityFilterRule {
  @EnumField(FILTER_FIELDS, { description: 'What the rule looks at.', example: 'model' })
  field: (typeof FILTER_FIELDS)[number];

  @EnumField(FILTER_OPERATORS, { description: 'How it compares.', example: 'equals' })
  operator: (typeof FILTER_OPERATORS)[number];

  @SchemaField(() => ({ anyOf: [{ type: 'string' }, { type: 'number' }] }), {
    description: 'What it compares with.',
    example: 'openai/gpt-5.5',
    optional: true,
  })
  value?: string | number;
}

/** Conditions that belong together. */
export class ObservabilityFilterRuleGroup {
  @EnumField(FILTER_LOGICS, {
    description: 'Whether all rules must hold or any.',
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
  @BooleanField({ description: 'Whether the rules are in force.', example: true, optional: true, default: true })
  enabled?: boolean;

  @ObjectListField(() => ObservabilityFilterRuleGroup, { description: 'The groups of rules.' })
  groups: readonly ObservabilityFilterRuleGroup[];
}
