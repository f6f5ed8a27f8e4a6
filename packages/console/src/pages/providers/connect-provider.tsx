import { type ReactNode, useState } from 'react';
import { answered, api, ApiError } from '../../api/client';
import { ChangedConnectionTimeouts, ConnectProviderRequest } from '../../api/descriptions';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { CheckField, NumberField, requestFields, SelectField, TextArea, TextField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { PROVIDERS, SuggestField } from '../../components/suggestions';
import {
  type ConnectionDraft,
  draftOf,
  NEW_CONNECTION,
  type OperatorHeaders,
  type Preset,
  PRESETS,
  type Setting,
  settingsAsked,
  type Step,
  toRequest,
} from './connection-draft';

const PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'converse'] as const;

const SETTING_LABELS: Readonly<Record<Setting, string>> = {
  resource: 'Resource',
  api_version: 'Version of the interface',
  region: 'Region',
  project: 'Project',
  location: 'Location',
  tenant_id: 'Tenant',
  client_id: 'Application',
};

const CREDENTIAL_LABELS = {
  key: 'API key',
  'aws-keys': 'Access keys of Amazon (JSON)',
  'google-service-account': 'Key of a service account of Google (JSON)',
  'entra-client-secret': 'Client secret of Entra ID',
  'entra-certificate': 'Certificate of Entra ID with its private key (PEM)',
} as const satisfies Readonly<Record<NonNullable<Schema<'ConnectProviderRequest'>['credential']>, string>>;

const STEP_LABELS: Readonly<Record<Step, string>> = {
  connect: 'Time limit to connect',
  headers: 'Time limit of the first byte',
  first_event: 'Time limit of the first event',
  gap: 'Time limit between events',
};

interface ConnectProviderProps {
  readonly headers: OperatorHeaders;
  /** The connection that is made anew; absent for another one. */
  readonly connection?: Schema<'ProviderConnection'>;
  readonly onClose: () => void;
  readonly onTested: (provider: string, test: Schema<'ProviderConnectionTest'>) => void;
}

/** Connects a provider, or connects it anew, and tries it. */
export function ConnectProvider({ headers, connection, onClose, onTested }: ConnectProviderProps): ReactNode {
  const name = connection === undefined ? 'new connection' : `connection ${connection.provider}`;
  const kept = useKeptForm(name, () => (connection === undefined ? NEW_CONNECTION : draftOf(connection)));
  const { draft, change } = kept;
  const [secret, setSecret] = useState('');
  const connect = useChange({
    run: async () => {
      const body = requestOf(draft, secret);
      const params = { path: { provider: draft.provider.trim() } };
      const { data } = await answered(api.PUT('/api/v1/provider-connections/{provider}', { params, headers, body }));
      return data;
    },
    invalidates: ['provider-connections', 'providers', 'models'],
    says: ({ provider, test }) =>
      test.accepted
        ? `${provider} is connected, and accepts the credential.`
        : `${provider} is connected. ${test.problem}`,
    then: ({ provider, test }) => {
      onTested(provider, test);
      onClose();
    },
  });
  return (
    <FormDialog
      title={connection === undefined ? 'Connect a provider' : `Connect ${connection.provider} anew`}
      submit="Connect the provider"
      change={connect}
      kept={kept}
      onClose={onClose}
    >
      <ConnectionFields
        draft={draft}
        onChange={change}
        secret={secret}
        onSecret={setSecret}
        error={connect.error}
        isNew={connection === undefined}
      />
    </FormDialog>
  );
}

/** @throws ApiError at the field, for capabilities that are no JSON */
function requestOf(draft: ConnectionDraft, secret: string): Schema<'ConnectProviderRequest'> {
  try {
    return toRequest(draft, secret);
  } catch {
    const message = 'is no JSON';
    throw new ApiError(400, `capabilities ${message}`, undefined, [{ path: 'capabilities', message }]);
  }
}

interface ConnectionFieldsProps {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly error: Error | null;
  readonly isNew: boolean;
}

function ConnectionFields({ draft, onChange, secret, onSecret, error, isNew }: ConnectionFieldsProps): ReactNode {
  const of = requestFields(ConnectProviderRequest, error);
  const set = (changed: Partial<ConnectionDraft>): void => onChange({ ...draft, ...changed });
  const { preset } = draft;
  const credentials = preset === '' ? [] : PRESETS[preset].credentials;
  const credential = draft.credential === '' ? (credentials[0] ?? 'key') : draft.credential;
  const isDocument = !['key', 'entra-client-secret'].includes(credential);
  const secretField = { label: CREDENTIAL_LABELS[credential], ...of('api_key'), value: secret, onChange: onSecret };
  return (
    <>
      {isNew && (
        <SuggestField
          label="Provider"
          hint="One of the catalog, or the slug of another one, which is then added to it."
          issue={error instanceof ApiError ? error.issueOf('provider') : undefined}
          suggestions={PROVIDERS}
          isRequired
          maxLength={100}
          value={draft.provider}
          onChange={(provider) => set({ provider })}
        />
      )}
      <SelectField
        label="Preset of a cloud"
        {...of('preset')}
        value={preset}
        options={[['', 'None'], ...Object.keys(PRESETS).map((one) => [one, one] as const)]}
        onChange={(chosen) => set({ preset: chosen as Preset | '', credential: '', protocol: '' })}
      />
      {preset === '' && (
        <SelectField
          label="Dialect"
          {...of('protocol')}
          value={draft.protocol}
          options={[['', 'By default'], ...PROTOCOLS.map((one) => [one, one] as const)]}
          onChange={(protocol) => set({ protocol })}
        />
      )}
      {credentials.length > 1 && (
        <SelectField
          label="Credential"
          {...of('credential')}
          value={credential}
          options={credentials.map((one) => [one, CREDENTIAL_LABELS[one]] as const)}
          onChange={(chosen) => set({ credential: chosen as ConnectionDraft['credential'] })}
        />
      )}
      {settingsAsked(draft).map((name) => (
        <TextField
          key={name}
          label={SETTING_LABELS[name]}
          {...of(name)}
          maxLength={128}
          value={draft.settings[name] ?? ''}
          onChange={(value) => set({ settings: { ...draft.settings, [name]: value } })}
        />
      ))}
      <TextField
        label="Address"
        {...of('base_url')}
        maxLength={2_048}
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
      />
      {!draft.isOpen && (isDocument ? <TextArea {...secretField} /> : <TextField {...secretField} type="password" />)}
      {preset === '' && (
        <CheckField
          label="The server wants no credential"
          value={draft.isOpen}
          onChange={(isOpen) => set({ isOpen })}
        />
      )}
      <TextArea
        label="Models, one model=name a line"
        {...of('models')}
        rows={2}
        value={draft.models}
        onChange={(models) => set({ models })}
      />
      <details>
        <summary>Time limits and capabilities</summary>
        <p className="quiet">In milliseconds. {of('timeouts').hint}</p>
        {(Object.keys(STEP_LABELS) as Step[]).map((step) => (
          <NumberField
            key={step}
            label={STEP_LABELS[step]}
            {...requestFields(ChangedConnectionTimeouts, error, 'timeouts.')(step)}
            min={1}
            value={draft.timeouts[step] ?? null}
            onChange={(limit) => set({ timeouts: { ...draft.timeouts, [step]: limit } })}
          />
        ))}
        <TextArea
          label="Capabilities as JSON"
          {...of('capabilities')}
          value={draft.capabilities}
          onChange={(capabilities) => set({ capabilities })}
        />
      </details>
    </>
  );
}
