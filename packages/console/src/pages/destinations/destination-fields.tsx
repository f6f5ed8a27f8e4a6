import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { CreateObservabilityDestinationRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import {
  CheckField,
  NumberField,
  type Option,
  requestFields,
  SelectField,
  TextArea,
  TextField,
} from '../../components/fields';
import { API_KEYS, SuggestList } from '../../components/suggestions';
import {
  configOf,
  type DestinationDraft,
  type DestinationRegion,
  HEADERS,
  headersOf,
  type Secrets,
} from './destination-draft';
import {
  type Destination,
  type DestinationType,
  isSecret,
  labelOfType,
  type SettingForm,
  settingsOf,
  TYPE_OPTIONS,
} from './destination-types';
import { FilterRulesFields } from './filter-rules';

const REGIONS: readonly (readonly [DestinationRegion, string])[] = [
  ['global', 'Global'],
  ['europe', 'Europe'],
  ['us', 'United States'],
];

interface DestinationFieldsProps {
  readonly draft: DestinationDraft;
  readonly onChange: (draft: DestinationDraft) => void;
  readonly secrets: Secrets;
  readonly onSecrets: (secrets: Secrets) => void;
  readonly error: Error | null;
  /** The destination that is changed; undefined for a new one, whose type and workspace can be chosen. */
  readonly stored?: Destination;
}

/** The fields of a destination: those that its type has, and what is sent to it. */
export function DestinationFields(props: DestinationFieldsProps): ReactNode {
  const { draft, onChange, onSecrets, error, stored } = props;
  const workspaces = useWorkspaces();
  const of = requestFields(CreateObservabilityDestinationRequest, error);
  const set = (changed: Partial<DestinationDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {stored === undefined && (
        <>
          <SelectField
            label="Type"
            {...of('type')}
            value={draft.type}
            options={TYPE_OPTIONS}
            onChange={(type) => {
              // What other types call so is something else, and goes elsewhere.
              set({ type: type as DestinationType, settings: {} });
              onSecrets({});
            }}
          />
          <SelectField
            label="Workspace"
            {...of('workspace_id')}
            value={draft.workspace}
            options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
            onChange={(workspace) => set({ workspace })}
          />
        </>
      )}
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={200}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <Connection {...props} />
      <CheckField label="Enabled" {...of('enabled')} value={draft.enabled} onChange={(enabled) => set({ enabled })} />
      <fieldset>
        <legend>What is sent</legend>
        <NumberField
          label="Share of the generations"
          {...of('sampling_rate')}
          min={0}
          max={1}
          step="any"
          isRequired
          value={draft.samplingRate}
          onChange={(samplingRate) => set({ samplingRate })}
        />
        <CheckField
          label="Without content"
          {...of('privacy_mode')}
          value={draft.isPrivate}
          onChange={(isPrivate) => set({ isPrivate })}
        />
        <CheckField
          label="Cost"
          {...of('broadcast_generation_cost')}
          value={draft.hasCost}
          onChange={(hasCost) => set({ hasCost })}
        />
        <CheckField
          label="Identity of the user"
          {...of('broadcast_generation_identity')}
          value={draft.hasIdentity}
          onChange={(hasIdentity) => set({ hasIdentity })}
        />
        <CheckField
          label="Context of the request"
          {...of('broadcast_generation_request_context')}
          value={draft.hasContext}
          onChange={(hasContext) => set({ hasContext })}
        />
        <Regions regions={draft.regions} onChange={(regions) => set({ regions })} {...of('regions')} />
        <SuggestList
          label="Only of these API keys"
          {...of('api_key_hashes')}
          suggestions={API_KEYS}
          value={draft.keys}
          onChange={(keys) => set({ keys })}
        />
        <FilterRulesFields
          rules={draft.rules}
          hint={of('filter_rules').hint}
          error={error}
          onChange={(rules) => set({ rules })}
        />
      </fieldset>
    </>
  );
}

interface RegionsProps {
  readonly regions: readonly DestinationRegion[];
  readonly onChange: (regions: readonly DestinationRegion[]) => void;
  readonly hint?: ReactNode;
  readonly issue?: string | undefined;
}

function Regions({ regions, onChange, hint, issue }: RegionsProps): ReactNode {
  return (
    <fieldset>
      <legend>Regions</legend>
      <p className="hint">{hint}</p>
      {REGIONS.map(([region, label]) => (
        <CheckField
          key={region}
          label={label}
          value={regions.includes(region)}
          onChange={(isChosen) => {
            const others = regions.filter((other) => other !== region);
            onChange(isChosen ? [...others, region] : others);
          }}
        />
      ))}
      {issue !== undefined && <p className="issue">{issue}</p>}
    </fieldset>
  );
}

/** Where a destination is, and with which secrets it is written to. */
function Connection({ draft, onChange, secrets, onSecrets, error, stored }: DestinationFieldsProps): ReactNode {
  const issueOf = (name: string): string | undefined =>
    error instanceof ApiError ? error.issueOf(`config.${name}`) : undefined;
  const config = stored === undefined ? {} : configOf(stored);
  return (
    <fieldset>
      <legend>Connection to {labelOfType(draft.type)}</legend>
      {settingsOf(draft.type).map(([name, form]) =>
        isSecret(form) ? (
          <SecretSetting
            key={name}
            form={form}
            mask={config[name] as string | undefined}
            value={secrets[name]}
            issue={issueOf(name)}
            onChange={(value) => onSecrets({ ...secrets, [name]: value })}
          />
        ) : (
          <PlainSetting
            key={name}
            form={form}
            value={draft.settings[name] ?? ''}
            issue={issueOf(name)}
            onChange={(value) => onChange({ ...draft, settings: { ...draft.settings, [name]: value } })}
          />
        ),
      )}
      <TextArea
        label="Further headers"
        hint={
          stored === undefined
            ? 'One a line, as x-tenant=acme. Their values are secrets.'
            : 'One a line, as x-tenant=acme. Their values are secrets: a mask that stays as it is keeps what is stored.'
        }
        rows={2}
        value={secrets[HEADERS] ?? (stored === undefined ? '' : headersOf(stored))}
        issue={issueOf(HEADERS)}
        onChange={(headers) => onSecrets({ ...secrets, [HEADERS]: headers })}
      />
    </fieldset>
  );
}

interface PlainSettingProps {
  readonly form: SettingForm;
  readonly value: string;
  readonly issue: string | undefined;
  readonly onChange: (value: string) => void;
}

function PlainSetting({ form, value, issue, onChange }: PlainSettingProps): ReactNode {
  const { label, hint, kind, options, isRequired = false } = form;
  const shown = { label, hint, issue, onChange };
  if (options !== undefined) return <SelectField {...shown} options={options} value={value || firstOf(options)} />;
  return <TextField {...shown} type={kind === 'address' ? 'url' : 'text'} isRequired={isRequired} value={value} />;
}

function firstOf(options: readonly Option[]): string {
  return options[0]?.[0] ?? '';
}

interface SecretSettingProps {
  readonly form: SettingForm;
  /** How it is stored; undefined where it is not. */
  readonly mask: string | undefined;
  /** What was typed; null where it is to be taken away. */
  readonly value: string | null | undefined;
  readonly issue: string | undefined;
  readonly onChange: (value: string | null) => void;
}

function SecretSetting({ form, mask, value, issue, onChange }: SecretSettingProps): ReactNode {
  const { label, hint, kind, isRequired = false } = form;
  const shown = { label, issue, onChange };
  if (kind === 'secret-address') {
    return <TextField {...shown} hint={hint} type="url" isRequired={isRequired} value={value ?? mask ?? ''} />;
  }
  return (
    <>
      {value !== null && (
        <TextField
          {...shown}
          hint={mask === undefined ? hint : `Empty: it stays ${mask}.`}
          type="password"
          isRequired={isRequired && mask === undefined}
          value={value ?? ''}
        />
      )}
      {mask !== undefined && !isRequired && (
        <CheckField
          label={`Remove: ${label}`}
          value={value === null}
          onChange={(isRemoved) => onChange(isRemoved ? null : '')}
        />
      )}
    </>
  );
}
