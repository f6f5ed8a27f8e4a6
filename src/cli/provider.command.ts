import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Command, InvalidArgumentError, Option } from 'commander';
import { invocationDirectory, valueOfVariable } from '../bootstrap/load-environment.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { parsedIfJson } from '../http/input/json-bounds.js';
import { isObject } from '../http/validation/constraints.js';
import { isFieldName, NETWORK_PROTOCOLS } from '../config/provider-variables.js';
import { EncryptionKeyMismatch } from '../modules/encryption/encryption-state.js';
import { perMillion } from '../modules/catalog/own-models/price-per-million.js';
import { InstallationService } from '../modules/installation/installation.service.js';
import {
  CONNECTION_PRESETS,
  CREDENTIAL_NAMES,
  type CredentialName,
  type PresetSettings,
} from '../modules/providers/connections/connection-presets.js';
import { ConnectionsService } from '../modules/providers/connections/connections.service.js';
import { problemOfTest } from '../modules/providers/connections/connection-test.js';
import { ConnectionTestService } from '../modules/providers/connections/connection-test.service.js';
import { InvalidConnection } from '../modules/providers/connections/connection-request.js';
import type { ProviderAddress } from '../modules/providers/connections/well-known-providers.js';
import type { ConnectProviderRequest } from '../modules/providers/operator-connections/operator-connections.dto.js';
import { ProviderConnectionNotFound } from '../modules/providers/operator-connections/operator-connections.errors.js';
import {
  toMadeConnection,
  toProviderConnection,
  toProviderConnectionTest,
} from '../modules/providers/operator-connections/operator-connections.mapper.js';
import { withApplicationContext } from './application-context.js';
import { eitherWay, type EitherWayOnDeployment, explaining, type Sentences } from './interface/either-way.js';
import { type JsonOption, printResult, withJson } from './output.js';

/** The steps that a time limit can be given for, by their names on the command line. */
const STEPS = { connect: 'connect', headers: 'headers', 'first-event': 'firstEvent', gap: 'gap' } as const;

interface ConnectOptions extends JsonOption {
  readonly protocol?: ProviderAddress['protocol'];
  readonly baseUrl?: string;
  readonly preset?: string;
  readonly resource?: string;
  readonly apiVersion?: string;
  readonly region?: string;
  readonly project?: string;
  readonly location?: string;
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly credential?: CredentialName;
  readonly credentialFile?: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyStdin?: boolean;
  readonly model: Readonly<Record<string, string>>;
  readonly timeout: Readonly<Record<string, number>>;
  readonly bodyField: readonly string[];
  readonly capabilities?: string;
}

/** `gatehouse provider`: the connections of the deployment to providers (docs/providers.md). */
export function providerCommand(): Command {
  return new Command('provider')
    .addCommand(connectCommand())
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(disconnectCommand());
}

