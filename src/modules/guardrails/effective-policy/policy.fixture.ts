import type { EffectivePolicy, Policy } from './effective-policy.js';
import { type KnownModel, permission } from './permitted-models.js';

/** A policy without rules. */
export const SILENT: Policy = {
  id: 'silent',
  allowedModels: null,
  ignoredModels: null,
  allowedProviders: null,
  ignoredProviders: null,
  allowedDataRegions: null,
  enforceZdrVendorA: null,
  enforceZdrVendorB: null,
  enforceZdrVendorC: null,
  enforceZdrVendorD: null,
  enforceZdrOther: null,
  enableFreeModelPublication: null,
  enableFreeModelTraining: null,
  enablePaidModelTraining: null,
  limitUsd: null,
  resetInterval: null,
  includeByokInBudgets: false,
  contentFilterBuiltins: null,
  contentFilters: null,
};

/** Vendors with a switch of their own for zero data retention. */
export const VENDORS = ['alpha', 'beta', 'gamma', 'x-ai'];

/** Whether a policy permits a model, with those vendors. */
export const permits = (policy: EffectivePolicy, model: KnownModel): boolean => permission(policy, VENDORS)(model);
