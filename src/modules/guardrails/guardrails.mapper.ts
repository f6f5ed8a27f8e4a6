import { BUILTIN_FILTER_LABELS, type StoredBuiltinFilter } from './content-filters/content-filters.js';
import type { ContentFilterBuiltinEntry } from './content-filters/content-filter.dto.js';
import type { Guardrail } from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import type { ListedKeyAssignment } from './assignments/assignment-tables.js';
import type { KeyAssignment, MemberAssignment } from './assignments/assignment.dto.js';
import type { GuardrailMemberAssignmentEntity } from './entities/guardrail-assignment.entity.js';

/** A guardrail as the interface shows it. */
export function toGuardrailResponse(guardrail: GuardrailEntity): Required<Guardrail> {
  return {
    id: guardrail.id,
    ...toAuditedFields(guardrail),
    created_at: guardrail.createdAt.toISOString(),
    updated_at: guardrail.updatedAt?.toISOString() ?? null,
  };
}

/** The fields of a guardrail that requests can set, by their names in the interface; the audit trail records them. */
export function toAuditedFields(
  guardrail: Omit<GuardrailEntity, 'createdAt' | 'updatedAt'>,
): Required<Omit<Guardrail, 'id' | 'created_at' | 'updated_at'>> {
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

function toBuiltinResponse({ slug, action, scan_scope }: StoredBuiltinFilter): ContentFilterBuiltinEntry {
  const label = BUILTIN_FILTER_LABELS[slug];
  return scan_scope === undefined ? { slug, action, label } : { slug, action, scan_scope, label };
}

/** Maps the guardrail assignment of a key to the response. */
export function toKeyAssignmentResponse(assignment: ListedKeyAssignment): KeyAssignment {
  return {
    id: assignment.id,
    key_hash: assignment.keyHash,
    key_name: assignment.keyName,
    key_label: assignment.keyLabel,
    guardrail_id: assignment.guardrailId,
    assigned_by: assignment.assignedBy,
    created_at: assignment.createdAt.toISOString(),
  };
}

/** Maps the guardrail assignment of a member to the response. */
export function toMemberAssignmentResponse(assignment: GuardrailMemberAssignmentEntity): MemberAssignment {
  return {
    id: assignment.id,
    user_id: assignment.userId,
    organization_id: assignment.organizationId,
    guardrail_id: assignment.guardrailId,
    assigned_by: assignment.assignedBy,
    created_at: assignment.createdAt.toISOString(),
  };
}
