import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { type Enforcement, ENFORCEMENTS } from '../../components/enforcement';
import { CheckField, NumberField, SelectField, TextArea, TextField } from '../../components/fields';
import { FILTER_PLACES, type FilterPlace, placesOf } from '../../components/filter-places';
import {
  BUILTINS,
  type BuiltinSlug,
  type CustomFilter,
  type FilterAction,
  type FilterUse,
  type GuardrailDraft,
  type Interval,
  LISTS,
  REGIONS,
  SWITCHES,
} from './guardrail-draft';
import { InspectorChoice } from './inspector-choice';

const INTERVALS = [
  ['daily', 'Daily'],
  ['weekly', 'Weekly'],
  ['monthly', 'Monthly'],
] as const;

const ACTIONS = [
  ['flag', 'Only note it'],
  ['redact', 'Redact it'],
  ['block', 'Block it'],
] as const;

const BUILTIN_ACTIONS = [['', 'Off'], ...ACTIONS] as const;

/** Of zero data retention, and of what endpoints do with requests. */
const SWITCH_STATES = [
  ['', 'Not set'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

interface GuardrailFieldsProps {
  readonly draft: GuardrailDraft;
  readonly onChange: (draft: GuardrailDraft) => void;
  readonly error: Error | null;
}

/** The fields of a guardrail. Those that are seldom needed are folded while they say nothing. */
export function GuardrailFields({ draft, onChange, error }: GuardrailFieldsProps): ReactNode {
  const issueOf = (path: string): string | undefined => (error instanceof ApiError ? error.issueOf(path) : undefined);
  const set = (changed: Partial<GuardrailDraft>): void => onChange({ ...draft, ...changed });
  const setBuiltin = (slug: BuiltinSlug, use: FilterUse | undefined): void =>
    set({ builtins: { ...draft.builtins, [slug]: use } });
  const indexOf = (slug: BuiltinSlug): number =>
    BUILTINS.filter(([other]) => draft.builtins[other] !== undefined).findIndex(([other]) => other === slug);
  return (
    <>
      <TextField
        label="Name"
        isRequired
        maxLength={200}
        value={draft.name}
        issue={issueOf('name')}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Description"
        maxLength={1000}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <SelectField
        label="Enforcement"
        value={draft.enforcement}
        options={ENFORCEMENTS}
        issue={issueOf('enforcement')}
        onChange={(enforcement) => set({ enforcement: enforcement as Enforcement })}
      />
      <fieldset>
        <legend>Content filters</legend>
        <div className="pairs">
          {BUILTINS.map(([slug, label]) => (
            <SelectField
              key={slug}
              label={label}
              value={draft.builtins[slug]?.action ?? ''}
              options={BUILTIN_ACTIONS}
              onChange={(action) =>
                setBuiltin(
                  slug,
                  action === '' ? undefined : { ...NEW_USE, ...draft.builtins[slug], action: action as FilterAction },
                )
              }
            />
          ))}
        </div>
        {BUILTINS.map(([slug, label]) => {
          const use = draft.builtins[slug];
          return (
            use !== undefined && (
              <Places
                key={slug}
                filter={label}
                places={use.places}
                issue={issueOf(`content_filter_builtins[${indexOf(slug)}].applies_to`)}
                onChange={(places) => setBuiltin(slug, { ...use, places })}
              />
            )
          );
        })}
        {draft.builtins['regex-prompt-injection'] !== undefined && (
          <CheckField
            label="Look for prompt injections in messages of the user alone"
            value={draft.scansUserOnly}
            onChange={(scansUserOnly) => set({ scansUserOnly })}
          />
        )}
        <CustomFilters filters={draft.custom} onChange={(custom) => set({ custom })} issueOf={issueOf} />
      </fieldset>
      <InspectorChoice
        chosen={draft.inspectors}
        issue={issueOf('inspector_ids')}
        onChange={(inspectors) => set({ inspectors })}
      />
      <fieldset>
        <legend>Models, providers and tools</legend>
        <div className="pairs">
          {LISTS.map(([name, label, hint]) => (
            <TextArea
              key={name}
              label={label}
              hint={hint}
              rows={3}
              value={draft.lists[name]}
              issue={issueOf(name)}
              onChange={(text) => set({ lists: { ...draft.lists, [name]: text } })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Budget</legend>
        <NumberField
          label="Limit in US dollars"
          hint="For each key, or for all keys of a member together. Empty: none."
          min={0}
          step="any"
          value={draft.limit}
          issue={issueOf('limit_usd')}
          onChange={(limit) => set({ limit })}
        />
        {draft.limit !== null && (
          <>
            <SelectField
              label="Resets"
              value={draft.interval}
              options={INTERVALS}
              onChange={(interval) => set({ interval: interval as Interval })}
            />
            <CheckField
              label="Count spend with provider keys of your own"
              value={draft.countsByok}
              onChange={(countsByok) => set({ countsByok })}
            />
          </>
        )}
      </fieldset>
      <details open={draft.regions.length > 0 || Object.values(draft.switches).some((value) => value !== null)}>
        <summary>Data policy: regions, retention, training</summary>
        <fieldset>
          <legend>Regions through which requests may come</legend>
          {REGIONS.map((region) => (
            <CheckField
              key={region}
              label={region}
              value={draft.regions.includes(region)}
              onChange={(isAllowed) =>
                set({
                  regions: REGIONS.filter((other) => (other === region ? isAllowed : draft.regions.includes(other))),
                })
              }
            />
          ))}
        </fieldset>
        <div className="pairs">
          {SWITCHES.map(([name, label]) => (
            <SelectField
              key={name}
              label={label}
              value={draft.switches[name] === null ? '' : String(draft.switches[name])}
              options={SWITCH_STATES}
              onChange={(state) =>
                set({ switches: { ...draft.switches, [name]: state === '' ? null : state === 'true' } })
              }
            />
          ))}
        </div>
      </details>
    </>
  );
}

/** What a filter does that was just added, until something else is chosen. */
const NEW_USE: FilterUse = { action: 'redact', places: placesOf({}) };

interface PlacesProps {
  /** Of which filter. */
  readonly filter: string;
  readonly places: readonly FilterPlace[];
  readonly issue: string | undefined;
  readonly onChange: (places: readonly FilterPlace[]) => void;
}

/** Where a filter applies. */
function Places({ filter, places, issue, onChange }: PlacesProps): ReactNode {
  return (
    <fieldset>
      <legend>{filter}: applies to</legend>
      <div className="pairs">
        {FILTER_PLACES.map(([place, label]) => (
          <CheckField
            key={place}
            label={label}
            value={places.includes(place)}
            onChange={(applies) =>
              onChange(
                FILTER_PLACES.map(([other]) => other).filter((other) =>
                  other === place ? applies : places.includes(other),
                ),
              )
            }
          />
        ))}
      </div>
      {issue !== undefined && <p className="issue">{issue}</p>}
    </fieldset>
  );
}

interface CustomFiltersProps {
  readonly filters: readonly CustomFilter[];
  readonly onChange: (filters: readonly CustomFilter[]) => void;
  readonly issueOf: (path: string) => string | undefined;
}

function CustomFilters({ filters, onChange, issueOf }: CustomFiltersProps): ReactNode {
  const setAt = (index: number, changed: Partial<CustomFilter>): void =>
    onChange(filters.map((filter, place) => (place === index ? { ...filter, ...changed } : filter)));
  return (
    <>
      {filters.map((filter, index) => (
        // A filter has no name of its own: it is the one at its place.
        <fieldset key={index}>
          <legend>Pattern {index + 1}</legend>
          <TextField
            label="Regular expression (RE2)"
            value={filter.pattern}
            issue={issueOf(`content_filters[${index}].pattern`)}
            onChange={(pattern) => setAt(index, { pattern })}
          />
          <div className="pairs">
            <SelectField
              label="What happens to a match"
              value={filter.action}
              options={ACTIONS}
              onChange={(action) => setAt(index, { action: action as FilterAction })}
            />
            <TextField
              label="Label"
              maxLength={100}
              value={filter.label}
              onChange={(label) => setAt(index, { label })}
            />
          </div>
          <Places
            filter={`Pattern ${index + 1}`}
            places={filter.places}
            issue={issueOf(`content_filters[${index}].applies_to`)}
            onChange={(places) => setAt(index, { places })}
          />
          <button type="button" onClick={() => onChange(filters.filter((_, place) => place !== index))}>
            Remove pattern {index + 1}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...filters, { pattern: '', label: '', ...NEW_USE }])}>
        Add a pattern of your own
      </button>
    </>
  );
}
