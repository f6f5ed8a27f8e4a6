import { modelReferenceOf } from '../../catalog/model-reference.js';
import { type EffectiveModelPolicy, namesModel, ZDR_SWITCHES, type ZdrSwitch } from './effective-policy.js';
import type { EffectiveRule } from './effective-rule.js';

/** The known facts about an endpoint; null for unknown. */
export interface KnownEndpoint {
  readonly provider: string | null;
  readonly isFree: boolean | null;
  readonly isZdr: boolean;
  readonly trainsOnRequests: boolean | null;
  readonly publishesPrompts: boolean | null;
}

/** The known facts about a model. */
export interface KnownModel {
  /** `author/slug`, with the suffix of a variant. */
  readonly id: string;
  readonly canonicalSlug: string;
  readonly author: string;
  readonly endpoints: readonly KnownEndpoint[];
}

/** An endpoint without known facts. */
const UNKNOWN_ENDPOINT: KnownEndpoint = {
  provider: null,
  isFree: null,
  isZdr: false,
  trainsOnRequests: null,
  publishesPrompts: null,
};

/** Which rule of a policy an endpoint, or its model, breaks. */
export type PolicyRefusal = 'model' | 'provider' | 'zero_data_retention' | 'publication' | 'training';

/** The rules that a refusal can come from. */
const RULES_BEHIND: Readonly<Record<PolicyRefusal, readonly (keyof EffectiveModelPolicy)[]>> = {
  model: ['allowedModels', 'ignoredModels'],
  provider: ['allowedProviders', 'ignoredProviders'],
  zero_data_retention: ZDR_SWITCHES,
  publication: ['enableFreeModelPublication'],
  training: ['enableFreeModelTraining', 'enablePaidModelTraining'],
};

/** The ids of the guardrails whose rules a refusal can come from, each once. */
export function guardrailsBehind(policy: EffectiveModelPolicy, refusal: PolicyRefusal): string[] {
  return [...new Set(RULES_BEHIND[refusal].flatMap((rule) => policy[rule].guardrailIds))];
}

/**
 * Prepares the check of single endpoints of models. Unknown counts as forbidden, as in {@link permission}.
 *
 * @param zdrVendors the authors of the four vendor switches, in order
 * @returns a function that says which rules refuse an endpoint, in the order of {@link PolicyRefusal}; none for one that the policy permits
 */
export function policyRefusals(
  policy: EffectiveModelPolicy,
  zdrVendors: readonly string[],
): (model: Omit<KnownModel, 'endpoints'>, endpoint: KnownEndpoint) => PolicyRefusal[] {
  const lists = {
    allowedModels: setOf(policy.allowedModels),
    ignoredModels: setOf(policy.ignoredModels),
    allowedProviders: setOf(policy.allowedProviders),
    ignoredProviders: setOf(policy.ignoredProviders),
  };
  return (model, endpoint) => {
    const refusals: PolicyRefusal[] = [];
    if (!isPermittedModel(lists, modelReferenceOf(model))) refusals.push('model');
    if (!isPermittedProvider(lists, endpoint)) refusals.push('provider');
    if (policy[zdrSwitchOf(model.author, zdrVendors)].value === true && !endpoint.isZdr) {
      refusals.push('zero_data_retention');
    }
    return [...refusals, ...endpointRefusals(policy, endpoint)];
  };
}

/**
 * Prepares a check for many models: a policy permits a model if it permits one of its endpoints. Unknown counts as
 * forbidden: a model without known endpoints is permitted only if the policy has no ZDR, provider allow-list, or
 * publication or training rule; a provider ignore-list alone does not exclude it
 * (docs/interface/guardrails.md#models-that-remain).
 *
 * @param zdrVendors the authors of the four vendor switches, in order
 */
export function permission(
  policy: EffectiveModelPolicy,
  zdrVendors: readonly string[],
): (model: KnownModel) => boolean {
  const refusalsOf = policyRefusals(policy, zdrVendors);
  return (model) => {
    const endpoints = model.endpoints.length > 0 ? model.endpoints : [UNKNOWN_ENDPOINT];
    return endpoints.some((endpoint) => refusalsOf(model, endpoint).length === 0);
  };
}

/** The lists of a policy; null for no restriction. */
type Lists = Readonly<
  Record<'allowedModels' | 'ignoredModels' | 'allowedProviders' | 'ignoredProviders', ReadonlySet<string> | null>
>;

function setOf({ value }: EffectiveRule<readonly string[]>): ReadonlySet<string> | null {
  return value === null ? null : new Set(value);
}

/** The zero data retention switch for the models of an author. `x-ai` and `xai` are the same author. */
export function zdrSwitchOf(author: string, zdrVendors: readonly string[]): ZdrSwitch {
  const place = zdrVendors.map(vendorName).indexOf(vendorName(author));
  return ZDR_SWITCHES[place] ?? 'enforceZdrOther';
}

function isPermittedModel({ allowedModels, ignoredModels }: Lists, reference: string): boolean {
  if (ignoredModels !== null && namesModel(ignoredModels, reference)) return false;
  return allowedModels === null || namesModel(allowedModels, reference);
}

function isPermittedProvider({ allowedProviders, ignoredProviders }: Lists, { provider }: KnownEndpoint): boolean {
  if (provider === null) return allowedProviders === null;
  return (allowedProviders === null || allowedProviders.has(provider)) && ignoredProviders?.has(provider) !== true;
}

function endpointRefusals(
  policy: EffectiveModelPolicy,
  { isFree, trainsOnRequests, publishesPrompts }: KnownEndpoint,
): PolicyRefusal[] {
  const [mayBeFree, mayBePaid] = [isFree !== false, isFree !== true];
  const [mayTrain, mayPublish] = [trainsOnRequests !== false, publishesPrompts !== false];
  const isPublicationForbidden = policy.enableFreeModelPublication.value === false && mayBeFree;
  const isTrainingForbidden =
    (policy.enableFreeModelTraining.value === false && mayBeFree) ||
    (policy.enablePaidModelTraining.value === false && mayBePaid);
  return [
    ...(isPublicationForbidden && mayPublish ? (['publication'] as const) : []),
    ...(isTrainingForbidden && mayTrain ? (['training'] as const) : []),
  ];
}

function vendorName(author: string): string {
  return author.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
