import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../../config/environment.js';
import { type CatalogEndpoint, type CatalogModel, toEndpointOffer } from '../../catalog/catalog-model.js';
import type { ContentPolicy } from '../../content/content-policy.js';
import { ContentService } from '../../content/content.service.js';
import type { EffectivePolicy } from '../../guardrails/effective-policy/effective-policy.js';
import { EffectiveGuardrailsService } from '../../guardrails/effective-policy/effective-guardrails.service.js';
import type { HypotheticalAssignment } from '../../guardrails/effective-policy/hypothetical-assignment.js';
import { type PolicyRefusal, policyRefusals } from '../../guardrails/effective-policy/permitted-models.js';

/** The rules of the guardrails that apply to a key, ready to be applied to requests. */
export interface CompiledPolicy {
  readonly rules: EffectivePolicy;
  readonly content: ContentPolicy;
  readonly refusalOf: (model: CatalogModel, endpoint: CatalogEndpoint) => PolicyRefusal | undefined;
}

/** The number of policies that are kept: as many as combinations of guardrails are in use at a time. */
const MAXIMUM_POLICIES = 2_000;

/** Compiles effective policies, once for each version of the guardrails that they come from. */
@Injectable()
export class CompiledPolicies {
  private readonly policies = new LRUCache<string, CompiledPolicy>({ max: MAXIMUM_POLICIES });

  constructor(
    private readonly guardrails: EffectiveGuardrailsService,
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
    const known = this.policies.get(nameOf(organizationId, version ?? ''));
    if (known !== undefined) return known;
    const { rules, version: read } = await this.guardrails.policyOfKey(organizationId, keyId, hypothetical);
    const compiled = this.compile(organizationId, rules);
    // Kept under the version of what was read: another guardrail may apply to the key since the request asked.
    this.policies.set(nameOf(organizationId, read), compiled);
    return compiled;
  }

  private compile(organizationId: string, rules: EffectivePolicy): CompiledPolicy {
    const refusal = policyRefusals(rules, this.environment.zdrVendors);
    return {
      rules,
      content: this.content.compile(organizationId, rules),
      refusalOf: ({ row: { id, canonicalSlug }, author }, endpoint) =>
        refusal({ id, canonicalSlug, author }, toEndpointOffer(endpoint)),
    };
  }
}

/** Guardrails are of one organization; its keys to which the same ones apply share a policy. */
function nameOf(organizationId: string, version: string): string {
  return `${organizationId} ${version}`;
}
