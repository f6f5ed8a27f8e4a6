import type { CatalogEndpoint, CatalogModel } from '../catalog/catalog-model.js';
import { priceInForce } from '../catalog/price-rules.js';
import type { PolicyRefusal } from '../guardrails/effective-policy/permitted-models.js';

/** Why an endpoint is not tried (docs/interface/inference.md#excluded-endpoints). */
export const EXCLUSIONS = [
  'unchargeable_price',
  'not_connected',
  'unsupported_operation',
  'allowed_models',
  'allowed_providers',
  'data_policy:zdr',
  'data_policy:publication',
  'data_policy:training',
  'distillable',
  'quantization',
  'max_price',
  'context_length',
  'max_tokens',
  'tools',
  'modalities',
  'require_parameters',
] as const;

export type Exclusion = (typeof EXCLUSIONS)[number];

/** What a request asks of an endpoint. */
export interface EndpointNeeds {
  /** A lower bound of the prompt, in tokens. */
  readonly promptTokens: number;
  /** What the caller named as the maximum of the answer, in tokens. */
  readonly maxTokens: number | null;
  /** What goes in besides text. */
  readonly inputModalities: ReadonlySet<string>;
  readonly outputModalities: ReadonlySet<string>;
  readonly usesTools: boolean;
  /** The parameters of the request that not every endpoint supports, by the names of the catalog. */
  readonly parameters: ReadonlySet<string>;
  /** Those of them by which endpoints are ordered; no endpoint is excluded for them. */
  readonly preferredParameters: ReadonlySet<string>;
}

/** What a request allows of providers. Absent and null restrict nothing. */
export interface EndpointPreferences {
  readonly order?: readonly string[] | null;
  readonly only?: readonly string[] | null;
  readonly ignore?: readonly string[] | null;
  readonly allow_fallbacks?: boolean | null;
  readonly require_parameters?: boolean | null;
  readonly data_collection?: 'allow' | 'deny' | null;
  readonly zdr?: boolean | null;
  readonly enforce_distillable_text?: boolean | null;
  readonly quantizations?: readonly string[] | null;
  readonly max_price?: Readonly<Partial<Record<PricedUnit, string | number>>> | null;
}

const PRICED_UNITS = ['prompt', 'completion', 'request', 'image', 'audio'] as const;

type PricedUnit = (typeof PRICED_UNITS)[number];

/** The units whose highest price is named for a million. */
const PER_MILLION: ReadonlySet<PricedUnit> = new Set(['prompt', 'completion']);

const BY_POLICY: Readonly<Record<PolicyRefusal, Exclusion>> = {
  model: 'allowed_models',
  provider: 'allowed_providers',
  zero_data_retention: 'data_policy:zdr',
  publication: 'data_policy:publication',
  training: 'data_policy:training',
};

/** Decides about one endpoint of a model. */
export type EndpointCheck = (model: CatalogModel, endpoint: CatalogEndpoint) => Exclusion | undefined;

/** The input of the checks of a request. */
export interface ExclusionRules {
  /** Whether the deployment or the organization can call the provider. */
  readonly isConnected: (provider: string) => boolean;
  /** Whether the operation can be asked of the provider: not every protocol has each. */
  readonly hasOperation: (provider: string) => boolean;
  readonly policyRefusal: (model: CatalogModel, endpoint: CatalogEndpoint) => PolicyRefusal | undefined;
  readonly preferences: EndpointPreferences;
  readonly needs: EndpointNeeds;
}

/**
 * Prepares the decision whether endpoints may be tried. The first reason in the order of {@link EXCLUSIONS} is given.
 *
 * @returns a function that says why an endpoint is excluded; undefined for one that is a candidate
 */
export function exclusionOf({ policyRefusal, preferences, needs, ...ways }: ExclusionRules): EndpointCheck {
  const only = namesOf(preferences.only);
  const ignored = namesOf(preferences.ignore);
  const quantizations = preferences.quantizations?.length ? new Set(preferences.quantizations) : undefined;
  const highest = highestPrices(preferences);
  const priced = { at: new Date(), promptTokens: needs.promptTokens };
  return (model, endpoint) => {
    const { row } = endpoint;
    if (!endpoint.isChargeable) return 'unchargeable_price';
    if (!ways.isConnected(row.providerSlug)) return 'not_connected';
    if (!ways.hasOperation(row.providerSlug)) return 'unsupported_operation';
    const refusal = policyRefusal(model, endpoint);
    if (refusal !== undefined) return BY_POLICY[refusal];
    if (only !== undefined && !namesEndpoint(only, endpoint)) return 'allowed_providers';
    if (ignored !== undefined && namesEndpoint(ignored, endpoint)) return 'allowed_providers';
    if (preferences.zdr === true && !row.isZdr) return 'data_policy:zdr';
    if (preferences.data_collection === 'deny') {
      if (row.trainsOnRequests !== false || row.publishesPrompts !== false) return 'data_policy:training';
      if (!row.isZdr) return 'data_policy:zdr';
    }
    if (preferences.enforce_distillable_text === true && model.row.traits?.distillable !== true) return 'distillable';
    if (quantizations !== undefined && !quantizations.has(row.quantization ?? 'unknown')) return 'quantization';
    if (highest.some(([unit, price]) => priceInForce(row.pricing, unit, priced) > price)) return 'max_price';
    return abilityExclusion(model, endpoint, needs, preferences);
  };
}

/** Whether a list names an endpoint: a provider, by its slug or its name, stands for all of its endpoints, a tag for one of them. */
export function namesEndpoint(
  names: ReadonlySet<string>,
  { row: { providerSlug, tag }, provider }: CatalogEndpoint,
): boolean {
  return names.has(providerSlug) || names.has(tag.toLowerCase()) || names.has(provider.name.toLowerCase());
}

/** The names of a list in lower case; undefined for no list. */
export function namesOf(list: readonly string[] | null | undefined): ReadonlySet<string> | undefined {
  return list?.length ? new Set(list.map((name) => name.toLowerCase())) : undefined;
}

function highestPrices({ max_price: prices }: EndpointPreferences): (readonly [PricedUnit, number])[] {
  return PRICED_UNITS.flatMap((unit) => {
    const price = prices?.[unit];
    if (price === undefined) return [];
    return [[unit, PER_MILLION.has(unit) ? Number(price) / 1_000_000 : Number(price)] as const];
  });
}

function abilityExclusion(
  { row: model }: CatalogModel,
  { row }: CatalogEndpoint,
  needs: EndpointNeeds,
  preferences: EndpointPreferences,
): Exclusion | undefined {
  if (needs.promptTokens > (row.maxPromptTokens ?? row.contextLength)) return 'context_length';
  if (needs.maxTokens !== null && needs.maxTokens > (row.maxCompletionTokens ?? row.contextLength)) return 'max_tokens';
  // An endpoint without a list of parameters gets all of them: what it takes is not known.
  if (needs.usesTools && row.supportedParameters.length > 0 && !row.supportedParameters.includes('tools'))
    return 'tools';
  const { input_modalities: inputs, output_modalities: outputs } = model.architecture;
  if (!isSubset(needs.inputModalities, inputs) || !isSubset(needs.outputModalities, outputs)) return 'modalities';
  const isStrict = preferences.require_parameters === true;
  return isStrict && !isSubset(needs.parameters, row.supportedParameters) ? 'require_parameters' : undefined;
}

function isSubset(part: ReadonlySet<string>, whole: readonly string[]): boolean {
  return [...part].every((item) => whole.includes(item));
}
