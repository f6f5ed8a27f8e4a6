import type { ReactNode } from 'react';
import {
  ContentFilterBuiltinEntryInput,
  ContentFilterEntry,
  CreateGuardrailRequest,
  McpArgumentRuleEntry,
} from '../../api/descriptions';
import { type Enforcement, ENFORCEMENTS } from '../../components/enforcement';
import {
  CheckField,
  type FieldsOf,
  FieldsetNotes,
  NumberField,
  requestFields,
  SelectField,
  TextArea,
  TextField,
} from '../../components/fields';
import { FILTER_PLACES, type FilterPlace, placesOf } from '../../components/filter-places';
import { MCP_TOOL_LISTS, SuggestField, SuggestLines } from '../../components/suggestions';
import {
  type ArgumentRule,
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
  const of = requestFields(CreateGuardrailRequest, error);
  const set = (changed: Partial<GuardrailDraft>): void => onChange({ ...draft, ...changed });
  const setBuiltin = (slug: BuiltinSlug, use: FilterUse | undefined): void =>
    set({ builtins: { ...draft.builtins, [slug]: use } });
  const indexOf = (slug: BuiltinSlug): number =>
    BUILTINS.filter(([other]) => draft.builtins[other] !== undefined).findIndex(([other]) => other === slug);
  const ofBuiltin = (slug: BuiltinSlug): FieldsOf<typeof ContentFilterBuiltinEntryInput> =>
    requestFields(ContentFilterBuiltinEntryInput, error, `content_filter_builtins[${indexOf(slug)}].`);
  return (
    <>
      <TextField
        label="Name"
        isRequired
        maxLength={200}
        {...of('name')}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Description"
        maxLength={1000}
        {...of('description')}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <SelectField
        label="Enforcement"
        {...of('enforcement')}
        value={draft.enforcement}
        options={ENFORCEMENTS}
        onChange={(enforcement) => set({ enforcement: enforcement as Enforcement })}
      />
      <fieldset>
        <legend>Content filters</legend>
        <p className="hint">{ContentFilterEntry.action}</p>
        <div className="pairs">
          {BUILTINS.map(([slug, label]) => (
            <SelectField
              key={slug}
              label={label}
              issue={ofBuiltin(slug)('action').issue}
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
                of={ofBuiltin(slug)}
                onChange={(places) => setBuiltin(slug, { ...use, places })}
              />
            )
          );
        })}
        {draft.builtins['regex-prompt-injection'] !== undefined && (
          <CheckField
            label="Look for prompt injections in messages of the user alone"
            {...ofBuiltin('regex-prompt-injection')('scan_scope')}
            value={draft.scansUserOnly}
            onChange={(scansUserOnly) => set({ scansUserOnly })}
          />
        )}
        <CustomFilters filters={draft.custom} onChange={(custom) => set({ custom })} error={error} />
      </fieldset>
      <InspectorChoice
        chosen={draft.inspectors}
        {...of('inspector_ids')}
        onChange={(inspectors) => set({ inspectors })}
      />
      <fieldset>
        <legend>Models, providers and tools</legend>
        <div className="pairs">
          {LISTS.map(([name, label, suggestions]) => (
            <SuggestLines
              key={name}
              label={label}
              {...of(name)}
              suggestions={suggestions}
              rows={3}
              value={draft.lists[name]}
              onChange={(text) => set({ lists: { ...draft.lists, [name]: text } })}
            />
          ))}
        </div>
      </fieldset>
      <details open={draft.argumentRules.length > 0}>
        <summary>Rules for arguments of tools</summary>
        <p className="hint">{of('mcp_argument_rules').hint}</p>
        <ArgumentRules rules={draft.argumentRules} onChange={(argumentRules) => set({ argumentRules })} error={error} />
      </details>
      <fieldset>
        <legend>Budget</legend>
        <NumberField
          label="Limit in US dollars"
          {...of('limit_usd')}
          min={0}
          step="any"
          value={draft.limit}
          onChange={(limit) => set({ limit })}
        />
        {draft.limit !== null && (
          <>
            <SelectField
              label="Resets"
              {...of('reset_interval')}
              value={draft.interval}
              options={INTERVALS}
              onChange={(interval) => set({ interval: interval as Interval })}
            />
            <CheckField
              label="Count spend with provider keys of your own"
              {...of('include_byok_in_budgets')}
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
          <FieldsetNotes {...of('allowed_data_regions')} />
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
              {...of(name)}
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
  /** What is said of the fields of the filter. */
  readonly of: FieldsOf<Pick<typeof ContentFilterEntry, 'applies_to'>>;
  readonly onChange: (places: readonly FilterPlace[]) => void;
}

/** Where a filter applies. */
function Places({ filter, places, of, onChange }: PlacesProps): ReactNode {
  return (
    <fieldset>
      <legend>{filter}: applies to</legend>
      <FieldsetNotes {...of('applies_to')} />
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
    </fieldset>
  );
}

interface CustomFiltersProps {
  readonly filters: readonly CustomFilter[];
  readonly onChange: (filters: readonly CustomFilter[]) => void;
  readonly error: Error | null;
}

function CustomFilters({ filters, onChange, error }: CustomFiltersProps): ReactNode {
  const setAt = (index: number, changed: Partial<CustomFilter>): void =>
    onChange(filters.map((filter, place) => (place === index ? { ...filter, ...changed } : filter)));
  return (
    <>
      {filters.map((filter, index) => {
        const of = requestFields(ContentFilterEntry, error, `content_filters[${index}].`);
        return (
          // A filter has no name of its own: it is the one at its place.
          <fieldset key={index}>
            <legend>Pattern {index + 1}</legend>
            <TextField
              label="Regular expression (RE2)"
              {...of('pattern')}
              value={filter.pattern}
              onChange={(pattern) => setAt(index, { pattern })}
            />
            <div className="pairs">
              <SelectField
                label="What happens to a match"
                {...of('action')}
                value={filter.action}
                options={ACTIONS}
                onChange={(action) => setAt(index, { action: action as FilterAction })}
              />
              <TextField
                label="Label"
                {...of('label')}
                maxLength={100}
                value={filter.label}
                onChange={(label) => setAt(index, { label })}
              />
            </div>
            <Places
              filter={`Pattern ${index + 1}`}
              places={filter.places}
              of={of}
              onChange={(places) => setAt(index, { places })}
            />
            <button type="button" onClick={() => onChange(filters.filter((_, place) => place !== index))}>
              Remove pattern {index + 1}
            </button>
          </fieldset>
        );
      })}
      <button type="button" onClick={() => onChange([...filters, { pattern: '', label: '', ...NEW_USE }])}>
        Add a pattern of your own
      </button>
    </>
  );
}

interface ArgumentRulesProps {
  readonly rules: readonly ArgumentRule[];
  readonly onChange: (rules: readonly ArgumentRule[]) => void;
  readonly error: Error | null;
}

function ArgumentRules({ rules, onChange, error }: ArgumentRulesProps): ReactNode {
  const setAt = (index: number, changed: Partial<ArgumentRule>): void =>
    onChange(rules.map((rule, place) => (place === index ? { ...rule, ...changed } : rule)));
  return (
    <>
      {rules.map((rule, index) => {
        const of = requestFields(McpArgumentRuleEntry, error, `mcp_argument_rules[${index}].`);
        return (
          // A rule has no name of its own: it is the one at its place.
          <fieldset key={index}>
            <legend>Rule {index + 1}</legend>
            <SuggestField
              label={`Tool of rule ${index + 1}`}
              {...of('tool')}
              suggestions={MCP_TOOL_LISTS}
              value={rule.tool}
              onChange={(tool) => setAt(index, { tool })}
            />
            <TextArea
              label={`Schema of rule ${index + 1}`}
              {...of('schema')}
              rows={6}
              value={rule.schema}
              onChange={(schema) => setAt(index, { schema })}
            />
            <button type="button" onClick={() => onChange(rules.filter((_, place) => place !== index))}>
              Remove rule {index + 1}
            </button>
          </fieldset>
        );
      })}
      <button type="button" onClick={() => onChange([...rules, { tool: '', schema: '' }])}>
        Add a rule
      </button>
    </>
  );
}
