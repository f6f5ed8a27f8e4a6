import { WELL_KNOWN_PROVIDERS } from '../../modules/providers/connections/well-known-providers.js';
import type { Fields } from '../../modules/configuration/kinds/configured-kind.js';
import { type Budget, budgetOf } from './budgets.js';
import { KNOWN_PROVIDERS, type KnownProvider, type ModelNames, OPENAI_SERVERS, splitModel } from './model-names.js';
import { Settings, variableIn } from './settings.js';

/** A server of one's own. */
export interface OwnServer {
  readonly baseUrl: string;
  /** What the server calls the model. */
  readonly upstream: string;
  /** US dollars for a token; undefined where the file does not say both. */
  readonly pricing: { readonly prompt: string; readonly completion: string } | undefined;
}

/** One entry of `model_list` that has a place here. */
export interface Deployment {
  readonly path: string;
  /** What clients of LiteLLM ask for. */
  readonly group: string;
  /** The id of the model of the catalog; undefined for all models of a provider. */
  readonly model: string | undefined;
  /** The slug of the provider; undefined for any. */
  readonly provider: string | undefined;
  readonly server: OwnServer | undefined;
  /** The variable with the credential; undefined where the operator has it. */
  readonly secret: string | undefined;
  /** Fields of requests that are set unless a client sets them. */
  readonly defaults: Fields;
  readonly isChat: boolean;
  readonly order: number | undefined;
  readonly limits: DeploymentLimits;
  readonly accessGroups: readonly string[];
}

/** What a deployment may be used for. */
export interface DeploymentLimits {
  readonly requestsPerMinute: number | undefined;
  readonly tokensPerMinute: number | undefined;
  readonly concurrent: number | undefined;
  readonly budget: Budget | undefined;
}

/** Where requests go. */
interface Place {
  /** The slug of the provider; undefined for any. */
  readonly provider: string | undefined;
  /** Undefined for a provider of the catalog. */
  readonly baseUrl: string | undefined;
}

/** Which model of the catalog a model of LiteLLM is, by its `model_name` or its `model`. */
export type GivenModels = ReadonlyMap<string, string>;

/** Fields of a chat completion that a deployment may set. */
const DEFAULT_FIELDS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'response_format',
  'reasoning_effort',
  'logit_bias',
  'verbosity',
] as const;

/** What says more of a model than its place in the catalog does. */
const FACTS_OF_CATALOG = [
  'id',
  'mode',
  'base_model',
  'max_tokens',
  'max_input_tokens',
  'max_output_tokens',
  'litellm_provider',
  'description',
  'db_model',
];