function connectCommand(): Command {
  return withJson(new Command('connect'))
    .description('connect a provider, or replace its connection')
    .argument(
      '<id>',
      'the slug of the provider in the catalog, a new one for a server of your own, or the name of a preset',
    )
    .addOption(new Option('--protocol <name>', 'the protocol of its API').choices(NETWORK_PROTOCOLS))
    .addOption(
      new Option('--preset <name>', 'a way in which a cloud serves models (docs/cloud-providers.md)').choices([
        ...CONNECTION_PRESETS.keys(),
      ]),
    )
    .option('--resource <name>', 'the resource of Azure, for a preset')
    .option('--api-version <date>', 'the version of a dated address of Azure, for a preset')
    .option('--region <name>', 'the region of Amazon, for a preset')
    .option('--project <id>', 'the project of Google, for a preset')
    .option('--location <name>', 'the location of Google, for a preset')
    .option('--tenant-id <id>', 'the tenant of Microsoft Entra ID, for a credential of it')
    .option('--client-id <id>', 'the application or managed identity of Microsoft Entra ID, for a credential of it')
    .addOption(
      new Option('--credential <name>', 'how the provider is shown who calls, for a preset').choices(CREDENTIAL_NAMES),
    )
    .option('--base-url <url>', 'the address of its API (default: its well-known address)')
    .addOption(new Option('--api-key-env <name>', 'the variable that holds the API key').conflicts('apiKeyStdin'))
    .option('--api-key-stdin', 'read the API key from standard input')
    .addOption(
      new Option('--credential-file <file>', 'the file of a credential that is a document').conflicts([
        'apiKeyEnv',
        'apiKeyStdin',
      ]),
    )
    .addOption(
      new Option('--model <author/slug=name>', 'a model that it serves, by its name there; may be repeated')
        .argParser(addPair)
        .default({}, 'none'),
    )
    .addOption(
      new Option('--timeout <step=milliseconds>', `a time limit for ${Object.keys(STEPS).join(', ')}; may be repeated`)
        .argParser(addTimeout)
        .default({}, '5000, 300000, 120000, 120000'),
    )
    .addOption(
      new Option('--body-field <name>', 'a further field of requests that the provider gets; may be repeated')
        .argParser(addField)
        .default([], 'none'),
    )
    .option('--capabilities <file>', 'a JSON file of what the server can do (docs/interface/capabilities.md)')
    .action(async (id: string, options: ConnectOptions) => {
      const { protocol, baseUrl, credential, model: models, timeout: timeouts } = options;
      const named = options.preset === undefined ? CONNECTION_PRESETS.get(id) : undefined;
      const provider = named?.provider ?? id;
      const preset = options.preset ?? (named && id);
      const settings = settingsOf(options);
      const apiKey = await apiKeyOf(options);
      const capabilities = await capabilitiesOf(options);
      const made = await eitherWayOnProviders({
        byInterface: async (server) => {
          const body = requestOf({ ...options, preset }, settings, { apiKey, capabilities });
          const { data } = await server.call('connectProvider', { path: { provider }, body });
          return { ...data, problem: data.test.problem ?? undefined };
        },
        byDatabase: async (context) => {
          // What is connected before the first start must not keep it from loading the catalog.
          await context.get(InstallationService).ensureCatalog();
          const connected = await context.get(ConnectionsService).connect({
            provider,
            protocol,
            baseUrl,
            preset,
            settings,
            credential,
            apiKey,
            models,
            timeouts,
            capabilities,
          });
          const isTested = preset !== undefined;
          const tested = isTested ? await context.get(ConnectionTestService).test(provider) : undefined;
          return { ...toMadeConnection(connected), problem: tested && problemOfTest(provider, tested) };
        },
      });
      // A credential that does not work is better known now than at the first request.
      const problem = preset === undefined ? undefined : made.problem;
      printResult(
        options,
        {
          provider,
          connected: true,
          provider_added: made.provider_added,
          models: made.served_models,
          endpoints_added: made.endpoints_added,
          ...(preset !== undefined && { problem: problem ?? null }),
        },
        ...describeMade(provider, made),
        ...(problem === undefined ? [] : [`It does not work yet: ${problem}`]),
      );
    });
}

function listCommand(): Command {
  return withJson(new Command('list'))
    .description('list the connected providers, without their API keys')
    .action(async (options: JsonOption) => {
      const shown = await eitherWayOnProviders({
        byInterface: async (server) => (await server.list('listProviderConnections', {})).items,
        byDatabase: async (context) => (await context.get(ConnectionsService).list()).map(toProviderConnection),
      });
      const lines = shown.length === 0 ? ['No provider is connected.'] : shown.map(describe);
      printResult(options, { providers: shown.map(toJson) }, ...lines);
    });
}

function testCommand(): Command {
  return withJson(new Command('test'))
    .description('request the list of models of a connected provider, and report the status')
    .argument('<id>', 'the slug of the provider')
    .action(async (provider: string, options: JsonOption) => {
      const {
        outcome,
        url,
        status,
        duration_ms: duration,
        problem,
      } = await eitherWayOnProviders(
        {
          byInterface: async (server) => (await server.call('testProviderConnection', { path: { provider } })).data,
          byDatabase: async (context) => {
            const test = await context.get(ConnectionTestService).test(provider);
            if (test.outcome === 'not_connected') throw new ProviderConnectionNotFound();
            return toProviderConnectionTest(provider, test);
          },
        },
        { provider_connection_not_found: `${provider} is not connected.` },
      );
      if (problem !== null) throw new UsageError(problem);
      const success =
        outcome === 'token_issued'
          ? `${provider} can be called: a token was issued.`
          : outcome === 'answered'
            ? `${provider} answers ${status} at ${url} after ${duration} ms`
            : `${provider} is builtin and always answers.`;
      printResult(options, { provider, status }, success);
    });
}

