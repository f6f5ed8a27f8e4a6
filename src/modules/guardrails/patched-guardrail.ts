import type { StoredBuiltinFilter } from './content-filters.js';
import type { UpdateGuardrailRequest } from './dto/update-guardrail-request.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import type { ReferenceLists } from './guardrail-references.js';
import { eachOnce, toStoredBuiltin } from './guardrails.mapper.js';

/** A guardrail with what a request changes: what is absent stays as it is, null clears, a list takes a list's place. */
export function patchedGuardrail(
  guardrail: GuardrailEntity,
  input: UpdateGuardrailRequest,
  lists: ReferenceLists,
): GuardrailEntity {
  return {
    ...guardrail,
    name: orStay(input.name, guardrail.name),
    description: orStay(input.description, guardrail.description),
    limitUsd: orStay(input.limit_usd, guardrail.limitUsd),
    resetInterval: orStay(input.reset_interval, guardrail.resetInterval),
    includeByokInBudgets: orStay(input.include_byok_in_budgets, guardrail.includeByokInBudgets),
    allowedModels: orStay(lists.allowed_models, guardrail.allowedModels),
    ignoredModels: orStay(lists.ignored_models, guardrail.ignoredModels),
    allowedProviders: orStay(lists.allowed_providers, guardrail.allowedProviders),
    ignoredProviders: orStay(lists.ignored_providers, guardrail.ignoredProviders),
    allowedDataRegions: orStay(eachOnce(input.allowed_data_regions), guardrail.allowedDataRegions),
    // It stands for the fields of the vendors when a guardrail is made; here what is absent stays as it is.
    enforceZdr: orStay(input.enforce_zdr, guardrail.enforceZdr),
    enforceZdrVendorA: orStay(input.enforce_zdr_vendor_a, guardrail.enforceZdrVendorA),
    enforceZdrVendorB: orStay(input.enforce_zdr_vendor_b, guardrail.enforceZdrVendorB),
    enforceZdrVendorC: orStay(input.enforce_zdr_vendor_c, guardrail.enforceZdrVendorC),
    enforceZdrVendorD: orStay(input.enforce_zdr_vendor_d, guardrail.enforceZdrVendorD),
    enforceZdrOther: orStay(input.enforce_zdr_other, guardrail.enforceZdrOther),
    enableFreeModelPublication: orStay(input.enable_free_model_publication, guardrail.enableFreeModelPublication),
    enableFreeModelTraining: orStay(input.enable_free_model_training, guardrail.enableFreeModelTraining),
    enablePaidModelTraining: orStay(input.enable_paid_model_training, guardrail.enablePaidModelTraining),
    contentFilterBuiltins: orStay(storedBuiltins(input), guardrail.contentFilterBuiltins),
    contentFilters: orStay(input.content_filters, guardrail.contentFilters),
  };
}

function storedBuiltins({
  content_filter_builtins: builtins,
}: UpdateGuardrailRequest): StoredBuiltinFilter[] | null | undefined {
  return builtins === undefined || builtins === null ? builtins : builtins.map(toStoredBuiltin);
}

function orStay<T>(value: T | undefined, current: T): T {
  return value === undefined ? current : value;
}
