import { BUILTIN_FILTER_LABELS, SCOPED_BUILTIN_FILTER, type StoredBuiltinFilter } from './content-filters.js';
import type { ContentFilterBuiltinEntry, ContentFilterBuiltinEntryInput } from './dto/content-filter.dto.js';
import type { Guardrail } from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';

/** A guardrail as the interface shows it. */
export function toGuardrailResponse(guardrail: GuardrailEntity): Guardrail {
  return {
    id: guardrail.id,
    ...toAuditedFields(guardrail),
    created_at: guardrail.createdAt.toISOString(),
    updated_at: guardrail.updatedAt?.toISOString() ?? null,
  };
}

/** What the audit trail keeps of a guardrail: every field that a request can set, by its name in the interface. */
export function toAuditedFields(
  guardrail: Omit<GuardrailEntity, 'createdAt' | 'updatedAt'>,
): Omit<Guardrail, 'id' | 'created_at' | 'updated_at'> {
  return {
    name: guardrail.name,
    description: guardrail.description,
    workspace_id: guardrail.workspaceId,
    limit_usd: guardrail.limitUsd,
    reset_interval: guardrail.resetInterval,
    include_byok_in_budgets: guardrail.includeByokInBudgets,
    allowed_models: guardrail.allowedModels,
    ignored_models: guardrail.ignoredModels,
    allowed_providers: guardrail.allowedProviders,
    ignored_providers: guardrail.ignoredProviders,
    allowed_data_regions: guardrail.allowedDataRegions,
    enforce_zdr: guardrail.enforceZdr,
    enforce_zdr_vendor_a: guardrail.enforceZdrVendorA,
    enforce_zdr_vendor_b: guardrail.enforceZdrVendorB,
    enforce_zdr_vendor_c: guardrail.enforceZdrVendorC,
    enforce_zdr_vendor_d: guardrail.enforceZdrVendorD,
    enforce_zdr_other: guardrail.enforceZdrOther,
    enable_free_model_publication: guardrail.enableFreeModelPublication,
    enable_free_model_training: guardrail.enableFreeModelTraining,
    enable_paid_model_training: guardrail.enablePaidModelTraining,
    content_filter_builtins: guardrail.contentFilterBuiltins?.map(toBuiltinResponse) ?? null,
    content_filters:
      guardrail.contentFilters?.map(({ pattern, action, label }) => ({ pattern, action, label })) ?? null,
  };
}

/** A builtin filter as it is kept: without the caller's label, and with a scan scope only where that has an effect. */
export function toStoredBuiltin({ slug, action, scan_scope }: ContentFilterBuiltinEntryInput): StoredBuiltinFilter {
  return slug === SCOPED_BUILTIN_FILTER ? { slug, action, scan_scope: scan_scope ?? 'all_messages' } : { slug, action };
}

/** A list as it is kept: what is given several times is kept once, where it was given first. Null and undefined stay. */
export function eachOnce<T>(list: readonly T[] | null | undefined): T[] | null | undefined {
  return list === null || list === undefined ? list : [...new Set(list)];
}

function toBuiltinResponse({ slug, action, scan_scope }: StoredBuiltinFilter): ContentFilterBuiltinEntry {
  const label = BUILTIN_FILTER_LABELS[slug];
  return scan_scope === undefined ? { slug, action, label } : { slug, action, scan_scope, label };
}