function disconnectCommand(): Command {
  return withJson(new Command('disconnect'))
    .description('remove the stored connection of a provider')
    .argument('<id>', 'the slug of the provider')
    .action(async (provider: string, options: JsonOption) => {
      await eitherWayOnProviders<unknown>(
        {
          byInterface: (server) => server.call('disconnectProvider', { path: { provider } }),
          byDatabase: async (context) => {
            const wasConnected = await context.get(ConnectionsService).disconnect(provider);
            if (!wasConnected) throw new ProviderConnectionNotFound();
          },
        },
        { provider_connection_not_found: `There is no stored connection to ${provider}.` },
      );
      printResult(options, { provider, connected: false }, `Provider ${provider} is disconnected.`);
    });
}

/** What a preset is told of an account. */
function settingsOf({
  resource,
  apiVersion,
  region,
  project,
  location,
  tenantId,
  clientId,
}: ConnectOptions): PresetSettings {
  const given = { resource, apiVersion, region, project, location, tenantId, clientId };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The connection as the interface takes it. */
function requestOf(
  { protocol, baseUrl, preset, credential, model, timeout }: ConnectOptions,
  { apiVersion, tenantId, clientId, ...settings }: PresetSettings,
  { apiKey, capabilities }: { readonly apiKey: string | null; readonly capabilities: object | undefined },
): ConnectProviderRequest {
  const { firstEvent, ...timeouts } = timeout;
  const input = {
    protocol,
    base_url: baseUrl,
    preset,
    ...settings,
    api_version: apiVersion,
    tenant_id: tenantId,
    client_id: clientId,
    credential,
    api_key: apiKey,
    models: Object.entries(model).map(([name, upstream]) => ({ model: name, upstream_model_id: upstream })),
    timeouts: { ...timeouts, first_event: firstEvent },
    capabilities,
  };
  // What the interface does not take, as a credential of the machine, is for the server to refuse.
  return input as ConnectProviderRequest;
}

/** @throws UsageError for what the operator can put right */
async function eitherWayOnProviders<T>(
  { byInterface, byDatabase }: EitherWayOnDeployment<T>,
  sentences: Sentences = {},
): Promise<T> {
  try {
    return await explaining(sentences, () =>
      eitherWay(undefined, { byInterface, byDatabase: () => withApplicationContext(byDatabase) }),
    );
  } catch (error) {
    if (error instanceof InvalidConnection) throw new UsageError(error.message);
    if (error instanceof EncryptionKeyMismatch) throw new UsageError(`Nothing was changed: ${error.message}.`);
    throw error;
  }
}

/** Never an argument: other users of the machine can see those. @returns null where none is given */
async function apiKeyOf({
  apiKeyEnv,
  apiKeyStdin,
  credentialFile,
  credential,
}: ConnectOptions): Promise<string | null> {
  if (credentialFile !== undefined) return textIn(credentialFile);
  if (apiKeyEnv !== undefined) {
    const value = valueOfVariable(apiKeyEnv);
    if (value === undefined) throw new UsageError(`The variable ${apiKeyEnv} is not set.`);
    return value;
  }
  if (apiKeyStdin !== true) return credential === 'aws-keys' ? awsKeysOfVariables() : null;
  const value = (await text(process.stdin)).trim();
  if (value === '') throw new UsageError('Standard input is empty.');
  return value;
}

/** The keys in the variables that Amazon's own commands read. */
function awsKeysOfVariables(): string {
  const fields = {
    access_key_id: valueOfVariable('AWS_ACCESS_KEY_ID'),
    secret_access_key: valueOfVariable('AWS_SECRET_ACCESS_KEY'),
    session_token: valueOfVariable('AWS_SESSION_TOKEN'),
  };
  if (fields.access_key_id === undefined || fields.secret_access_key === undefined) {
    throw new UsageError('The variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set.');
  }
  return JSON.stringify(fields);
}

function addField(name: string, names: readonly string[]): string[] {
  if (!isFieldName(name)) throw new InvalidArgumentError('It must be the name of a field of a body.');
  return [...names, name];
}

/** @returns undefined where nothing is said @throws UsageError for a file that is no object of JSON */
async function capabilitiesOf({ bodyField: fields, capabilities: file }: ConnectOptions): Promise<object | undefined> {
  const given = file === undefined ? {} : await objectIn(file);
  if (fields.length === 0) return file === undefined ? undefined : given;
  const known = given['extra_body_fields'];
  return { ...given, extra_body_fields: [...(Array.isArray(known) ? (known as unknown[]) : []), ...fields] };
}

async function textIn(file: string): Promise<string> {
  return readFile(resolve(invocationDirectory(), file), 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  });
}

