import { type EffectiveModelPolicy, namesModel, type Rule, ZDR_SWITCHES, type ZdrSwitch } from './effective-policy.js';

/** What is known of an endpoint; null where nobody has said. */
export interface KnownEndpoint {
  readonly provider: string | null;
  readonly isFree: boolean | null;
  readonly isZdr: boolean;
  readonly trainsOnRequests: boolean | null;
  readonly publishesPrompts: boolean | null;
}

/** What is known of a model. */
export interface KnownModel {
  /** `author/slug`, with the suffix of a variant. */
  readonly id: string;
  readonly canonicalSlug: string;
  readonly author: string;
  readonly endpoints: readonly KnownEndpoint[];
}

/** An endpoint of which nothing is known. */
const UNKNOWN_ENDPOINT: KnownEndpoint = {
  provider: null,
  isFree: null,
  isZdr: false,
  trainsOnRequests: null,
  publishesPrompts: null,
};

/**
 * Prepares the question whether a policy leaves a model, to be asked of many: whether it leaves any of the model's
 * endpoints. What is not known to be allowed is not: a model of which no endpoint is known is left only where the policy
 * asks nothing of endpoints but not to be some provider's.
 *
 * @param zdrVendors the authors that the switches of zero data retention are for, in their order
 */
export function permission(
  policy: EffectiveModelPolicy,
  zdrVendors: readonly string[],
): (model: KnownModel) => boolean {
  const lists = {
    allowedModels: setOf(policy.allowedModels),
    ignoredModels: setOf(policy.ignoredModels),
    allowedProviders: setOf(policy.allowedProviders),
    ignoredProviders: setOf(policy.ignoredProviders),
  };
  return (model) => {
    if (!isPermittedModel(lists, referenceOf(model))) return false;
    const needsZdr = policy[zdrSwitchOf(model.author, zdrVendors)].value === true;
    const endpoints = model.endpoints.length > 0 ? model.endpoints : [UNKNOWN_ENDPOINT];
    return endpoints.some(
      (endpoint) =>
        (endpoint.isZdr || !needsZdr) && isPermittedProvider(lists, endpoint) && isPermittedEndpoint(policy, endpoint),
    );
  };
}

/** The lists of a policy, each null where there is none. */
type Lists = Readonly<
  Record<'allowedModels' | 'ignoredModels' | 'allowedProviders' | 'ignoredProviders', ReadonlySet<string> | null>
>;

function setOf({ value }: Rule<readonly string[]>): ReadonlySet<string> | null {
  return value === null ? null : new Set(value);
}

/** The switch of zero data retention that is for an author's models. `x-ai` and `xai` are the same author. */
export function zdrSwitchOf(author: string, zdrVendors: readonly string[]): ZdrSwitch {
  const place = zdrVendors.map(vendorName).indexOf(vendorName(author));
  return ZDR_SWITCHES[place] ?? 'enforceZdrOther';
}

/** A model as guardrails name it. */
function referenceOf({ id, canonicalSlug }: KnownModel): string {
  const suffix = id.indexOf(':');
  return suffix === -1 ? canonicalSlug : `${canonicalSlug}${id.slice(suffix)}`;
}

function isPermittedModel({ allowedModels, ignoredModels }: Lists, reference: string): boolean {
  if (ignoredModels !== null && namesModel(ignoredModels, reference)) return false;
  return allowedModels === null || namesModel(allowedModels, reference);
}

function isPermittedProvider({ allowedProviders, ignoredProviders }: Lists, { provider }: KnownEndpoint): boolean {
  if (provider === null) return allowedProviders === null;
  return (allowedProviders === null || allowedProviders.has(provider)) && ignoredProviders?.has(provider) !== true;
}

function isPermittedEndpoint(policy: EffectiveModelPolicy, endpoint: KnownEndpoint): boolean {
  const { isFree, trainsOnRequests, publishesPrompts } = endpoint;
  const [mayBeFree, mayBePaid] = [isFree !== false, isFree !== true];
  const [mayTrain, mayPublish] = [trainsOnRequests !== false, publishesPrompts !== false];
  const isForbidden =
    (policy.enableFreeModelPublication.value === false && mayBeFree && mayPublish) ||
    (policy.enableFreeModelTraining.value === false && mayBeFree && mayTrain) ||
    (policy.enablePaidModelTraining.value === false && mayBePaid && mayTrain);
  return !isForbidden;
}

function vendorName(author: string): string {
  return author.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
