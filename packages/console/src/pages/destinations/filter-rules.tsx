import type { ReactNode } from 'react';
import {
  ObservabilityFilterRule,
  ObservabilityFilterRuleGroup,
  ObservabilityFilterRulesConfig,
} from '../../api/descriptions';
import type { Schema } from '../../api/types';
import { CheckField, type Option, requestFields, SelectField, TextField } from '../../components/fields';
import { END_USERS, MODELS, PROVIDERS, SuggestField, type Suggestions } from '../../components/suggestions';

export type FilterRules = Schema<'ObservabilityFilterRulesConfig'>;
type RuleGroup = FilterRules['groups'][number];
type Rule = RuleGroup['rules'][number];

const FIELDS = {
  model: 'Model',
  provider: 'Provider',
  session_id: 'Session',
  user_id: 'End user',
  api_key_name: 'Name of the API key',
  finish_reason: 'Finish reason',
  input: 'Input',
  output: 'Output',
  total_cost: 'Cost in US dollars',
  total_tokens: 'Tokens',
  prompt_tokens: 'Tokens of the prompt',
  completion_tokens: 'Tokens of the answer',
} as const satisfies Readonly<Record<Rule['field'], string>>;

/** What is compared as a number. */
const NUMBERS: readonly Rule['field'][] = ['total_cost', 'total_tokens', 'prompt_tokens', 'completion_tokens'];

const OPERATORS = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  regex: 'matches the expression (RE2)',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  exists: 'is there',
  not_exists: 'is not there',
} as const satisfies Readonly<Record<Rule['operator'], string>>;

/** Where values of a field are picked from. */
const SUGGESTED: Partial<Readonly<Record<Rule['field'], Suggestions>>> = {
  model: MODELS,
  provider: PROVIDERS,
  user_id: END_USERS,
};

/** What a rule with one of these compares with nothing. */
const WITHOUT_VALUE: readonly Rule['operator'][] = ['exists', 'not_exists'];

const LOGICS: readonly Option[] = [
  ['and', 'All of its rules'],
  ['or', 'Any of its rules'],
];

const NEW_RULE: Rule = { field: 'model', operator: 'equals', value: '' };

/** Rules as the interface takes them: numbers as such, and null for none. What is no number the service says itself. */
export function sentRules(rules: FilterRules | null): FilterRules | null {
  if (rules === null || rules.groups.length === 0) return null;
  return { ...rules, groups: rules.groups.map((group) => ({ ...group, rules: group.rules.map(sentRule) })) };
}

function sentRule({ field, operator, value = '' }: Rule): Rule {
  if (WITHOUT_VALUE.includes(operator)) return { field, operator };
  const isNumber = NUMBERS.includes(field) && value !== '' && Number.isFinite(Number(value));
  return { field, operator, value: isNumber ? Number(value) : value };
}

interface FilterRulesFieldsProps {
  readonly rules: FilterRules | null;
  readonly onChange: (rules: FilterRules) => void;
  readonly error: Error | null;
  readonly hint: ReactNode;
}

/** The rules that select what a destination gets: groups that must all hold. */
export function FilterRulesFields({ rules, onChange, error, hint }: FilterRulesFieldsProps): ReactNode {
  const groups = rules?.groups ?? [];
  const of = requestFields(ObservabilityFilterRulesConfig, error, 'filter_rules.');
  const set = (changed: FilterRules['groups']): void => onChange({ ...rules, groups: changed });
  return (
    <fieldset>
      <legend>Filter rules</legend>
      <p className="hint">{hint}</p>
      {groups.map((group, index) => (
        // A group has no name of its own: it is the one at its place.
        <GroupFields
          key={index}
          number={index + 1}
          group={group}
          error={error}
          onChange={(changed) => set(groups.map((other, at) => (at === index ? changed : other)))}
          onRemove={() => set(groups.filter((_, at) => at !== index))}
        />
      ))}
      <button type="button" onClick={() => set([...groups, { rules: [NEW_RULE] }])}>
        Add a group of rules
      </button>
      {groups.length > 0 && (
        <CheckField
          label="Apply the rules"
          {...of('enabled')}
          value={rules?.enabled ?? true}
          onChange={(enabled) => onChange({ groups, enabled })}
        />
      )}
    </fieldset>
  );
}

interface GroupFieldsProps {
  readonly number: number;
  readonly group: RuleGroup;
  readonly error: Error | null;
  readonly onChange: (group: RuleGroup) => void;
  readonly onRemove: () => void;
}

function GroupFields({ number, group, error, onChange, onRemove }: GroupFieldsProps): ReactNode {
  const path = `filter_rules.groups[${number - 1}].`;
  const of = requestFields(ObservabilityFilterRuleGroup, error, path);
  const { rules } = group;
  return (
    <fieldset>
      <legend>Group {number}</legend>
      <SelectField
        label="What must hold"
        {...of('logic')}
        value={group.logic ?? 'and'}
        options={LOGICS}
        onChange={(logic) => onChange({ ...group, logic: logic as NonNullable<RuleGroup['logic']> })}
      />
      {rules.map((rule, index) => (
        <RuleFields
          key={index}
          name={`rule ${index + 1} of group ${number}`}
          rule={rule}
          path={`${path}rules[${index}].`}
          error={error}
          onChange={(changed) =>
            onChange({ ...group, rules: rules.map((other, at) => (at === index ? changed : other)) })
          }
          onRemove={() => onChange({ ...group, rules: rules.filter((_, at) => at !== index) })}
        />
      ))}
      <div className="actions">
        <button type="button" onClick={() => onChange({ ...group, rules: [...rules, NEW_RULE] })}>
          Add a rule to group {number}
        </button>
        <button type="button" onClick={onRemove}>
          Remove group {number}
        </button>
      </div>
    </fieldset>
  );
}

interface RuleFieldsProps {
  readonly name: string;
  readonly rule: Rule;
  /** Of its fields in the request. */
  readonly path: string;
  readonly error: Error | null;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

function RuleFields({ name, rule, path, error, onChange, onRemove }: RuleFieldsProps): ReactNode {
  const of = requestFields(ObservabilityFilterRule, error, path);
  const suggestions = SUGGESTED[rule.field];
  const value = {
    label: `Value of ${name}`,
    issue: of('value').issue,
    value: String(rule.value ?? ''),
    onChange: (typed: string) => onChange({ ...rule, value: typed }),
  };
  return (
    <div className="pairs">
      <SelectField
        label={`Field of ${name}`}
        issue={of('field').issue}
        value={rule.field}
        options={Object.entries(FIELDS)}
        onChange={(field) => onChange({ ...rule, field: field as Rule['field'] })}
      />
      <SelectField
        label={`Operator of ${name}`}
        issue={of('operator').issue}
        value={rule.operator}
        options={Object.entries(OPERATORS)}
        onChange={(operator) => onChange({ ...rule, operator: operator as Rule['operator'] })}
      />
      {!WITHOUT_VALUE.includes(rule.operator) &&
        (suggestions === undefined ? (
          <TextField {...value} />
        ) : (
          <SuggestField key={rule.field} {...value} suggestions={suggestions} />
        ))}
      <button type="button" onClick={onRemove}>
        Remove {name}
      </button>
    </div>
  );
}