async function objectIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const content = await textIn(file);
  const value = parsedIfJson(content);
  if (!isObject(value)) throw new UsageError(`${file} is no object of JSON.`);
  return value;
}

function addPair(pair: string, pairs: Readonly<Record<string, string>>): Record<string, string> {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Its form is author/slug=name.');
  return { ...pairs, [pair.slice(0, equals)]: pair.slice(equals + 1) };
}

function addTimeout(pair: string, timeouts: Readonly<Record<string, number>>): Record<string, number> {
  const [step = '', milliseconds = ''] = pair.split('=');
  if (!Object.hasOwn(STEPS, step) || !/^\d+$/.test(milliseconds)) {
    throw new InvalidArgumentError(`Its form is step=milliseconds, with a step of ${Object.keys(STEPS).join(', ')}.`);
  }
  return { ...timeouts, [STEPS[step as keyof typeof STEPS]]: Number(milliseconds) };
}

/** What was done, and what is left to do before a request is answered. */
function describeMade(
  provider: string,
  {
    provider_added: isNewProvider,
    served_models: servedModels,
    unnamed_models: unnamedModels,
    added_prices: prices,
  }: ReturnType<typeof toMadeConnection>,
): string[] {
  return [
    ...(isNewProvider ? [`Provider ${provider} is added to the catalog.`] : []),
    ...prices.map(
      ({ model, prompt, completion }) =>
        `${model} has an endpoint there now, at $${perMillion(prompt) ?? '?'} and $${perMillion(completion) ?? '?'} for a million tokens, the price of the catalog; to change it: gatehouse model add ${model} --provider ${provider} --prompt-price X --completion-price Y`,
    ),
    `Provider ${provider} is connected. To try it out: gatehouse provider test ${provider}`,
    ...(unnamedModels.length === 0
      ? []
      : [
          `${unnamedModels.length} models of the catalog with an endpoint there are not asked for, because the connection does not reach them or has no name of them: --model author/slug=name says one (${named(unnamedModels)})`,
        ]),
    ...(servedModels.length + unnamedModels.length === 0
      ? [
          `No model of the catalog has an endpoint there: gatehouse model add author/slug --provider ${provider} --context N --prompt-price X --completion-price Y`,
        ]
      : []),
  ];
}

/** How many models are named in a line. */
const NAMED_MODELS = 5;

function named(models: readonly string[]): string {
  const others = models.length - NAMED_MODELS;
  return models.slice(0, NAMED_MODELS).join(', ') + (others > 0 ? ` and ${others} others` : '');
}

/** A connection as the interface lists it. */
type ListedConnection = ReturnType<typeof toProviderConnection>;

function describe(shown: ListedConnection): string {
  const { provider, protocol, base_url: baseUrl, api_key: apiKey, credential: name, sources, models, usable } = shown;
  // Where the secret of a connection comes from that has none of its own.
  const source = name === null || name === 'key' ? undefined : name.replace('-', ' ');
  const credential = usable ? (apiKey ?? source ?? 'no API key') : 'an API key that no key of ENCRYPTION_KEY decrypts';
  const names = models.length === 0 ? '' : `, ${models.length} model${models.length === 1 ? '' : 's'} renamed`;
  return `${provider}  ${protocol}${baseUrl === '' ? '' : `  ${baseUrl}  ${credential}`}  (${sources.join(', ')}${names})`;
}

function toJson({ models, ...shown }: ListedConnection): object {
  return { ...shown, models: Object.fromEntries(models.map((one) => [one.model, one.upstream_model_id])) };
}
