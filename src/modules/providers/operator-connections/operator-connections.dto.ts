import {
  NETWORK_PROTOCOLS,
  PROVIDER_PROTOCOLS,
  type ProviderProtocolName,
} from '../../../config/provider-variables.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { OptionalFields } from '../../../http/validation/optional-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { CONNECTION_PRESETS, CREDENTIAL_NAMES, type CredentialName } from '../connections/connection-presets.js';
import { MAXIMUM_MODELS } from '../connections/connection-request.js';
import { TEST_OUTCOMES, type TestOutcome } from '../connections/connection-test.js';
import { CONNECTION_SOURCES, type ConnectionSource } from '../connections/shown-connection.js';
import { MAXIMUM_TIMEOUT_MS } from '../connections/provider-connection.js';
import { REPEATED_MODEL } from './operator-connections.errors.js';

/** The credentials whose secret comes with the request; the others come from the machine, and are of the command line alone. */
const GIVEN_CREDENTIALS = [
  'key',
  'aws-keys',
  'google-service-account',
  'entra-client-secret',
  'entra-certificate',
] as const satisfies readonly CredentialName[];

const OPTIONAL_SETTING = { minLength: 1, maxLength: 128, optional: true } as const;

const STEP = { minimum: 1, maximum: MAXIMUM_TIMEOUT_MS } as const;

const PROVIDER = { description: 'The slug of the provider.', example: 'acme-vllm' } as const;

const BASE_URL = { description: 'Where operations are added to.', example: 'https://models.example.com/v1' } as const;

/** Which provider. */
export class ProviderConnectionPath {
  @TextField({ ...PROVIDER, minLength: 1 })
  provider: string;
}

/** Which provider is connected: also one that the catalog does not have yet. */
export class ConnectProviderPath {
  @TextField({ ...PROVIDER, maxLength: 100, pattern: '^[a-z0-9]+(?:[-.][a-z0-9]+)*$' })
  provider: string;
}

/** The time limits of the steps of a request. */
export class ConnectionTimeouts {
  @IntegerField({ description: 'To connect, in milliseconds.', example: 5_000, ...STEP })
  connect: number;

  @IntegerField({ description: 'To the first byte of an answer, in milliseconds.', example: 300_000, ...STEP })
  headers: number;

  @IntegerField({ description: 'To the first event of a stream, in milliseconds.', example: 120_000, ...STEP })
  first_event: number;

  @IntegerField({ description: 'Between two events of a stream, in milliseconds.', example: 120_000, ...STEP })
  gap: number;
}

/** Time limits that differ from the defaults. */
export class ChangedConnectionTimeouts extends OptionalFields(ConnectionTimeouts, []) {}

/** A model with the provider's own name of it. */
export class ConnectionModel {
  @TextField({
    description: 'A model of the catalog, by any of its names.',
    example: 'meta-llama/llama-3.3-70b-instruct',
    minLength: 1,
    maxLength: 256,
  })
  model: string;

  @TextField({
    description: 'The name that the provider has for it.',
    example: 'llama-70b',
    minLength: 1,
    maxLength: 512,
  })
  upstream_model_id: string;
}

/** A connection of the deployment to a provider (docs/interface/provider-connections.md). */
export class ProviderConnection {
  @TextField(PROVIDER)
  provider: string;

  @EnumField(PROVIDER_PROTOCOLS, { description: 'The dialect of requests to it.', example: 'openai' })
  protocol: ProviderProtocolName;

  @TextField(BASE_URL)
  base_url: string;

  @TextField({ description: 'The preset that it was made by; null for none.', example: null, nullable: true })
  preset: string | null;

  @EnumField(CREDENTIAL_NAMES, {
    description: 'How the provider is shown who calls; null for an API key where the protocol has it.',
    example: null,
    nullable: true,
  })
  credential: CredentialName | null;

