import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { CreateLimitRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import { type Enforcement, ENFORCEMENTS } from '../../components/enforcement';
import {
  CheckField,
  FieldsetNotes,
  type FieldsOf,
  NumberField,
  type Option,
  requestFields,
  SelectField,
  TextArea,
  TextField,
  type ValueProps,
} from '../../components/fields';
import { KEYS, LABEL_PREFIX, suggestionsOf, useChoices } from '../../components/limit-values';
import { partsOf } from '../../components/lines';
import { LABEL_NAMES, SuggestField, SuggestLines, SuggestList, type Suggestions } from '../../components/suggestions';
import { type ConditionDraft, groupsOf, type LimitDraft, NEW_CONDITION, withValue } from './limit-draft';
import { type Limit, MEASURES, type Measure, ON_MISSING, type Window, WINDOWS } from './limit-words';

interface LimitFieldsProps {
  readonly draft: LimitDraft;
  readonly onChange: (draft: LimitDraft) => void;
  readonly error: Error | null;
  /** Whether what it counts can be chosen, which stays as it is made. */
  readonly isNew?: boolean;
}

/** The fields of a limit. */
export function LimitFields({ draft, onChange, error, isNew = false }: LimitFieldsProps): ReactNode {
  const of = requestFields(CreateLimitRequest, error);
  const set = (changed: Partial<LimitDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={100}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <SelectField
          label="Counts"
          value={draft.measure}
          options={Object.entries(MEASURES)}
          {...of('measure')}
          onChange={(measure) => set({ measure: measure as Measure })}
        />
      )}
      <NumberField
        label={draft.measure === 'usd' ? 'Amount in US dollars' : 'Amount'}
        {...of('amount')}
        min={0}
        step={draft.measure === 'usd' ? 'any' : 1}
        isRequired
        value={draft.amount}
        onChange={(amount) => set({ amount })}
      />
      {isNew && <Scope draft={draft} onChange={onChange} of={of} />}
      {groupsOf(draft).length > 0 && (
        <SelectField
          label="Requests that lack what is counted apart"
          value={draft.onMissing}
          options={Object.entries(ON_MISSING)}
          {...of('on_missing')}
          onChange={(onMissing) => set({ onMissing: onMissing as Limit['on_missing'] })}
        />
      )}
      <Conditions conditions={draft.conditions} onChange={(conditions) => set({ conditions })} error={error} />
      {['usd', 'tokens'].includes(draft.measure) && (
        <CheckField
          label="Count what goes through provider keys of your own"
          {...of('include_byok')}
          value={draft.countsByok}
          onChange={(countsByok) => set({ countsByok })}
        />
      )}
      <SelectField
        label="Enforcement"
        value={draft.enforcement}
        options={ENFORCEMENTS}
        {...of('enforcement')}
        onChange={(enforcement) => set({ enforcement: enforcement as Enforcement })}
      />
      <TextField
        label="Alerts at percent of the amount, divided by commas"
        {...of('alert_at')}
        value={draft.alertAt}
        onChange={(alertAt) => set({ alertAt })}
      />
    </>
  );
}

interface ScopeProps {
  readonly draft: LimitDraft;
  readonly onChange: (draft: LimitDraft) => void;
  readonly of: FieldsOf<typeof CreateLimitRequest>;
}

/** What of a limit stays as it is made, besides what it counts. */
function Scope({ draft, onChange, of }: ScopeProps): ReactNode {
  const workspaces = useWorkspaces();
  const set = (changed: Partial<LimitDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {draft.measure !== 'concurrent' && (
        <SelectField
          label="In what time"
          {...of('window')}
          value={draft.window}
          options={Object.entries(WINDOWS)}
          onChange={(window) => set({ window: window as Window })}
        />
      )}
      <SelectField
        label="Of the requests of"
        value={draft.workspace}
        options={[['', 'All workspaces'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        {...of('workspace_id')}
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
        <SuggestList
          label="Labels"
          {...of('group_by')}
          suggestions={LABEL_NAMES}
          value={partsOf(draft.groupLabels)}
          onChange={(names) => set({ groupLabels: names.join(', ') })}
        />
      </fieldset>
    </>
  );
}

interface ConditionsProps {
  readonly conditions: readonly ConditionDraft[];
  readonly onChange: (conditions: readonly ConditionDraft[]) => void;
  readonly error: Error | null;
}

function Conditions({ conditions, onChange, error }: ConditionsProps): ReactNode {
  return (
    <>
      {conditions.map((condition, index) => (
        // A condition has no name of its own: it is the one at its place.
        <fieldset key={index}>
          <legend>Condition {index + 1}</legend>
          <ConditionFields
            condition={condition}
            issueOf={(field) =>
              error instanceof ApiError ? error.issueOf(`conditions[${index}].${field}`) : undefined
            }
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
      <FieldsetNotes hint={CreateLimitRequest.conditions} />
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
  const suggestions = suggestionsOf(condition.key);
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
        <SuggestField
          suggestions={LABEL_NAMES}
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
        <Values
          label={choices === undefined ? 'Is one of' : 'Is one of these ids'}
          hint="One a line, or `*` for any."
          suggestions={suggestions}
          value={condition.values}
          issue={issueOf('values')}
          onChange={(values) => set({ values })}
        />
        <Values
          label="Is none of"
          hint="One a line."
          suggestions={suggestions}
          value={condition.excludes}
          issue={issueOf('excludes')}
          onChange={(excludes) => set({ excludes })}
        />
      </div>
    </>
  );
}

interface ValuesProps extends ValueProps<string> {
  readonly suggestions: Suggestions | undefined;
}

/** Values of a condition, one a line, with suggestions where some are known. */
function Values({ suggestions, ...lines }: ValuesProps): ReactNode {
  if (suggestions === undefined) return <TextArea {...lines} rows={3} />;
  return <SuggestLines {...lines} rows={3} suggestions={suggestions} />;
}
