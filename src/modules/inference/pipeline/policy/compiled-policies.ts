import { Injectable } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { OrganizationCache, partOfHeap } from '../../../../concurrency/organization-cache.js';
import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import { type CatalogModel, toEndpointOffer } from '../../../catalog/catalog-model.js';
import type { AnswerFilters } from '../../../content/answers/answer-filters.js';
import type { ContentPolicy } from '../../../content/content-policy.js';
import { ContentService } from '../../../content/content.service.js';
import { EffectivePolicies } from '../../../guardrails/effective-policy/effective-policies.service.js';
import {
  type EffectivePolicy,
  guardrailsOfVersion,
  type PolicyInForce,
} from '../../../guardrails/effective-policy/effective-policy.js';
import type { HypotheticalAssignment } from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { type PolicyRefusal, policyRefusals } from '../../../guardrails/effective-policy/permitted-models.js';

/** Rules of guardrails, ready to be applied to requests. */
export interface CompiledRules {
  readonly rules: EffectivePolicy;
  readonly content: ContentPolicy;
  /** The filters of answers. */
  readonly answers: AnswerFilters;
  /** @param isZdr whether data are not retained with the credential that would be used */
  readonly refusalsOf: (model: CatalogModel, endpoint: CatalogEndpoint, isZdr: boolean) => PolicyRefusal[];
}

/** A guardrail that only observes, with its own rules. */
export interface CompiledObserver extends CompiledRules {
  readonly id: string;
  readonly name: string;
}

/** The rules of the guardrails that apply to a key: those that refuse, combined, and each guardrail that only observes. */
export interface CompiledPolicy extends CompiledRules {
  readonly observers: readonly CompiledObserver[];
}

/** The memory for policies without their compiled patterns: a part of the heap, and the most in bytes. */
const PART_OF_HEAP = 1 / 16;
const MAXIMUM_BYTES = 256 * 1_048_576;

/** What a policy takes in memory: at least, and for each character of its rules as JSON, in bytes. Rather more than it does. */
const OWN_BYTES = 2_048;
const BYTES_OF_CHARACTER = 4;

/** A policy, and the version of the guardrails that it comes from. */
interface KnownPolicy {
  readonly version: string;
  readonly policy: CompiledPolicy;
}

/** Compiles effective policies, and keeps the latest one of each combination of guardrails. */
@Injectable()
export class CompiledPolicies {
  private readonly policies = new OrganizationCache<KnownPolicy>(partOfHeap(PART_OF_HEAP, MAXIMUM_BYTES));

  constructor(
    private readonly guardrails: EffectivePolicies,
    private readonly content: ContentService,
    private readonly environment: Environment,
  ) {}

  /**
   * The policy of a key.
   *
   * @param version that of the guardrails that apply, read for this request; null if none applies
   * @param hypothetical the assignment that the version was read with, if it does not exist
   */
  async get(
    organizationId: string,
    keyId: string,
    version: string | null,
    hypothetical?: HypotheticalAssignment,
  ): Promise<CompiledPolicy> {
    // Guardrails are of one organization; its keys to which the same ones apply share a policy.
    if (hypothetical !== undefined && hypothetical.unsaved !== null) {
      // What is not stored has no version to be kept under.
      return this.compile(organizationId, await this.guardrails.policyOfKey(organizationId, keyId, hypothetical));
    }
    const known = this.policies.get(organizationId, guardrailsOfVersion(version ?? ''));
    if (known?.version === (version ?? '')) return known.policy;
    const inForce = await this.guardrails.policyOfKey(organizationId, keyId, hypothetical);
    const { version: read } = inForce;
    const policy = this.compile(organizationId, inForce);
    // Kept under the version of what was read: another guardrail may apply to the key since the request asked.
    this.policies.set(organizationId, guardrailsOfVersion(read), { version: read, policy }, bytesOf(inForce));
    return policy;
  }

  private compile(organizationId: string, { rules, observing }: PolicyInForce): CompiledPolicy {
    return {
      ...this.compileRules(organizationId, rules),
      observers: observing.map((guardrail) => ({
        id: guardrail.id,
        name: guardrail.name,
        ...this.compileRules(organizationId, guardrail.rules),
      })),
    };
  }

  private compileRules(organizationId: string, rules: EffectivePolicy): CompiledRules {
    const refusals = policyRefusals(rules, this.environment.zdrVendors);
    return {
      rules,
      content: this.content.compile(organizationId, rules),
      answers: this.content.compileForAnswers(organizationId, rules),
      refusalsOf: ({ row: { id, canonicalSlug }, author }, endpoint, isZdr) =>
        refusals({ id, canonicalSlug, author }, { ...toEndpointOffer(endpoint), isZdr }),
    };
  }
}

function bytesOf({ rules, observing }: PolicyInForce): number {
  return OWN_BYTES + BYTES_OF_CHARACTER * JSON.stringify([rules, observing]).length;
}