  @TextField({
    description: 'The credential, masked; null for none, and where the machine has it.',
    example: 'sk-a...6789',
    nullable: true,
  })
  api_key: string | null;

  @EnumListField(CONNECTION_SOURCES, { description: 'Where it was given.', example: ['database'] })
  sources: readonly ConnectionSource[];

  @BooleanField({ description: 'Whether it can be used: not if its credential cannot be decrypted.', example: true })
  usable: boolean;

  @ObjectListField(() => ConnectionModel, { description: "The provider's own names of models." })
  models: ConnectionModel[];

  @ObjectField(() => ConnectionTimeouts, { description: 'The time limits of requests.' })
  timeouts: ConnectionTimeouts;

  @ObjectField(() => ModelCapabilities, {
    description:
      'What the server can do, as it was said (docs/interface/capabilities.md); an object without fields where nothing was.',
  })
  capabilities: ModelCapabilities;
}

/** What came of asking a provider whether it accepts the credential. */
export class ProviderConnectionTest {
  @EnumField(TEST_OUTCOMES, {
    description:
      '`answered` with a `status`; `token_issued` where there is nothing to ask without a model; `no_token` where no token was issued; `unreachable`; `unreadable` for a credential that cannot be decrypted; `builtin`.',
    example: 'answered',
  })
  outcome: TestOutcome;

  @BooleanField({
    description: 'Whether the provider accepts the credential, as far as that can be known.',
    example: true,
  })
  accepted: boolean;

  @TextField({
    description: 'What was asked; null where nothing was.',
    example: 'https://models.example.com/v1/models',
    nullable: true,
  })
  url: string | null;

  @IntegerField({ description: 'The status of the answer; null without one.', example: 200, nullable: true })
  status: number | null;

  @IntegerField({
    description: 'How long the answer took, in milliseconds; null without one.',
    example: 212,
    nullable: true,
  })
  duration_ms: number | null;

  @TextField({
    description: "What is wrong, with the provider's own reason; null if nothing is.",
    example: null,
    nullable: true,
  })
  problem: string | null;
}

/** The price of an endpoint that was added. */
export class AddedEndpointPrice {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.4' })
  model: string;

  @TextField({ description: 'US dollars for a token of the prompt; -1 if it varies.', example: '0.00000125' })
  prompt: string;

  @TextField({ description: 'US dollars for a token of the answer; -1 if it varies.', example: '0.00001' })
  completion: string;
}

/** A connection that was made. */
export class ConnectedProvider extends ProviderConnection {
  @BooleanField({ description: 'Whether the provider was added to the catalog.', example: false })
  provider_added: boolean;

  @TextListField({ description: 'The ids of the models with an endpoint there.', example: ['openai/gpt-5.4'] })
  served_models: string[];

  @TextListField({ description: 'The ids of those that had none until now.', example: [] })
  endpoints_added: string[];

  @ObjectListField(() => AddedEndpointPrice, { description: 'What these cost: the prices of the catalog.' })
  added_prices: AddedEndpointPrice[];

  @TextListField({
    description: 'The ids of the models with an endpoint there that the connection does not reach, or has no name of.',
    example: [],
  })
  unnamed_models: string[];

  @ObjectField(() => ProviderConnectionTest, { description: 'What came of trying it. It is connected in any case.' })
  test: ProviderConnectionTest;
}

/** Each model is named once. */
function differentModels({ models }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!Array.isArray(models)) return [];
  const names = models.map((entry: unknown) => (entry as { readonly model?: unknown } | null)?.model);
  return names.flatMap((name, index) =>
    typeof name === 'string' && names.indexOf(name) < index ? [REPEATED_MODEL.at(`models[${index}].model`)] : [],
  );
}

