import type { Fields } from '../../modules/configuration/kinds/configured-kind.js';
import { type Accounts, AccountsImport, usd } from './accounts.js';
import { budgetOf } from './budgets.js';
import { type Deployment, DeploymentReader, type GivenModels, unusedName } from './deployments.js';
import { KNOWN_PROVIDERS, type ModelNames } from './model-names.js';
import { type Route, routesOf } from './routes.js';
import type { Settings } from './settings.js';

/** What a file is made of. */
export interface ImportInput {
  readonly config: Settings;
  readonly accounts: Accounts;
  readonly models: GivenModels;
  readonly owner: string;
}

/** Parts of the document that are not empty, in the order of the page. */
export type ImportedDocument = Readonly<Record<string, unknown>>;

/**
 * Makes a configuration document (docs/configuration.md#files) of LiteLLM's (docs/how-to/from-litellm.md). What has no place, what is wrong and what
 * is left to do is listed in the findings of the settings.
 */
export function documentOf({ config, accounts, models, owner }: ImportInput, names: ModelNames): ImportedDocument {
  for (const [name, value] of variablesOf(config)) config.findings.variables.set(name, value);
  const credentials = config.mappings('credential_list');
  const deployments = new DeploymentReader(names, models, credentials).read(config.mappings('model_list'));
  const [library, router, general] = ['litellm_settings', 'router_settings', 'general_settings'].map((name) =>
    config.mapping(name),
  );
  if (deployments.some(({ server }) => server !== undefined)) {
    config.toDo(
      'model_list',
      'endpoints of your own are drafts: activate each, docs/interface/private-models.md#status',
    );
  }
  const routes = routesOf(deployments, router, library, config.findings);
  const people = new AccountsImport(deployments);
  people.add(accounts);
  const { workspaces, keys, guardrails, defaultGuardrails, limits } = people.imported;
  const all = [
    ...limitsOfLibrary(library),
    ...limitsOfProviders(router),
    ...limitsOfDeployments(deployments),
    ...limits,
  ];
  for (const settings of [library, router, general, config]) settings?.leaveOutTheRest();
  // Presets and keys of providers are those of a workspace.
  const places: readonly Fields[] = [{}, ...workspaces.map(({ slug }) => ({ workspace: slug }))];
  return withoutEmpty({
    apiVersion: 'gatehouse/v1',
    owner,
    workspaces,
    private_providers: providersOf(deployments),
    private_endpoints: endpointsOf(deployments),
    keys,
    guardrails,
    default_guardrails: defaultGuardrails,
    limits: withOwnNames(all),
    provider_keys: places.flatMap((place) => providerKeysOf(deployments).map((key) => ({ ...key, ...place }))),
    presets: places.flatMap((place) => presetsOf(routes, place, defaultGuardrails)),
  });
}

/** The presets of a workspace: of the models that it may use. */
function presetsOf(routes: readonly Route[], place: Fields, guardrails: readonly Fields[]): Fields[] {
  const guardrail = guardrails.find(({ workspace }) => workspace !== undefined && workspace === place['workspace']);
  const allowed = new Set(guardrail?.['allowed_models'] as string[] | undefined);
  return routes
    .filter(({ config: { model } }) => guardrail === undefined || allowed.has(model as string))
    .map(({ slug, config }) => ({ slug, ...place, config }));
}

/** `environment_variables`, which stand for those of the process. */
function variablesOf(config: Settings): (readonly [string, string])[] {
  const variables = config.mapping('environment_variables');
  return (variables?.names ?? []).flatMap((name) => {
    const value = variables!.value(name);
    if (typeof value === 'string') return [[name, value] as const];
    return typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)] as const] : [];
  });
}

function providersOf(deployments: readonly Deployment[]): Fields[] {
  const bySlug = new Map<string, Fields>();
  for (const { provider, server } of deployments) {
    if (server === undefined || provider === undefined) continue;
    bySlug.set(provider, { name: provider, slug: provider, base_url: server.baseUrl });
  }
  return [...bySlug.values()];
}

function endpointsOf(deployments: readonly Deployment[]): Fields[] {
  const endpoints = new Map<string, Fields>();
  for (const { provider, model, server } of deployments) {
    if (server === undefined) continue;
    const { upstream, pricing } = server;
    endpoints.set(JSON.stringify([provider, model, upstream]), {
      provider_slug: provider,
      model_permaslug: model,
      upstream_model_id: upstream,
      ...(pricing && { pricing }),
    });
  }
  return [...endpoints.values()];
}

