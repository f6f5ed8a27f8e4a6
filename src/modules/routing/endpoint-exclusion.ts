import type { CatalogEndpoint } from '../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../catalog/catalog-model.js';
import { priceInForce, type PriceName } from '../catalog/price-rules.js';
import type { PolicyRefusal } from '../guardrails/effective-policy/permitted-models.js';

/** Why an endpoint is not tried (docs/interface/inference.md#excluded-endpoints). */
export const EXCLUSIONS = [
  'unchargeable_price',
  'not_connected',
  'byok_only',
  'unknown_name',
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
  'inference_geo',
  'spending_limit',
] as const;

export type Exclusion = (typeof EXCLUSIONS)[number];

/** Why endpoints were excluded, in words that continue "N endpoints excluded:". */
export const EXCLUSIONS_IN_WORDS: Readonly<Record<Exclusion, string>> = {
  unchargeable_price: 'its price cannot be charged',
  not_connected: 'the provider is not connected',
  byok_only:
    "the organization's own keys for the provider forbid other credentials, and none of them is for this request",
  unknown_name: 'the connection to the provider does not reach the model, or has no name of it',
  unsupported_operation: 'the provider does not have this operation',
  allowed_models: 'the model is not allowed by a guardrail',
  allowed_providers: 'the provider is not allowed by a guardrail or the request',
  'data_policy:zdr': 'zero data retention is required',
  'data_policy:publication': 'prompts may be published',
  'data_policy:training': 'requests may be trained on',
  distillable: 'the model may not be distilled',
  quantization: 'the quantization is not allowed',
  max_price: 'the price is too high',
  context_length: 'the prompt is too long',
  max_tokens: 'max_tokens is more than the endpoint supports',
  tools: 'tools are not supported',
  modalities: 'the modalities are not supported',
  require_parameters: 'a parameter is not supported',
  inference_geo: 'it cannot be told where data may be processed',
  spending_limit: 'it costs something, and a limit of spending is met',
};

/** How many endpoints each reason excludes, in the order of {@link EXCLUSIONS}. @param exclusions the reasons at each endpoint */
export function countedExclusions(
  exclusions: readonly (readonly Exclusion[])[],
): { readonly exclusion: Exclusion; readonly count: number }[] {
  return EXCLUSIONS.map((exclusion) => ({
    exclusion,
    count: exclusions.filter((reasons) => reasons.includes(exclusion)).length,
  })).filter(({ count }) => count > 0);
}

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
  /** The parameters by which endpoints are ordered; no endpoint is excluded for them. */
  readonly preferredParameters: ReadonlySet<string>;
  /** Whether an endpoint can do what it is asked for, as far as the catalog says what that is; absent where nothing more is asked. */
  readonly isAble?: (endpoint: CatalogEndpoint, model: CatalogModel) => boolean;
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

/** The prices that the highest one of a unit is for: what is drawn is an image, too, and what is heard or spoken is audio. */
const PRICES_OF_UNIT = {
  prompt: ['prompt'],
  completion: ['completion'],
  request: ['request'],
  image: ['image', 'image_output'],
  audio: ['audio', 'second', 'character'],
} as const satisfies Readonly<Record<PricedUnit, readonly PriceName[]>>;

/** The units whose highest price is named for a million. */
const PER_MILLION: ReadonlySet<PricedUnit> = new Set(['prompt', 'completion']);

/** The prices of tokens, which a region or a speed makes dearer. */
const OF_TOKENS: ReadonlySet<PriceName> = new Set(['prompt', 'completion']);

/** The most that a request pays for a unit, in USD. */
type HighestPrice = readonly [PriceName, number];

/** The exclusion that a rule of guardrails makes. */
export const EXCLUSION_BY_POLICY: Readonly<Record<PolicyRefusal, Exclusion>> = {
  model: 'allowed_models',
  provider: 'allowed_providers',
  zero_data_retention: 'data_policy:zdr',
  publication: 'data_policy:publication',
  training: 'data_policy:training',
};

/**
 * Decides about one endpoint of a model. It gives every reason, in the order of {@link EXCLUSIONS}, because a caller who removes one
 * would only meet the next; none for an endpoint that may be tried.
 *
 * @param isZdr whether data are not retained with the credential that would be used
 * @param dearer how many times its price a token costs by what the request wishes; absent for once
 */
export type EndpointCheck = (
  model: CatalogModel,
  endpoint: CatalogEndpoint,
  isZdr: boolean,
  dearer?: number,
) => Exclusion[];

