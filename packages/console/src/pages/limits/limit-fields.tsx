import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { useWorkspaces } from '../../api/names';
import { type Enforcement, ENFORCEMENTS } from '../../components/enforcement';
import { CheckField, NumberField, type Option, SelectField, TextArea, TextField } from '../../components/fields';
import { type ConditionDraft, groupsOf, type LimitDraft, NEW_CONDITION, withValue } from './limit-draft';
import {
  KEYS,
  LABEL_PREFIX,
  type Limit,
  MEASURES,
  type Measure,
  ON_MISSING,
  useChoices,
  type Window,
  WINDOWS,
} from './limit-words';

interface LimitFieldsProps {
  readonly draft: LimitDraft;
  readonly onChange: (draft: LimitDraft) => void;
  readonly error: Error | null;
  /** Whether what it counts can be chosen, which stays as it is made. */
  readonly isNew?: boolean;
}

/** The fields of a limit. */
export function LimitFields({ draft, onChange, error, isNew = false }: LimitFieldsProps): ReactNode {
  const issueOf = (path: string): string | undefined => (error instanceof ApiError ? error.issueOf(path) : undefined);
  const set = (changed: Partial<LimitDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      <TextField
        label="Name"
        hint="Refusals, records and alerts tell it."
        isRequired
        maxLength={100}
        value={draft.name}
        issue={issueOf('name')}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <SelectField
          label="Counts"
          value={draft.measure}
          options={Object.entries(MEASURES)}
          issue={issueOf('measure')}
          onChange={(measure) => set({ measure: measure as Measure })}
        />
      )}
      <NumberField
        label={draft.measure === 'usd' ? 'Amount in US dollars' : 'Amount'}
        hint="0 refuses everything."
        min={0}
        step={draft.measure === 'usd' ? 'any' : 1}
        isRequired
        value={draft.amount}
        issue={issueOf('amount')}
        onChange={(amount) => set({ amount })}
      />
      {isNew && <Scope draft={draft} onChange={onChange} issueOf={issueOf} />}
      {groupsOf(draft).length > 0 && (
        <SelectField
          label="Requests that lack what is counted apart"
          value={draft.onMissing}
          options={Object.entries(ON_MISSING)}
          issue={issueOf('on_missing')}
          onChange={(onMissing) => set({ onMissing: onMissing as Limit['on_missing'] })}
        />
      )}
      <Conditions conditions={draft.conditions} onChange={(conditions) => set({ conditions })} issueOf={issueOf} />
      {['usd', 'tokens'].includes(draft.measure) && (
        <CheckField
          label="Count what goes through provider keys of your own"
          value={draft.countsByok}
          onChange={(countsByok) => set({ countsByok })}
        />
      )}
      <SelectField
        label="Enforcement"
        value={draft.enforcement}
        options={ENFORCEMENTS}
        issue={issueOf('enforcement')}
        onChange={(enforcement) => set({ enforcement: enforcement as Enforcement })}
      />
      <TextField
        label="Alerts at percent of the amount"
        hint="Divided by commas. Empty: none."
        value={draft.alertAt}
        issue={issueOf('alert_at')}
        onChange={(alertAt) => set({ alertAt })}
      />
    </>
  );
}

interface ScopeProps {
  readonly draft: LimitDraft;
  readonly onChange: (draft: LimitDraft) => void;
  readonly issueOf: (path: string) => string | undefined;
}

