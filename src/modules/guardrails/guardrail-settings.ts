import { valueOr, withoutRepetition } from '../../http/request-values.js';
import type {
  ContentFilterBuiltinEntry,
  ContentFilterBuiltinEntryInput,
} from './content-filters/content-filter.dto.js';
import {
  BUILTIN_FILTER_LABELS,
  SCOPED_BUILTIN_FILTER,
  type StoredBuiltinFilter,
} from './content-filters/stored-filters.js';
import type { CreateGuardrailRequest, Guardrail, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import type { ReferenceLists } from './guardrail-references.js';
import { defaultGuardrailIdOf } from '../../persistence/identifiers.js';

/** The fields of a guardrail that requests set. */
export type GuardrailSettings = Omit<
  GuardrailEntity,
  'id' | 'organizationId' | 'workspaceId' | 'createdAt' | 'updatedAt'
>;

/** The settings of a guardrail that restricts nothing. */
export const UNRESTRICTED: GuardrailSettings = {
  name: '',
  description: null,
  limitUsd: null,
  resetInterval: null,
  includeByokInBudgets: false,
  allowedModels: null,
  ignoredModels: null,
  allowedProviders: null,
  ignoredProviders: null,
  allowedDataRegions: null,
  enforceZdr: null,
  enforceZdrVendorA: null,
  enforceZdrVendorB: null,
  enforceZdrVendorC: null,
  enforceZdrVendorD: null,
  enforceZdrOther: null,
  enableFreeModelPublication: null,
  enableFreeModelTraining: null,
  enablePaidModelTraining: null,
  contentFilterBuiltins: null,
  contentFilters: null,
};

/**
 * Applies a request to settings: an absent field keeps its value, null clears it, a list replaces the list before it.
 *
 * @param lists the models and providers of the request, resolved
 */
export function withInput(
  settings: GuardrailSettings,
  input: CreateGuardrailRequest | UpdateGuardrailRequest,
  lists: ReferenceLists,
): GuardrailSettings {
  return {
    name: valueOr(input.name, settings.name),
    description: valueOr(input.description, settings.description),
    limitUsd: valueOr(input.limit_usd, settings.limitUsd),
    resetInterval: valueOr(input.reset_interval, settings.resetInterval),
    includeByokInBudgets: valueOr(input.include_byok_in_budgets, settings.includeByokInBudgets),
    allowedModels: valueOr(lists.allowed_models, settings.allowedModels),
    ignoredModels: valueOr(lists.ignored_models, settings.ignoredModels),
    allowedProviders: valueOr(lists.allowed_providers, settings.allowedProviders),
    ignoredProviders: valueOr(lists.ignored_providers, settings.ignoredProviders),
    allowedDataRegions: valueOr(withoutRepetition(input.allowed_data_regions), settings.allowedDataRegions),
    enforceZdr: valueOr(input.enforce_zdr, settings.enforceZdr),
    enforceZdrVendorA: valueOr(input.enforce_zdr_vendor_a, settings.enforceZdrVendorA),
    enforceZdrVendorB: valueOr(input.enforce_zdr_vendor_b, settings.enforceZdrVendorB),
    enforceZdrVendorC: valueOr(input.enforce_zdr_vendor_c, settings.enforceZdrVendorC),
    enforceZdrVendorD: valueOr(input.enforce_zdr_vendor_d, settings.enforceZdrVendorD),
    enforceZdrOther: valueOr(input.enforce_zdr_other, settings.enforceZdrOther),
    enableFreeModelPublication: valueOr(input.enable_free_model_publication, settings.enableFreeModelPublication),
    enableFreeModelTraining: valueOr(input.enable_free_model_training, settings.enableFreeModelTraining),
    enablePaidModelTraining: valueOr(input.enable_paid_model_training, settings.enablePaidModelTraining),
    contentFilterBuiltins: valueOr(toStoredBuiltins(input.content_filter_builtins), settings.contentFilterBuiltins),
    contentFilters: valueOr(input.content_filters, settings.contentFilters),
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

/** A builtin filter as the interface shows it: with its label. */
export function toBuiltinResponse({ slug, action, scan_scope }: StoredBuiltinFilter): ContentFilterBuiltinEntry {
  const label = BUILTIN_FILTER_LABELS[slug];
  return scan_scope === undefined ? { slug, action, label } : { slug, action, scan_scope, label };
}

/** The settings that a new guardrail starts from: enforce_zdr stands for every vendor that the request leaves out. */
export function initialSettings({ enforce_zdr: zdr = null }: CreateGuardrailRequest): GuardrailSettings {
  return {
    ...UNRESTRICTED,
    enforceZdrVendorA: zdr,
    enforceZdrVendorB: zdr,
    enforceZdrVendorC: zdr,
    enforceZdrVendorD: zdr,
    enforceZdrOther: zdr,
  };
}

/** Builtin filters as they are stored: without the caller's label, and with a scan scope only where it has an effect. */
function toStoredBuiltins(
  builtins: readonly ContentFilterBuiltinEntryInput[] | null | undefined,
): StoredBuiltinFilter[] | null | undefined {
  if (builtins === null || builtins === undefined) return builtins;
  return builtins.map(({ slug, action, scan_scope }) =>
    slug === SCOPED_BUILTIN_FILTER ? { slug, action, scan_scope: scan_scope ?? 'all_messages' } : { slug, action },
  );
}

/** The workspace of a default guardrail. */
export interface WorkspaceOfDefault {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: Date;
}

/** The default guardrail of a workspace before its first change, when it is not stored yet: it restricts nothing. */
export function implicitDefaultGuardrail(workspace: WorkspaceOfDefault): GuardrailEntity {
  return {
    ...UNRESTRICTED,
    id: defaultGuardrailIdOf(workspace.id),
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
    name: `Workspace ${workspace.id} Default`,
    createdAt: workspace.createdAt,
    updatedAt: null,
  };
}

/** Whether a guardrail is the default guardrail of its workspace. */
export function isDefaultGuardrail({ id, workspaceId }: Pick<GuardrailEntity, 'id' | 'workspaceId'>): boolean {
  return workspaceId !== null && id === defaultGuardrailIdOf(workspaceId);
}
