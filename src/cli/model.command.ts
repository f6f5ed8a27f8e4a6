import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import type { CatalogModel } from '../modules/catalog/catalog-model.js';
import { CatalogLookup } from '../modules/catalog/catalog-lookup.service.js';
import { hasCompletions, InvalidOwnModel, OwnModelsService } from '../modules/catalog/own-models/own-models.service.js';
import { INPUT_MODALITIES, OUTPUT_MODALITIES, SUPPORTED_PARAMETERS } from '../modules/catalog/model-vocabulary.js';
import { isPricePerMillion, perMillion } from '../modules/catalog/own-models/price-per-million.js';
import {
  CHARGED_UNITS,
  isUnitPrice,
  type UnitPrices,
  unitPricesIn,
} from '../modules/catalog/own-models/charged-units.js';
import { TOKEN_PRICES, type TokenPrices, tokenPricesIn } from '../modules/catalog/own-models/token-prices.js';
import { InstallationService } from '../modules/installation/installation.service.js';
import { ConnectionsService, isServed } from '../modules/providers/connections/connections.service.js';
import { isProviderId } from '../modules/providers/connections/connection-request.js';
import type { ShownConnection } from '../modules/providers/connections/shown-connection.js';
import { WELL_KNOWN_PROVIDERS } from '../modules/providers/connections/well-known-providers.js';
import { withApplicationContext } from './application-context.js';
import { type JsonOption, printResult, withJson } from './output.js';

interface AddOptions extends JsonOption {
  readonly provider: string;
  readonly context?: number;
  readonly promptPrice?: string;
  readonly completionPrice?: string;
  readonly unitPrice: UnitPrices;
  readonly upstreamId?: string;
  readonly name?: string;
  readonly maxOutput?: number;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly embeddings?: boolean;
  readonly parameters?: readonly string[];
  readonly alias: readonly string[];
  readonly zdr?: boolean;
}

interface RemoveOptions extends JsonOption {
  readonly provider?: string;
}

interface ListOptions extends JsonOption {
  readonly own?: boolean;
}

/** An option for each price of a kind of token, as `--input-cache-read-price`. */
const TOKEN_OPTIONS = TOKEN_PRICES.map((name) => ({
  name,
  option: new Option(
    `--${name.replaceAll('_', '-')}-price <usd>`,
    `US dollars for a million tokens that the catalog prices as ${name}`,
  ).argParser(price),
}));

/** `gatehouse model`: models of the operator's own, one at a time (docs/own-models.md). */
export function modelCommand(): Command {
  return new Command('model').addCommand(addCommand()).addCommand(listCommand()).addCommand(removeCommand());
}

function addCommand(): Command {
  const command = withJson(new Command('add'))
    .description('add a model with its endpoint at a provider, or change what is given of them')
    .argument('<author/slug>', 'the name by which clients ask for the model', modelId)
    .requiredOption('--provider <id>', 'the provider that serves it; one that the catalog lacks is added', providerId)
    .option('--context <tokens>', 'the context length', tokens)
    .option('--prompt-price <usd>', 'US dollars for a million tokens of the prompt', price)
    .option('--completion-price <usd>', 'US dollars for a million tokens of the answer', price)
    .option(
      '--unit-price <unit=usd>',
      `US dollars for a unit besides tokens: ${CHARGED_UNITS.join(', ')}; may be repeated`,
      unitPrice,
      {},
    )
    .option('--upstream-id <name>', "the provider's own name of the model (default: the slug)")
    .option('--name <text>', 'a name for people (default: the id)')
    .option('--max-output <tokens>', 'the most tokens of an answer', tokens)
    .option(
      '--input <list>',
      `what it reads, with commas between: ${INPUT_MODALITIES.join(', ')}`,
      listOf(INPUT_MODALITIES),
    )
    .option('--output <list>', `what it makes: ${OUTPUT_MODALITIES.join(', ')}`, listOf(OUTPUT_MODALITIES))
    .option('--embeddings', 'the same as --output embeddings')
    .option(
      '--parameters <list>',
      'the parameters that it takes, as tools,tool_choice,temperature (default: unknown, and all are passed on)',
      listOf(SUPPORTED_PARAMETERS),
    )
    .option('--alias <author/slug>', 'another name of the model; may be repeated', added, [])
    .option('--zdr', 'the provider retains nothing of requests, does not train on them and publishes none')
    .action(async (id: string, options: AddOptions) => {
      const { provider } = options;
      const tokenPrices = tokenPricesOf(options);
      const made = await withOwnModels(missingOf(options), async (models, connections) => {
        const added = await models.add({
          id,
          provider,
          name: options.name,
          contextLength: options.context,
          longestAnswer: options.maxOutput,
          promptPrice: options.promptPrice,
          completionPrice: options.completionPrice,
          unitPrices: options.unitPrice,
          tokenPrices,
          upstreamId: options.upstreamId,
          inputs: options.input,
          outputs: options.embeddings === true ? ['embeddings'] : options.output,
          parameters: options.parameters,
          aliases: options.alias,
          retainsNothing: options.zdr,
        });
        const isConnected = await connections.isConnected(provider);
        return { ...added, isConnected, isServed: await connections.serves(provider, id.toLowerCase()) };
      });
      printResult(
        options,
        {
          model: id,
          provider,
          added: made.isNewModel,
          provider_added: made.isNewProvider,
          provider_connected: made.isConnected,
        },
        `Model ${id} is ${made.isNewModel ? 'added' : 'changed'}, with an endpoint at ${provider}${made.isNewProvider ? ', a new provider' : ''}.`,
        made.isServed
          ? `Requests for it work from now on: "model": "${id}"`
          : made.isConnected
            ? `Before requests for it work, say what ${provider} calls it: gatehouse model add ${id} --provider ${provider} --upstream-id NAME`
            : `Before requests for it work, connect the provider: gatehouse provider connect ${provider} ${WELL_KNOWN_PROVIDERS.has(provider) ? '--api-key-env NAME' : '--base-url URL'}`,
      );
    });
  for (const { option } of TOKEN_OPTIONS) command.addOption(option);
  return command;
}

