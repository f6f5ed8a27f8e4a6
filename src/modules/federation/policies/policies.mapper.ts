import { entityTagOf } from '../../../http/entity-tags.js';
import type { FederationPolicy } from '../dto/policy.dto.js';
import { policyIdOf } from './policy-id.js';
import type { ShownPolicy } from './policies.repository.js';

/** A policy as the interface shows it. */
export function toPolicyResponse(policy: ShownPolicy): FederationPolicy {
  return {
    id: policyIdOf(policy),
    ...toAuditedPolicy(policy),
    created_at: policy.createdAt.toISOString(),
    updated_at: policy.updatedAt.toISOString(),
  };
}

/** The fields of a policy that the audit trail records, by their names in the interface. */
export function toAuditedPolicy(policy: ShownPolicy): Omit<FederationPolicy, 'id' | 'created_at' | 'updated_at'> {
  return {
    name: policy.name,
    issuer_id: policy.issuerId,
    key_hash: policy.keyHash,
    subject: policy.subject,
    audience: policy.audience,
    condition: policy.condition,
    required_scope: policy.requiredScope,
    required_token_type: policy.requiredTokenType,
    enabled: policy.enabled,
  };
}

/** The entity tag of a policy (docs/interface/conventions.md#conditional-requests). */
export function tagOfPolicy(policy: ShownPolicy): string {
  return entityTagOf(policy.id, toAuditedPolicy(policy));
}
