import type { ReactNode } from 'react';
import { CreateInspectorRequest, CreateInspectorRequestWindowObject } from '../../api/descriptions';
import type { Enforcement } from '../../components/enforcement';
import {
  CheckField,
  FieldsetNotes,
  type Notes,
  NumberField,
  type Option,
  requestFields,
  SelectField,
  TextArea,
  TextField,
} from '../../components/fields';
import { FILTER_PLACES } from '../../components/filter-places';
import type { InspectorDraft } from './inspector-draft';
import { type InspectorProtocol, PROTOCOL_OPTIONS, PROTOCOLS, type SettingField } from './inspector-protocols';

const MODES: readonly Option[] = [
  ['enforce', 'It counts'],
  ['observe', 'It is only recorded'],
];

/** What becomes of texts when an inspector fails, and how the console calls it. */
export const ON_FAILURE: readonly Option[] = [
  ['block', 'Texts are blocked'],
  ['pass', 'Texts pass'],
];

interface InspectorFieldsProps {
  readonly draft: InspectorDraft;
  readonly onChange: (draft: InspectorDraft) => void;
  readonly error: Error | null;
  /** Whether the protocol can be chosen: only before it exists. */
  readonly isNew: boolean;
}

/** The fields of an inspector: those that its protocol has. */
export function InspectorFields({ draft, onChange, error, isNew }: InspectorFieldsProps): ReactNode {
  const of = requestFields(CreateInspectorRequest, error);
  const ofWindow = requestFields(CreateInspectorRequestWindowObject, error, 'window.');
  const ofSetting = requestFields(PROTOCOLS[draft.protocol].descriptions ?? {}, error, 'settings.');
  const set = (changed: Partial<InspectorDraft>): void => onChange({ ...draft, ...changed });
  const protocol = PROTOCOLS[draft.protocol];
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
          label="Protocol"
          {...of('protocol')}
          value={draft.protocol}
          options={PROTOCOL_OPTIONS}
          onChange={(value) => set({ protocol: value as InspectorProtocol })}
        />
      )}
      {protocol.key !== undefined && (
        <TextField
          label="Address"
          type="url"
          {...of('url')}
          hint={CreateInspectorRequest.url + usualAddress(protocol.usualAddress)}
          isRequired={protocol.usualAddress === undefined}
          maxLength={2_048}
          value={draft.url}
          onChange={(url) => set({ url })}
        />
      )}
      {protocol.settings.map((field) => (
        <Setting
          key={field.name}
          field={field}
          value={draft.settings[field.name] ?? ''}
          {...ofSetting(field.name)}
          onChange={(value) => set({ settings: { ...draft.settings, [field.name]: value } })}
        />
      ))}
      {protocol.key !== undefined && (
        <fieldset>
          <legend>Secrets</legend>
          {!isNew && (
            <p className="hint">
              They are shown as masks. A mask that stays as it is keeps what is stored; an empty field removes it.
            </p>
          )}
          <TextField
            label="Key"
            {...of('api_key')}
            isRequired={protocol.key === 'required'}
            maxLength={16_384}
            value={draft.apiKey}
            onChange={(apiKey) => set({ apiKey })}
          />
          {protocol.isSigned && (
            <TextField
              label="Secret that signs requests"
              {...of('signing_secret')}
              maxLength={16_384}
              value={draft.signingSecret}
              onChange={(signingSecret) => set({ signingSecret })}
            />
          )}
          <TextArea
            label="Further headers, one name=value a line"
            {...of('headers')}
            rows={2}
            value={draft.headers}
            onChange={(headers) => set({ headers })}
          />
        </fieldset>
      )}
      <fieldset>
        <legend>What it judges</legend>
        <FieldsetNotes {...of('applies_to')} />
        <div className="pairs">
          {FILTER_PLACES.map(([place, label]) => (
            <CheckField
              key={place}
              label={label}
              value={draft.places.includes(place)}
              onChange={(applies) =>
                set({
                  places: FILTER_PLACES.map(([other]) => other).filter((other) =>
                    other === place ? applies : draft.places.includes(other),
                  ),
                })
              }
            />
          ))}
        </div>
        <SelectField
          label="Its verdict"
          {...of('mode')}
          value={draft.mode}
          options={MODES}
          onChange={(mode) => set({ mode: mode as Enforcement })}
        />
        <SelectField
          label="When it fails"
          {...of('on_failure')}
          value={draft.onFailure}
          options={ON_FAILURE}
          onChange={(onFailure) => set({ onFailure: onFailure as InspectorDraft['onFailure'] })}
        />
        <NumberField
          label="How long it may take, in milliseconds"
          min={50}
          max={30_000}
          isRequired
          value={draft.timeoutMs}
          {...of('timeout_ms')}
          onChange={(timeoutMs) => set({ timeoutMs })}
        />
        <CheckField
          label="It sees answers as a whole"
          {...of('window')}
          value={draft.isWhole}
          onChange={(isWhole) => set({ isWhole })}
        />
        {!draft.isWhole && (
          <div className="pairs">
            <NumberField
              label="Characters of a window of an answer"
              min={64}
              max={65_536}
              isRequired
              value={draft.characters}
              {...ofWindow('characters')}
              onChange={(characters) => set({ characters })}
            />
            <NumberField
              label="Of these from the window before"
              min={0}
              max={65_536}
              isRequired
              value={draft.overlap}
              {...ofWindow('overlap')}
              onChange={(overlap) => set({ overlap })}
            />
          </div>
        )}
      </fieldset>
    </>
  );
}

/** What is usual for a protocol, after what is said of all addresses. */
function usualAddress(usual: string | undefined): string {
  return usual === undefined ? '' : ` Here it is ${usual}.`;
}

/** What a label says besides of how a value is written. */
const FORMS: Readonly<Record<SettingField['kind'], string>> = {
  line: '',
  text: '',
  number: '',
  list: ', one a line',
  json: ' as JSON',
};

interface SettingProps extends Notes {
  readonly field: SettingField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Setting({ field, ...rest }: SettingProps): ReactNode {
  const { label, kind, options, isRequired = false } = field;
  const { value, onChange } = rest;
  const shown = { label: label + FORMS[kind], ...rest };
  if (options !== undefined) return <SelectField {...shown} options={options} isRequired={isRequired} />;
  if (kind === 'line') return <TextField {...shown} isRequired={isRequired} />;
  if (kind !== 'number') return <TextArea {...shown} rows={kind === 'text' ? 6 : 3} />;
  return (
    <NumberField
      {...shown}
      step="any"
      isRequired={isRequired}
      value={value === '' ? null : Number(value)}
      onChange={(number) => onChange(number === null ? '' : String(number))}
    />
  );
}
