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
import { ConnectionsService, type MadeConnection } from '../modules/providers/connections/connections.service.js';
import { type ConnectionTest, problemOfTest } from '../modules/providers/connections/connection-test.js';
import { ConnectionTestService } from '../modules/providers/connections/connection-test.service.js';
import { InvalidConnection } from '../modules/providers/connections/connection-request.js';
import type { ProviderAddress } from '../modules/providers/connections/well-known-providers.js';
import type { ShownConnection } from '../modules/providers/connections/shown-connection.js';
import { timeoutFieldsOf } from '../modules/providers/connections/provider-connection.js';
import { withApplicationContext } from './application-context.js';
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
      const made = await withConnections(async (connections, installation) => {
        // What is connected before the first start must not keep it from loading the catalog.
        await installation.ensureCatalog();
        return connections.connect({
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
      });
      const { isNewProvider, servedModels, addedEndpoints } = made;
      // A credential that does not work is better known now than at the first request.
      const tested = preset === undefined ? undefined : await testOf(provider);
      const problem = tested && problemOfTest(provider, tested);
      printResult(
        options,
        {
          provider,
          connected: true,
          provider_added: isNewProvider,
          models: servedModels,
          endpoints_added: addedEndpoints.map(({ model }) => model),
          ...(tested !== undefined && { problem: problem ?? null }),
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
      const shown = await withConnections((connections) => connections.list());
      const lines = shown.length === 0 ? ['No provider is connected.'] : shown.map(describe);
      printResult(options, { providers: shown.map(toJson) }, ...lines);
    });
}

function testCommand(): Command {
  return withJson(new Command('test'))
    .description('request the list of models of a connected provider, and report the status')
    .argument('<id>', 'the slug of the provider')
    .action(async (provider: string, options: JsonOption) => {
      const result = await testOf(provider);
      const problem = problemOfTest(provider, result);
      if (problem !== undefined) throw new UsageError(problem);
      const status = result.outcome === 'answered' ? result.status : null;
      printResult(options, { provider, status }, successOf(provider, result));
    });
}

function disconnectCommand(): Command {
  return withJson(new Command('disconnect'))
    .description('remove the stored connection of a provider')
    .argument('<id>', 'the slug of the provider')
    .action(async (provider: string, options: JsonOption) => {
      const wasConnected = await withConnections((connections) => connections.disconnect(provider));
      if (!wasConnected) throw new UsageError(`There is no stored connection to ${provider}.`);
      printResult(options, { provider, connected: false }, `Provider ${provider} is disconnected.`);
    });
}

async function testOf(provider: string): Promise<ConnectionTest> {
  return withApplicationContext((context) => context.get(ConnectionTestService).test(provider));
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

/** @throws UsageError for what the operator can put right */
async function withConnections<T>(
  work: (connections: ConnectionsService, installation: InstallationService) => Promise<T>,
): Promise<T> {
  try {
    return await withApplicationContext((context) =>
      work(context.get(ConnectionsService), context.get(InstallationService)),
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
  { isNewProvider, servedModels, unnamedModels, addedEndpoints }: MadeConnection,
): string[] {
  const prices = ({ pricing: { prompt, completion } }: MadeConnection['addedEndpoints'][number]): string =>
    `$${perMillion(prompt) ?? '?'} and $${perMillion(completion) ?? '?'} for a million tokens, the price of the catalog`;
  return [
    ...(isNewProvider ? [`Provider ${provider} is added to the catalog.`] : []),
    ...addedEndpoints.map(
      (added) =>
        `${added.model} has an endpoint there now, at ${prices(added)}; to change it: gatehouse model add ${added.model} --provider ${provider} --prompt-price X --completion-price Y`,
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

function describe(shown: ShownConnection): string {
  const { provider, protocol, baseUrl, apiKey, credential: scheme, sources, models, isUsable } = shown;
  const credential = isUsable
    ? (apiKey ?? sourceOf(scheme) ?? 'no API key')
    : 'an API key that no key of ENCRYPTION_KEY decrypts';
  const names = models.size === 0 ? '' : `, ${models.size} model${models.size === 1 ? '' : 's'} renamed`;
  return `${provider}  ${protocol}${baseUrl === '' ? '' : `  ${baseUrl}  ${credential}`}  (${sources.join(', ')}${names})`;
}

/** Where the secret of a connection comes from that has none of its own. */
function sourceOf(scheme: ShownConnection['credential']): string | undefined {
  return scheme === undefined || scheme.scheme === 'key-header' ? undefined : `${scheme.scheme} ${scheme.source}`;
}

function toJson(shown: ShownConnection): object {
  const { provider, knownAs, protocol, baseUrl, address, credential, apiKey, sources, models, timeouts, isUsable } =
    shown;
  return {
    provider,
    protocol,
    base_url: baseUrl,
    known_as: knownAs ?? null,
    address: address ?? null,
    credential: credential ?? null,
    api_key: apiKey,
    sources,
    usable: isUsable,
    models: Object.fromEntries(models),
    timeouts: timeoutFieldsOf(timeouts),
  };
}

function successOf(provider: string, result: ConnectionTest): string {
  if (result.outcome === 'token_issued') return `${provider} can be called: a token was issued.`;
  if (result.outcome !== 'answered') return `${provider} is builtin and always answers.`;
  return `${provider} answers ${result.status} at ${result.url} after ${result.durationMs} ms`;
}
