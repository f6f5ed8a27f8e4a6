import type { CreateGuardrailRequest } from './dto/create-guardrail-request.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import type { ReferenceLists } from './guardrail-references.js';
import { eachOnce, toStoredBuiltin } from './guardrails.mapper.js';
import type { NewGuardrailRow } from './guardrails.repository.js';

/** What a request does not say of a new guardrail. */
type Identity = Pick<GuardrailEntity, 'id' | 'organizationId' | 'workspaceId'>;

/** The row of a new guardrail as a request describes it, with the lists resolved. */
export function newGuardrail(
  { id, organizationId, workspaceId }: Identity,
  input: CreateGuardrailRequest,
  lists: ReferenceLists,
): NewGuardrailRow {
  const zdr = input.enforce_zdr ?? null;
  return {
    id,
    organizationId,
    workspaceId,
    name: input.name,
    description: input.description ?? null,
    limitUsd: input.limit_usd ?? null,
    resetInterval: input.reset_interval ?? null,
    includeByokInBudgets: input.include_byok_in_budgets ?? false,
    allowedModels: lists.allowed_models ?? null,
    ignoredModels: lists.ignored_models ?? null,
    allowedProviders: lists.allowed_providers ?? null,
    ignoredProviders: lists.ignored_providers ?? null,
    allowedDataRegions: eachOnce(input.allowed_data_regions) ?? null,
    enforceZdr: zdr,
    // An explicit null is a setting of its own, so only what is absent falls back on enforce_zdr.
    enforceZdrVendorA: orWhenAbsent(input.enforce_zdr_vendor_a, zdr),
    enforceZdrVendorB: orWhenAbsent(input.enforce_zdr_vendor_b, zdr),
    enforceZdrVendorC: orWhenAbsent(input.enforce_zdr_vendor_c, zdr),
    enforceZdrVendorD: orWhenAbsent(input.enforce_zdr_vendor_d, zdr),
    enforceZdrOther: orWhenAbsent(input.enforce_zdr_other, zdr),
    enableFreeModelPublication: input.enable_free_model_publication ?? null,
    enableFreeModelTraining: input.enable_free_model_training ?? null,
    enablePaidModelTraining: input.enable_paid_model_training ?? null,
    contentFilterBuiltins: input.content_filter_builtins?.map(toStoredBuiltin) ?? null,
    contentFilters: input.content_filters ?? null,
    updatedAt: null,
  };
}

function orWhenAbsent(value: boolean | null | undefined, fallback: boolean | null): boolean | null {
  return value === undefined ? fallback : value;
}
