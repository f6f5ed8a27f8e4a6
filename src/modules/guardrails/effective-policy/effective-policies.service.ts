import { Injectable } from '@nestjs/common';
import { type ApplyingGuardrail, EffectiveGuardrailsRepository } from './effective-guardrails.repository.js';
import { policyInForce, type PolicyInForce, policyVersionOf } from './effective-policy.js';
import type { HypotheticalAssignment } from './hypothetical-assignment.js';

/** Combined rules, and the version of the guardrails that they come from ({@link policyVersionOf}). */
export interface VersionedPolicy extends PolicyInForce {
  readonly version: string;
}

/** The effective policies of keys, for what is asked with them. */
@Injectable()
export class EffectivePolicies {
  constructor(private readonly repository: EffectiveGuardrailsRepository) {}

  /**
   * The combined rules of the guardrails that apply to a key.
   *
   * @param keyId the id of the key, not its hash
   * @param hypothetical an assignment that is taken into account although it does not exist
   */
  async policyOfKey(
    organizationId: string,
    keyId: string,
    hypothetical?: HypotheticalAssignment,
  ): Promise<VersionedPolicy> {
    const guardrails = await this.repository.ofKey(organizationId, keyId, hypothetical);
    return { ...policyInForce(guardrails), version: policyVersionOf(guardrails) };
  }

  /** The guardrails that would apply to a key, and why. @param keyId the id of the key, not its hash */
  async applying(
    organizationId: string,
    keyId: string,
    hypothetical: HypotheticalAssignment,
  ): Promise<ApplyingGuardrail[]> {
    return this.repository.ofKey(organizationId, keyId, hypothetical);
  }
}