/** Addresses at which Azure has OpenAI's form below a path of its own. */
const AZURE_HOST = /\.(?:openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/;

/** Reads `model_list`. What has no place is listed. */
export class DeploymentReader {
  private readonly credentials = new Map<string, Settings>();
  /** Variables for secrets that the file has in clear, by the secrets. */
  private readonly madeVariables = new Map<string, string>();

  constructor(
    private readonly names: ModelNames,
    private readonly given: GivenModels,
    credentials: readonly Settings[],
  ) {
    for (const one of credentials) {
      const name = one.text('credential_name');
      const values = one.mapping('credential_values');
      one.ignore(['credential_info']);
      one.leaveOutTheRest();
      if (name !== undefined && values !== undefined) this.credentials.set(name, values);
    }
  }

  read(entries: readonly Settings[]): Deployment[] {
    return entries.flatMap((entry) => {
      const group = entry.text('model_name');
      const parameters = entry.mapping('litellm_params');
      const model = parameters?.text('model');
      if (group === undefined || group === '')
        entry.findings.wrong.push({ path: entry.pathOf('model_name'), message: 'must be given' });
      if (model === undefined || model === '') {
        const at = parameters === undefined ? entry.pathOf('litellm_params') : parameters.pathOf('model');
        entry.findings.wrong.push({ path: at, message: 'must be given' });
      }
      if (!group || !model || parameters === undefined) return [];
      const info = entry.mapping('model_info') ?? new Settings(entry.pathOf('model_info'), {}, entry.findings);
      return this.deployment(entry, group, model, parameters, info);
    });
  }

  private deployment(
    entry: Settings,
    group: string,
    model: string,
    parameters: Settings,
    info: Settings,
  ): Deployment[] {
    const credential = this.credentialOf(parameters);
    const { prefix, rest } = splitModel(model, parameters.text('custom_llm_provider'));
    const known = prefix === undefined ? undefined : KNOWN_PROVIDERS.get(prefix);
    const base = parameters.text('api_base') ?? parameters.text('base_url') ?? credential?.text('api_base');
    const place = this.placeOf(entry, { prefix, rest, known, base });
    if (place === undefined) return [];
    const isWildcard = rest.includes('*') || group.includes('*');
    if (isWildcard && (place.baseUrl !== undefined || known === undefined)) {
      entry.leaveOut('model_name', 'stands for models that the file does not name: name each');
      return [];
    }
    const id = isWildcard ? undefined : this.modelOf(entry, group, model, info);
    if (!isWildcard && id === undefined) return [];
    const pricing = pricingOf(parameters, info);
    if (pricing !== undefined && place.baseUrl === undefined) {
      parameters.leaveOut('input_cost_per_token', 'prices are those of the catalog: gatehouse model add changes them');
    }
    if (pricing === undefined && place.baseUrl !== undefined) {
      entry.toDo(
        'model_info',
        'the endpoint needs prices before it is activated: input_cost_per_token and output_cost_per_token say none',
      );
    }
    const secret = this.secretOf(parameters, credential, place, known);
    const mode = info.text('mode');
    const deployment: Deployment = {
      path: entry.path,
      group,
      model: id,
      provider: place.provider,
      server: place.baseUrl === undefined ? undefined : { baseUrl: place.baseUrl, upstream: rest, pricing },
      secret,
      defaults: defaultsOf(parameters),
      isChat:
        id !== undefined &&
        !this.names.isForEmbeddings(id) &&
        (mode === undefined || /^(?:chat|responses|completion)$/.test(mode)),
      order: parameters.number('order'),
      limits: {
        requestsPerMinute: parameters.number('rpm') ?? entry.number('rpm'),
        tokensPerMinute: parameters.number('tpm') ?? entry.number('tpm'),
        concurrent: parameters.number('max_parallel_requests'),
        budget: budgetOf(parameters, 'max_budget', 'budget_duration'),
      },
      accessGroups: info.texts('access_groups'),
    };
    // What a model can do is in the catalog.
    info.ignore([...FACTS_OF_CATALOG, ...info.names.filter((name) => /^(?:supports_|.*_cost_per_)/.test(name))]);
    parameters.ignore([
      'api_version',
      'litellm_credential_name',
      'weight',
      ...parameters.names.filter((name) => name.includes('_cost_per_')),
    ]);
    for (const read of [entry, parameters, info]) read.leaveOutTheRest();
    return [deployment];
  }

  private credentialOf(parameters: Settings): Settings | undefined {
    const name = parameters.text('litellm_credential_name');
    if (name === undefined) return undefined;
    const found = this.credentials.get(name);
    if (found === undefined) parameters.leaveOut('litellm_credential_name', `credential_list has no ${name}`);
    return found;
  }

  /** Where a deployment is. @returns undefined for nowhere, which is listed */
  private placeOf(
    entry: Settings,
    {
      prefix,
      rest,
      known,
      base,
    }: { prefix: string | undefined; rest: string; known: KnownProvider | undefined; base: string | undefined },
  ): Place | undefined {
    if (prefix === undefined || (rest === '*' && prefix === '*')) {
      entry.leaveOut('litellm_params', 'says no provider: write it before the model, as in openai/gpt-5.5');
      return undefined;
    }
    if (prefix === 'openrouter') return { provider: undefined, baseUrl: undefined };
    if (base === undefined) {
      if (known !== undefined) return { provider: known.slug, baseUrl: undefined };
      entry.leaveOut(
        'litellm_params',
        `there is no provider here for ${prefix}: an operator connects one, docs/providers.md`,
      );
      return undefined;
    }
    const url = URL.canParse(base) ? new URL(base) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
      entry.leaveOut('litellm_params', 'api_base must be an http or https address without a user and a query');
      return undefined;
    }
    if (known !== undefined && isAddressOf(known, url)) return { provider: known.slug, baseUrl: undefined };
    if (known?.slug === 'azure' && AZURE_HOST.test(url.hostname)) {
      return { provider: slugOf(url.host), baseUrl: `${url.origin}/openai/v1` };
    }
    const speaks =
      OPENAI_SERVERS.has(prefix) || (known !== undefined && known.isCloud !== true && known.slug !== 'anthropic');
    if (!speaks) {
      entry.leaveOut('litellm_params', `a server of your own speaks OpenAI's form, and this one that of ${prefix}`);
      return undefined;
    }
    const path = url.pathname.replace(/\/(?:chat\/completions|completions|embeddings)?\/?$/, '');
    const suffix = prefix.startsWith('ollama') && path === '' ? '/v1' : path;
    return { provider: slugOf(url.host + (suffix === '/v1' ? '' : suffix)), baseUrl: `${url.origin}${suffix}` };
  }

  /** The model of the catalog that a deployment serves. @returns undefined for none, which is listed */
  private modelOf(entry: Settings, group: string, model: string, info: Settings): string | undefined {
    const given = this.given.get(group) ?? this.given.get(model);
    if (given !== undefined) return given;
    const base = info.text('base_model');
    const found = (base === undefined ? undefined : this.names.named(base)) ?? this.names.named(model);
    if (found?.isKnown === true) {
      if (found.isGuess) entry.toDo('litellm_params', `${model} is taken as ${found.id}`);
      return found.id;
    }
    const byGroup = this.names.named(group);
    if (byGroup?.isKnown === true && found === undefined) {
      entry.toDo('model_name', `${model} is taken as ${byGroup.id}, by this name`);
      return byGroup.id;
    }
    if (found !== undefined) {
      entry.toDo(
        'litellm_params',
        `${found.id} is not in the catalog that Gatehouse comes with: gatehouse diff says whether yours has it`,
      );
      return found.id;
    }
    entry.leaveOut(
      'litellm_params',
      `which model of the catalog ${model} is cannot be told: --model ${group}=AUTHOR/SLUG says it (gatehouse model add, if the catalog has none)`,
    );
    return undefined;
  }

  /** The variable that has the credential of a deployment; undefined where the operator has it. */
  private secretOf(
    parameters: Settings,
    credential: Settings | undefined,
    { provider, baseUrl }: Place,
    known: KnownProvider | undefined,
  ): string | undefined {
    const settings = parameters.value('api_key') === undefined ? (credential ?? parameters) : parameters;
    const value = settings.value('api_key');
    if (provider === undefined) {
      if (value !== undefined)
        settings.leaveOut('api_key', 'no router of others is asked, but providers of the catalog');
      return undefined;
    }
    const isOfCatalog = baseUrl === undefined;
    if (isOfCatalog && known?.isCloud === true) {
      parameters.toDo('model', `an operator connects ${provider}: docs/cloud-providers.md`);
      parameters.ignore(['api_key', ...parameters.names.filter((name) => /^(?:aws|vertex|azure)_/.test(name))]);
      return undefined;
    }
    const variable = variableIn(value);
    if (variable !== undefined) {
      if (settings.findings.variables.has(variable)) {
        settings.toDo('api_key', `set ${variable} where the file is applied, as environment_variables has it`);
      }
      return variable;
    }
    if (value === undefined) {
      if (isOfCatalog && known !== undefined) return known.variable;
      const made = madeVariable(provider);
      parameters.toDo('model', `has no key: set ${made} to that of the server, or to any text if it wants none`);
      return made;
    }
    if (typeof value !== 'string') {
      settings.findings.wrong.push({ path: settings.pathOf('api_key'), message: 'must be a text' });
      return undefined;
    }
    const made = this.variableOf(value, madeVariable(provider));
    settings.toDo('api_key', `is a secret in clear: set ${made} to it where the file is applied`);
    return made;
  }

  /** A variable for a secret, of which each has one. */
  private variableOf(secret: string, wanted: string): string {
    const before = this.madeVariables.get(secret);
    if (before !== undefined) return before;
    const taken = new Set(this.madeVariables.values());
    const name = unusedName(wanted, taken, '_');
    this.madeVariables.set(secret, name);
    return name;
  }
}