/** The input of the checks of a request. */
export interface ExclusionRules {
  readonly policyRefusals: (model: CatalogModel, endpoint: CatalogEndpoint, isZdr: boolean) => readonly PolicyRefusal[];
  readonly preferences: EndpointPreferences;
  readonly needs: EndpointNeeds;
}

/** Prepares the decision whether endpoints may be tried, if there is a credential for them. */
export function exclusionsOf({ policyRefusals, preferences, needs }: ExclusionRules): EndpointCheck {
  const only = namesOf(preferences.only);
  const ignored = namesOf(preferences.ignore);
  const quantizations = preferences.quantizations?.length ? new Set(preferences.quantizations) : undefined;
  const highest = highestPrices(preferences);
  const priced = { at: new Date(), promptTokens: needs.promptTokens };
  return (model, endpoint, isZdr, dearer = 1) => {
    const { row } = endpoint;
    const isNamed = only === undefined || namesEndpoint(only, endpoint);
    const isIgnored = ignored !== undefined && namesEndpoint(ignored, endpoint);
    const isDenied = preferences.data_collection === 'deny';
    const mayCollect = row.trainsOnRequests !== false || row.publishesPrompts !== false;
    const { distillable } = model.row.traits ?? {};
    const reasons: Exclusion[] = policyRefusals(model, endpoint, isZdr).map((refusal) => EXCLUSION_BY_POLICY[refusal]);
    if (!endpoint.isChargeable) reasons.push('unchargeable_price');
    if (!isNamed || isIgnored) reasons.push('allowed_providers');
    if ((preferences.zdr === true || isDenied) && !isZdr) reasons.push('data_policy:zdr');
    if (isDenied && mayCollect) reasons.push('data_policy:training');
    if (preferences.enforce_distillable_text === true && distillable !== true) reasons.push('distillable');
    if (quantizations?.has(row.quantization ?? 'unknown') === false) reasons.push('quantization');
    const isAbove = ([name, price]: HighestPrice): boolean =>
      exact(priceInForce(row.pricing, name, priced) * (OF_TOKENS.has(name) ? dearer : 1)) > price;
    if (highest.some(isAbove)) reasons.push('max_price');
    reasons.push(...abilityExclusions(model, endpoint, needs, preferences));
    // The request may ask for what a guardrail demands too.
    return reasons.length > 1 ? EXCLUSIONS.filter((exclusion) => reasons.includes(exclusion)) : reasons;
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

/** A product of decimals without what binary numbers add to it. */
function exact(product: number): number {
  return Number(product.toPrecision(15));
}

function highestPrices({ max_price: prices }: EndpointPreferences): HighestPrice[] {
  return PRICED_UNITS.flatMap((unit) => {
    const price = prices?.[unit];
    if (price === undefined) return [];
    const highest = PER_MILLION.has(unit) ? Number(price) / 1_000_000 : Number(price);
    return PRICES_OF_UNIT[unit].map((name) => [name, highest] as const);
  });
}

function abilityExclusions(
  model: CatalogModel,
  endpoint: CatalogEndpoint,
  needs: EndpointNeeds,
  preferences: EndpointPreferences,
): Exclusion[] {
  const { input_modalities: inputs, output_modalities: outputs } = model.row.architecture;
  const { row } = endpoint;
  const { contextLength, supportedParameters: supported } = row;
  const isAbleFor = isSubset(needs.inputModalities, inputs) && isSubset(needs.outputModalities, outputs);
  const isStrict = preferences.require_parameters === true;
  const reasons: Exclusion[] = [];
  if (needs.promptTokens > (row.maxPromptTokens ?? contextLength)) reasons.push('context_length');
  if (needs.maxTokens !== null && needs.maxTokens > (row.maxCompletionTokens ?? contextLength)) {
    reasons.push('max_tokens');
  }
  // An endpoint without a list of parameters gets all of them: what it takes is not known.
  if (needs.usesTools && supported.length > 0 && !supported.includes('tools')) reasons.push('tools');
  if (!isAbleFor) reasons.push('modalities');
  const isMissed = isStrict && !isSubset(needs.parameters, supported);
  if (isMissed || needs.isAble?.(endpoint, model) === false) reasons.push('require_parameters');
  return reasons;
}

function isSubset(part: ReadonlySet<string>, whole: readonly string[]): boolean {
  return [...part].every((item) => whole.includes(item));
}