function tokenPricesOf(options: AddOptions): TokenPrices {
  const given = options as unknown as Readonly<Record<string, string | undefined>>;
  return Object.fromEntries(
    TOKEN_OPTIONS.flatMap(({ name, option }) => {
      const usd = given[option.attributeName()];
      return usd === undefined ? [] : [[name, usd] as const];
    }),
  );
}

function listCommand(): Command {
  return withJson(new Command('list'))
    .description('list the models of the catalog, with prices for a million tokens and the providers that serve them')
    .option('--own', 'only models of your own')
    .action(async ({ own, ...options }: ListOptions) => {
      const [models, connected] = await withApplicationContext(async (context) => {
        const catalog = await context.get(CatalogLookup).catalog();
        const connections = await context.get(ConnectionsService).list();
        const usable = connections.filter(({ isUsable }) => isUsable);
        return [catalog.models, new Map(usable.map((connection) => [connection.provider, connection]))] as const;
      });
      const shown = models.filter(({ row }) => own !== true || row.isOwn).map((model) => toJson(model, connected));
      const none = own === true ? 'No model of your own is in the catalog.' : 'The catalog has no model.';
      printResult(options, { models: shown }, ...(shown.length === 0 ? [none] : shown.map(describe)));
    });
}

function removeCommand(): Command {
  return withJson(new Command('remove'))
    .description('remove a model of your own, or your own endpoints of a model that others serve too')
    .argument('<author/slug>', 'a name of the model')
    .option('--provider <id>', 'only the endpoint at this provider')
    .action(async (name: string, { provider, ...options }: RemoveOptions) => {
      const { id, removedEndpoints, endpointsLeft } = await withOwnModels([], (models) =>
        models.remove(name, provider),
      );
      const counted = `${removedEndpoints} endpoint${removedEndpoints === 1 ? '' : 's'}`;
      printResult(
        options,
        { model: id, removed_endpoints: removedEndpoints, removed: endpointsLeft === undefined },
        endpointsLeft === undefined
          ? `Model ${id} is removed, with ${counted}.`
          : `${counted} of ${id} ${removedEndpoints === 1 ? 'is' : 'are'} removed; it stays with ${endpointsLeft} more.`,
      );
    });
}

/** What a new model needs and is not given; models that the catalog has need none of it. */
function missingOf({
  context,
  promptPrice,
  completionPrice,
  unitPrice: units,
  embeddings,
  output,
}: AddOptions): string[] {
  const isPricedByUnit = Object.keys(units).length > 0;
  const hasAnswers = embeddings !== true && hasCompletions(output);
  return [
    ...(context === undefined ? ['--context'] : []),
    ...(promptPrice === undefined && !isPricedByUnit ? ['--prompt-price'] : []),
    ...(completionPrice === undefined && !isPricedByUnit && hasAnswers ? ['--completion-price'] : []),
  ];
}

/**
 * @param missing options that may be the reason why it cannot be done
 * @throws UsageError for what the operator can put right
 */
