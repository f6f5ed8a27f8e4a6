import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import type { Enforcement } from '../../components/enforcement';
import { CheckField, NumberField, type Option, SelectField, TextArea, TextField } from '../../components/fields';
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
  const issueOf = (path: string): string | undefined => (error instanceof ApiError ? error.issueOf(path) : undefined);
  const set = (changed: Partial<InspectorDraft>): void => onChange({ ...draft, ...changed });
  const protocol = PROTOCOLS[draft.protocol];
  return (
    <>
      <TextField
        label="Name"
        hint="Records call it so."
        isRequired
        maxLength={100}
        value={draft.name}
        issue={issueOf('name')}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <SelectField
          label="Protocol"
          hint="How it is asked. It cannot be changed later."
          value={draft.protocol}
          options={PROTOCOL_OPTIONS}
          issue={issueOf('protocol')}
          onChange={(value) => set({ protocol: value as InspectorProtocol })}
        />
      )}
      {protocol.key !== undefined && (
        <TextField
          label="Address"
          type="url"
          hint={protocol.usualAddress === undefined ? 'With https.' : `Empty: ${protocol.usualAddress}.`}
          isRequired={protocol.usualAddress === undefined}
          maxLength={2_048}
          value={draft.url}
          issue={issueOf('url')}
          onChange={(url) => set({ url })}
        />
      )}
      {protocol.settings.map((field) => (
        <Setting
          key={field.name}
          field={field}
          value={draft.settings[field.name] ?? ''}
          issue={issueOf(`settings.${field.name}`)}
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
            hint={protocol.keyHint}
            isRequired={protocol.key === 'required'}
            maxLength={16_384}
            value={draft.apiKey}
            issue={issueOf('api_key')}
            onChange={(apiKey) => set({ apiKey })}
          />
          {protocol.isSigned && (
            <TextField
              label="Secret that signs requests"
              hint="whsec_ and base64. Empty: they are not signed."
              maxLength={16_384}
              value={draft.signingSecret}
              issue={issueOf('signing_secret')}
              onChange={(signingSecret) => set({ signingSecret })}
            />
          )}
          <TextArea
            label="Further headers"
            hint="One a line, as x-tenant=acme. Their values are secrets."
            rows={2}
            value={draft.headers}
            issue={issueOf('headers')}
            onChange={(headers) => set({ headers })}
          />
        </fieldset>
      )}
      <fieldset>
        <legend>What it judges</legend>
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
        {issueOf('applies_to') !== undefined && <p className="issue">{issueOf('applies_to')}</p>}
        <SelectField
          label="Its verdict"
          value={draft.mode}
          options={MODES}
          onChange={(mode) => set({ mode: mode as Enforcement })}
        />
        <SelectField
          label="When it fails"
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
          issue={issueOf('timeout_ms')}
          onChange={(timeoutMs) => set({ timeoutMs })}
        />
        <CheckField
          label="It sees answers as a whole"
          hint="Then nothing of an answer leaves before all of it was judged."
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
              issue={issueOf('window.characters')}
              onChange={(characters) => set({ characters })}
            />
            <NumberField
              label="Of these from the window before"
              min={0}
              max={65_536}
              isRequired
              value={draft.overlap}
              issue={issueOf('window.overlap')}
              onChange={(overlap) => set({ overlap })}
            />
          </div>
        )}
      </fieldset>
    </>
  );
}

interface SettingProps {
  readonly field: SettingField;
  readonly value: string;
  readonly issue: string | undefined;
  readonly onChange: (value: string) => void;
}

function Setting({ field, value, issue, onChange }: SettingProps): ReactNode {
  const { label, hint, kind, options, isRequired = false } = field;
  const shown = { label, hint, value, issue, onChange };
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
