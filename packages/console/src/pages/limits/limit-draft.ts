import type { Schema } from '../../api/types';
import type { Enforcement } from '../../components/enforcement';
import { linesOf, partsOf } from '../../components/lines';
import { KEYS, LABEL_PREFIX } from '../../components/limit-values';
import { type Condition, conditionsOf, type Limit, type Measure, type Window } from './limit-words';

/** A limit as its form has it: lists as lines of text, so that they can be typed and pasted. */
export interface LimitDraft {
  readonly name: string;
  /** Empty for the whole organization. */
  readonly workspace: string;
  readonly measure: Measure;
  readonly amount: number | null;
  readonly window: Window;
  /** The keys that it groups by, of {@link KEYS}. */
  readonly groups: readonly string[];
  /** The names of the labels that it groups by, divided by commas. */
  readonly groupLabels: string;
  readonly conditions: readonly ConditionDraft[];
  readonly onMissing: Limit['on_missing'];
  readonly countsByok: boolean;
  readonly enforcement: Enforcement;
  /** In percent, divided by commas. */
  readonly alertAt: string;
}

/** A condition in the form. */
export interface ConditionDraft {
  readonly key: string;
  readonly values: string;
  readonly excludes: string;
}

/** How any value is written. */
const ANY = '*';

/** A new limit. */
export const NEW_LIMIT: LimitDraft = {
  name: '',
  workspace: '',
  measure: 'usd',
  amount: null,
  window: 'daily',
  groups: [],
  groupLabels: '',
  conditions: [],
  onMissing: 'none',
  countsByok: false,
  enforcement: 'enforce',
  alertAt: '80, 100',
};

/** A new condition, about what most limits are about. */
export const NEW_CONDITION: ConditionDraft = { key: 'model', values: '', excludes: '' };

/** The form of a limit that exists. */
export function draftOf(limit: Limit): LimitDraft {
  return {
    name: limit.name,
    workspace: limit.workspace_id ?? '',
    measure: limit.measure,
    amount: limit.amount,
    window: limit.window ?? NEW_LIMIT.window,
    groups: limit.group_by.filter((key) => !key.startsWith(LABEL_PREFIX)),
    groupLabels: limit.group_by
      .filter((key) => key.startsWith(LABEL_PREFIX))
      .map((key) => key.slice(LABEL_PREFIX.length))
      .join(', '),
    conditions: conditionsOf(limit).map(({ key, values, excludes }) => ({
      key,
      values: values === ANY ? ANY : values.join('\n'),
      excludes: (excludes ?? []).join('\n'),
    })),
    onMissing: limit.on_missing,
    countsByok: limit.include_byok,
    enforcement: limit.enforcement,
    // 1.1 of the amount is 110.00000000000001 in percent.
    alertAt: limit.alert_at.map((share) => Number((share * 100).toFixed(6))).join(', '),
  };
}

/** What the form of a limit that exists can change, as the interface takes it. */
export function toChanges(draft: LimitDraft): Schema<'UpdateLimitRequest'> & Pick<Limit, 'name' | 'amount'> {
  return {
    name: draft.name,
    amount: draft.amount!,
    conditions: draft.conditions.map((condition) => ({ ...toCondition(condition) })),
    on_missing: draft.onMissing,
    include_byok: draft.countsByok,
    enforcement: draft.enforcement,
    alert_at: partsOf(draft.alertAt).map((percent) => Number(percent) / 100),
  };
}

/** The form of a new limit as the interface takes it. */
export function toLimit(draft: LimitDraft): Schema<'CreateLimitRequest'> {
  return {
    ...toChanges(draft),
    measure: draft.measure,
    window: draft.measure === 'concurrent' ? null : draft.window,
    group_by: groupsOf(draft),
    workspace_id: draft.workspace === '' ? null : draft.workspace,
  };
}

/** The keys that the form groups by. */
export function groupsOf({ groups, groupLabels }: LimitDraft): string[] {
  return [
    ...KEYS.map(([key]) => key).filter((key) => groups.includes(key)),
    ...partsOf(groupLabels).map((name) => LABEL_PREFIX + name),
  ];
}

/** The values of a condition with one more; it takes the place of any value. */
export function withValue(values: string, value: string): string {
  return [...linesOf(values).filter((line) => line !== ANY), value].join('\n');
}

function toCondition({ key, values, excludes }: ConditionDraft): Condition {
  const excluded = linesOf(excludes);
  return {
    key,
    values: values.trim() === ANY ? ANY : linesOf(values),
    ...(excluded.length > 0 && { excludes: excluded }),
  };
}