/** A key for each credential, restricted to its models where its provider has several. */
function providerKeysOf(deployments: readonly Deployment[]): Fields[] {
  const byProvider = new Map<string, Map<string, Set<string | undefined>>>();
  for (const { provider, secret, model } of deployments) {
    if (provider === undefined || secret === undefined) continue;
    const secrets = byProvider.get(provider) ?? new Map<string, Set<string | undefined>>();
    byProvider.set(provider, secrets.set(secret, (secrets.get(secret) ?? new Set()).add(model)));
  }
  return [...byProvider].flatMap(([provider, secrets]) =>
    [...secrets].map(([variable, models]) => ({
      name: secrets.size === 1 ? provider : `${provider} ${variable}`,
      provider,
      key: { env: variable },
      // A deployment of all models of a provider has no name of one.
      ...(secrets.size > 1 && !models.has(undefined) && { allowed_models: [...models] }),
    })),
  );
}

function limitsOfLibrary(library: Settings | undefined): Fields[] {
  if (library === undefined) return [];
  const budget = budgetOf(library, 'max_budget', 'budget_duration');
  const ofMembers = budgetOf(library, 'max_internal_user_budget', 'internal_user_budget_duration');
  return [
    ...(budget ? [{ name: 'Budget of all requests', ...usd(budget) }] : []),
    ...(ofMembers ? [{ name: 'Budget of each member', group_by: ['member'], ...usd(ofMembers) }] : []),
  ];
}

function limitsOfProviders(router: Settings | undefined): Fields[] {
  const budgets = router?.mapping('provider_budget_config');
  return (budgets?.names ?? []).flatMap((name) => {
    const entry = budgets!.mapping(name);
    const budget =
      entry && (budgetOf(entry, 'budget_limit', 'time_period') ?? budgetOf(entry, 'max_budget', 'budget_duration'));
    const provider = KNOWN_PROVIDERS.get(name)?.slug;
    entry?.leaveOutTheRest();
    if (budget === undefined) return [];
    if (provider === undefined) {
      budgets!.leaveOut(name, 'the catalog knows no such provider');
      return [];
    }
    return [{ name: `Budget of ${provider}`, conditions: [{ key: 'provider', values: [provider] }], ...usd(budget) }];
  });
}

/** Limits of what is asked of a model at a provider: those of its deployments together. */
function limitsOfDeployments(deployments: readonly Deployment[]): Fields[] {
  const places = new Map<string, Deployment[]>();
  for (const one of deployments) {
    if (one.model === undefined) continue;
    const place = JSON.stringify([one.model, one.provider]);
    places.set(place, [...(places.get(place) ?? []), one]);
  }
  return [...places.values()].flatMap((together) => {
    const [{ model, provider }] = together as [Deployment, ...Deployment[]];
    const name = `${model}${provider === undefined ? '' : ` at ${provider}`}`;
    const conditions = [
      { key: 'model', values: [model] },
      ...(provider === undefined ? [] : [{ key: 'provider', values: [provider] }]),
    ];
    const sumOf = (field: 'requestsPerMinute' | 'tokensPerMinute' | 'concurrent'): number | undefined => {
      const amounts = together.map(({ limits }) => limits[field]);
      // One without a limit takes what is beyond those of the others.
      return amounts.some((amount) => amount === undefined)
        ? undefined
        : amounts.reduce<number>((sum, one) => sum + one!, 0);
    };
    return [
      ...limitOf(`Requests to ${name}`, conditions, 'requests', sumOf('requestsPerMinute'), 'minute'),
      ...limitOf(`Tokens of ${name}`, conditions, 'tokens', sumOf('tokensPerMinute'), 'minute'),
      ...limitOf(`Requests at once to ${name}`, conditions, 'concurrent', sumOf('concurrent'), undefined),
      ...together.flatMap(({ limits: { budget } }) =>
        budget ? [{ name: `Budget of ${name}`, conditions, ...usd(budget) }] : [],
      ),
    ];
  });
}

function limitOf(
  name: string,
  conditions: readonly object[],
  measure: string,
  amount: number | undefined,
  window: string | undefined,
): Fields[] {
  if (amount === undefined) return [];
  const counted = { amount: Math.floor(amount), ...(window && { window }) };
  return [{ name, conditions, measure, ...counted, ...(measure === 'tokens' && { include_byok: true }) }];
}

/** Limits of the same workspace get names of their own. */
function withOwnNames(limits: readonly Fields[]): Fields[] {
  const taken = new Map<unknown, Set<string>>();
  return limits.map((limit) => {
    const ofPlace = taken.get(limit['workspace']) ?? new Set<string>();
    const name = unusedName((limit['name'] as string).slice(0, 96), ofPlace, ' ');
    taken.set(limit['workspace'], ofPlace.add(name));
    return { ...limit, name };
  });
}

function withoutEmpty(document: ImportedDocument): ImportedDocument {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}
