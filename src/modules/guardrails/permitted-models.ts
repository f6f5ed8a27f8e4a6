import { coversModel, type EffectivePolicy, ZDR_SWITCHES, type ZdrSwitch } from './effective-policy.js';

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
 * Whether a policy leaves a model: whether it leaves any of its endpoints. What is not known to be allowed is not: a
 * model of which no endpoint is known is left only where the policy asks nothing of endpoints but not to be some
 * provider's.
 *
 * @param zdrVendors the authors that the switches of zero data retention are for, in their order
 */
export function isPermitted(policy: EffectivePolicy, model: KnownModel, zdrVendors: readonly string[]): boolean {
  if (!isPermittedModel(policy, referenceOf(model))) return false;
  const needsZdr = policy[zdrSwitchOf(model.author, zdrVendors)].value === true;
  const endpoints = model.endpoints.length > 0 ? model.endpoints : [UNKNOWN_ENDPOINT];
  return endpoints.some((endpoint) => (endpoint.isZdr || !needsZdr) && isPermittedEndpoint(policy, endpoint));
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

function isPermittedModel({ allowedModels, ignoredModels }: EffectivePolicy, reference: string): boolean {
  const isNamed = (list: readonly string[]): boolean => list.some((entry) => coversModel(entry, reference));
  return (allowedModels.value === null || isNamed(allowedModels.value)) && !isNamed(ignoredModels.value ?? []);
}

function isPermittedEndpoint(policy: EffectivePolicy, endpoint: KnownEndpoint): boolean {
  const { provider, isFree, trainsOnRequests, publishesPrompts } = endpoint;
  const { allowedProviders, ignoredProviders } = policy;
  if (allowedProviders.value !== null && (provider === null || !allowedProviders.value.includes(provider)))
    return false;
  if (provider !== null && ignoredProviders.value?.includes(provider)) return false;
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