/** A name that is not taken yet, with a number behind it where it has to be. */
export function unusedName(wanted: string, taken: ReadonlySet<string>, separator: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${separator}${number}`;
    if (!taken.has(name)) return name;
  }
}

/** A slug made of a text. */
export function slugOf(text: string, longest = 60): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, longest).replace(/-$/, '');
}

function isAddressOf({ slug }: KnownProvider, url: URL): boolean {
  const known = WELL_KNOWN_PROVIDERS.get(slug);
  return known !== undefined && new URL(known.baseUrl).host === url.host;
}

/** A variable for the key of a provider. It is none that a file of LiteLLM names already. */
function madeVariable(provider: string): string {
  return `LITELLM_${slugOf(provider).toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

function defaultsOf(parameters: Settings): Fields {
  const found: Record<string, unknown> = {};
  for (const name of DEFAULT_FIELDS) {
    const value = parameters.value(name);
    if (value === undefined) continue;
    if (variableIn(value) === undefined) found[name] = value;
    else parameters.leaveOut(name, 'a preset does not read variables');
  }
  return found;
}

function pricingOf(parameters: Settings, info: Settings): OwnServer['pricing'] {
  const [prompt, completion] = ['input_cost_per_token', 'output_cost_per_token'].map(
    (name) => parameters.number(name) ?? info.number(name),
  );
  return prompt === undefined || completion === undefined
    ? undefined
    : { prompt: decimal(prompt), completion: decimal(completion) };
}

/** A number without an exponent. */
function decimal(value: number): string {
  return value.toFixed(18).replace(/\.?0+$/, '');
}