/** The body of connectProvider: the whole connection. */
@BodyLimit(BODY_LIMITS.large)
@Rules(differentModels)
@SchemaExample({ base_url: BASE_URL.example, api_key: 'sk-acme-0123456789' })
export class ConnectProviderRequest {
  @EnumField(NETWORK_PROTOCOLS, {
    description:
      'The dialect of requests to it; by default that of the well-known provider, or `openai`. Not with a preset.',
    example: 'openai',
    optional: true,
  })
  protocol?: Exclude<ProviderProtocolName, 'echo'>;

  @TextField({
    description: `${BASE_URL.description} By default the well-known address of the provider, or that of the preset. Private addresses are set on the command line.`,
    example: BASE_URL.example,
    maxLength: 2_048,
    format: 'uri',
    optional: true,
  })
  base_url?: string;

  @EnumField([...CONNECTION_PRESETS.keys()], {
    description:
      'For a cloud: how it serves models, which decides the dialect, the address and the credentials (docs/cloud-providers.md#presets).',
    example: 'azure-openai',
    optional: true,
  })
  preset?: string;

  @TextField({ description: 'The resource of Azure, for a preset.', example: 'acme-ai', ...OPTIONAL_SETTING })
  resource?: string;

  @TextField({
    description: 'The version of a dated address of Azure, for a preset.',
    example: '2024-10-21',
    ...OPTIONAL_SETTING,
  })
  api_version?: string;

  @TextField({ description: 'The region of Amazon, for a preset.', example: 'eu-central-1', ...OPTIONAL_SETTING })
  region?: string;

  @TextField({ description: 'The project of Google, for a preset.', example: 'acme-models', ...OPTIONAL_SETTING })
  project?: string;

  @TextField({ description: 'The location of Google, for a preset.', example: 'europe-west4', ...OPTIONAL_SETTING })
  location?: string;

  @TextField({
    description: 'The tenant of Microsoft Entra ID, for a credential of it.',
    example: 'contoso.onmicrosoft.com',
    ...OPTIONAL_SETTING,
  })
  tenant_id?: string;

  @TextField({
    description: 'The application of Microsoft Entra ID, for a credential of it.',
    example: '11111111-2222-3333-4444-555555555555',
    ...OPTIONAL_SETTING,
  })
  client_id?: string;

  @EnumField(GIVEN_CREDENTIALS, {
    description: 'How the provider is shown who calls, for a preset; by default its first one.',
    example: 'key',
    optional: true,
  })
  credential?: (typeof GIVEN_CREDENTIALS)[number];

  @TextField({
    description:
      'The API key, or the document of another credential. It is stored encrypted and never answered. Null for a server that wants none; absent to keep the stored one, where neither the address nor the credential is another.',
    example: 'sk-acme-0123456789',
    minLength: 1,
    maxLength: 16_384,
    optional: true,
    nullable: true,
  })
  api_key?: string | null;

  @ObjectListField(() => ConnectionModel, {
    description:
      'Models that it serves, with its own names of them. A model without an endpoint there gets one, at the price of the catalog.',
    maxItems: MAXIMUM_MODELS,
    optional: true,
  })
  models?: ConnectionModel[];

  @ObjectField(() => ChangedConnectionTimeouts, {
    description: 'The time limits of requests that differ from the defaults.',
    optional: true,
  })
  timeouts?: ChangedConnectionTimeouts;

  @ObjectField(() => ModelCapabilities, {
    description: 'What the server can do (docs/interface/capabilities.md).',
    optional: true,
  })
  capabilities?: ModelCapabilities;
}

/** The answer to listProviderConnections. */
export class ListProviderConnectionsResponse extends PageOf(ProviderConnection) {}

/** The answer to connectProvider. */
export class ConnectProviderResponse extends DataOf(ConnectedProvider) {}

/** The answer to testProviderConnection. */
export class TestProviderConnectionResponse extends DataOf(ProviderConnectionTest) {}

/** The answer to disconnectProvider. */
export class DisconnectProviderResponse extends Deleted('Always true: the stored connection was removed.') {}
