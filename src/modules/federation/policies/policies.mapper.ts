import { shownTimes } from '../../../persistence/rows/wire-fields.js';
import type { FederationPolicy } from '../dto/policy.dto.js';
import { POLICIES, type ShownPolicy } from './policies.repository.js';
import { policyIdOf } from './policy-id.js';

/** A policy as the interface shows it. */
export function toPolicyResponse(policy: ShownPolicy): FederationPolicy {
  return { ...POLICIES.shown(policy), id: policyIdOf(policy), ...shownTimes(policy) };
}