async function withOwnModels<T>(
  missing: readonly string[],
  work: (models: OwnModelsService, connections: ConnectionsService) => Promise<T>,
): Promise<T> {
  try {
    return await withApplicationContext(async (context) => {
      // What is added before the first start must not keep it from loading the catalog.
      await context.get(InstallationService).ensureCatalog();
      return work(context.get(OwnModelsService), context.get(ConnectionsService));
    });
  } catch (error) {
    if (!(error instanceof InvalidOwnModel)) throw error;
    const hint = missing.length === 0 ? [] : [`A new model needs ${missing.join(', ')}.`];
    throw new UsageError([error.message, ...hint].join('\n'));
  }
}

interface ShownModel {
  readonly id: string;
  readonly name: string;
  readonly own: boolean;
  readonly context_length: number | null;
  readonly endpoints: readonly ShownEndpoint[];
}

interface ShownEndpoint {
  readonly provider: string;
  readonly connected: boolean;
  readonly own: boolean;
  readonly upstream_id: string | null;
  /** US dollars for a million tokens; null for a price that varies. */
  readonly prompt_price: string | null;
  readonly completion_price: string | null;
  /** US dollars for a million tokens of other kinds. */
  readonly token_prices: TokenPrices;
  /** US dollars for what costs something besides tokens. */
  readonly unit_prices: UnitPrices;
}

function toJson(model: CatalogModel, connections: ReadonlyMap<string, ShownConnection>): ShownModel {
  const { row, endpoints } = model;
  return {
    id: row.id,
    name: row.name,
    own: row.isOwn,
    context_length: row.contextLength,
    endpoints: endpoints.map(({ row: endpoint }) => ({
      provider: endpoint.providerSlug,
      connected: isServed(connections.get(endpoint.providerSlug), model, endpoint),
      own: endpoint.isOwn,
      upstream_id: endpoint.upstreamId,
      prompt_price: perMillion(endpoint.pricing.prompt) ?? null,
      completion_price: perMillion(endpoint.pricing.completion) ?? null,
      token_prices: tokenPricesIn(endpoint.pricing),
      unit_prices: unitPricesIn(endpoint.pricing),
    })),
  };
}

function describe({ id, own, context_length: context, endpoints }: ShownModel): string {
  const length = context === null ? '' : `  ${context} tokens`;
  const served = endpoints.map(
    ({ provider, connected, prompt_price: prompt, completion_price: completion, unit_prices: units }) => {
      const ofUnits = Object.entries(units).map(
        ([unit, usd]) => ` $${usd} ${/^[aeiou]/.test(unit) ? 'an' : 'a'} ${unit}`,
      );
      const isOfUnits = ofUnits.length > 0 && prompt === '0' && completion === '0';
      const ofTokens = prompt === null || completion === null || isOfUnits ? '' : ` $${prompt}/$${completion}`;
      return `${provider}${ofTokens}${ofUnits.join('')}${connected ? '' : ' (not connected)'}`;
    },
  );
  return `${id}${length}  ${served.length === 0 ? 'no endpoint' : served.join(', ')}${own ? '  (own)' : ''}`;
}

function modelId(text: string): string {
  if (!/^[^/\s]+\/[^/\s]+$/.test(text)) throw new InvalidArgumentError('Its form is author/slug, as acme/chat.');
  return text;
}

function providerId(text: string): string {
  if (isProviderId(text)) return text;
  throw new InvalidArgumentError('It is made of small letters, digits, and hyphens or dots between them, as my-vllm.');
}

function tokens(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of tokens.');
  return Number(text);
}

function price(text: string): string {
  if (isPricePerMillion(text)) return text;
  throw new InvalidArgumentError(
    'It must be US dollars for a million tokens, as 0.15 or 2, with at most six decimals.',
  );
}

function unitPrice(text: string, others: UnitPrices): UnitPrices {
  const [unit, usd = ''] = text.split('=');
  if (CHARGED_UNITS.some((known) => known === unit) && isUnitPrice(usd)) return { ...others, [unit!]: usd };
  throw new InvalidArgumentError(
    `It must be one of ${CHARGED_UNITS.join(', ')} with US dollars for one, as second=0.0001, with at most twelve decimals.`,
  );
}

function listOf(allowed: readonly string[]): (text: string) => string[] {
  return (text) => {
    const items = text.split(',').map((item) => item.trim());
    const unknown = items.filter((item) => !allowed.includes(item));
    if (unknown.length > 0) {
      throw new InvalidArgumentError(`${unknown.join(', ')} is not one of ${allowed.join(', ')}.`);
    }
    return items;
  };
}

function added(text: string, others: readonly string[]): string[] {
  return [...others, text];
}