/** What of a limit stays as it is made, besides what it counts. */
function Scope({ draft, onChange, issueOf }: ScopeProps): ReactNode {
  const workspaces = useWorkspaces();
  const set = (changed: Partial<LimitDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {draft.measure !== 'concurrent' && (
        <SelectField
          label="In what time"
          hint="By the calendar in UTC; weeks begin on Monday."
          value={draft.window}
          options={Object.entries(WINDOWS)}
          issue={issueOf('window')}
          onChange={(window) => set({ window: window as Window })}
        />
      )}
      <SelectField
        label="Of the requests of"
        value={draft.workspace}
        options={[['', 'All workspaces'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        issue={issueOf('workspace_id')}
        onChange={(workspace) => set({ workspace })}
      />
      <fieldset>
        <legend>Each of these is counted apart</legend>
        <div className="pairs">
          {KEYS.map(([key, label]) => (
            <CheckField
              key={key}
              label={label}
              value={draft.groups.includes(key)}
              onChange={(isChosen) =>
                set({ groups: isChosen ? [...draft.groups, key] : draft.groups.filter((other) => other !== key) })
              }
            />
          ))}
        </div>
        <TextField
          label="Labels"
          hint="Their names, divided by commas. Up to five in all; without any there is one counter."
          value={draft.groupLabels}
          issue={issueOf('group_by')}
          onChange={(groupLabels) => set({ groupLabels })}
        />
      </fieldset>
    </>
  );
}

interface ConditionsProps {
  readonly conditions: readonly ConditionDraft[];
  readonly onChange: (conditions: readonly ConditionDraft[]) => void;
  readonly issueOf: (path: string) => string | undefined;
}

function Conditions({ conditions, onChange, issueOf }: ConditionsProps): ReactNode {
  return (
    <>
      {conditions.map((condition, index) => (
        // A condition has no name of its own: it is the one at its place.
        <fieldset key={index}>
          <legend>Condition {index + 1}</legend>
          <ConditionFields
            condition={condition}
            issueOf={(field) => issueOf(`conditions[${index}].${field}`)}
            onChange={(changed) => onChange(conditions.map((other, place) => (place === index ? changed : other)))}
          />
          <button type="button" onClick={() => onChange(conditions.filter((_, place) => place !== index))}>
            Remove condition {index + 1}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...conditions, NEW_CONDITION])}>
        Add a condition
      </button>
      <p className="hint">Only requests count that meet all conditions; without any all do.</p>
    </>
  );
}

const CONDITION_KEYS: readonly Option[] = [...KEYS, [LABEL_PREFIX, 'Label']];

interface ConditionFieldsProps {
  readonly condition: ConditionDraft;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly issueOf: (field: keyof ConditionDraft) => string | undefined;
}

function ConditionFields({ condition, onChange, issueOf }: ConditionFieldsProps): ReactNode {
  const choices = useChoices(condition.key);
  const isLabel = condition.key.startsWith(LABEL_PREFIX);
  const set = (changed: Partial<ConditionDraft>): void => onChange({ ...condition, ...changed });
  return (
    <>
      <SelectField
        label="What is compared"
        value={isLabel ? LABEL_PREFIX : condition.key}
        options={CONDITION_KEYS}
        issue={isLabel ? undefined : issueOf('key')}
        onChange={(key) => set({ key })}
      />
      {isLabel && (
        <TextField
          label="Name of the label"
          isRequired
          maxLength={64}
          value={condition.key.slice(LABEL_PREFIX.length)}
          issue={issueOf('key')}
          onChange={(name) => set({ key: LABEL_PREFIX + name })}
        />
      )}
      {choices !== undefined && (
        <SelectField
          label="Add to the values"
          value=""
          options={[['', 'Choose …'], ...choices]}
          onChange={(choice) => set({ values: withValue(condition.values, choice) })}
        />
      )}
      <div className="pairs">
        <TextArea
          label="Is one of"
          hint={`${choices === undefined ? 'One a line' : 'Ids, one a line'}, or * for any.`}
          rows={3}
          value={condition.values}
          issue={issueOf('values')}
          onChange={(values) => set({ values })}
        />
        <TextArea
          label="Is none of"
          hint="One a line."
          rows={3}
          value={condition.excludes}
          issue={issueOf('excludes')}
          onChange={(excludes) => set({ excludes })}
        />
      </div>
    </>
  );
}
