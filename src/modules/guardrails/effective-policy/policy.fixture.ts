import { UNRESTRICTED } from '../guardrail-settings.js';
import type { EffectivePolicy, Policy } from './effective-policy.js';
import { type KnownModel, permission } from './permitted-models.js';

/** A policy without rules. */
export const SILENT: Policy = { id: 'silent', ...UNRESTRICTED };

/** Vendors with a switch of their own for zero data retention. */
export const VENDORS = ['alpha', 'beta', 'gamma', 'x-ai'];

/** Whether a policy permits a model, with those vendors. */
export const permits = (policy: EffectivePolicy, model: KnownModel): boolean => permission(policy, VENDORS)(model);
