import { withoutRepetition } from '../../http/request-values.js';
import { placementOf } from '../content/content-filters.js';
import type {
  ContentFilterBuiltinEntry,
  ContentFilterBuiltinEntryInput,
  ContentFilterEntry,
} from './content-filters/content-filter.dto.js';
import { heldTextsOf } from './content-filters/held-texts.js';
import {
  BUILTIN_FILTER_LABELS,
  SCOPED_BUILTIN_FILTER,
  type StoredBuiltinFilter,
  type StoredCustomFilter,
} from './content-filters/stored-filters.js';
import type { CreateGuardrailRequest, Guardrail, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import type { ReferenceLists } from './reference-lists.js';
import { defaultGuardrailIdOf } from '../../persistence/identifiers.js';
import { type FieldsOf, WireFields } from '../../persistence/rows/wire-fields.js';

type GuardrailField = Exclude<
  keyof GuardrailEntity,
  'id' | 'organizationId' | 'workspaceId' | 'createdAt' | 'updatedAt'
>;

/** The fields of a guardrail that requests set, with what they are where nothing is restricted. */
export const GUARDRAIL_FIELDS = {
  name: { initial: '' },
  description: { initial: null },
  limitUsd: { initial: null },
  resetInterval: { initial: null },
  includeByokInBudgets: { initial: false },
  allowedModels: { initial: null },
  ignoredModels: { initial: null },
  allowedProviders: { initial: null },
  ignoredProviders: { initial: null },
  allowedDataRegions: { initial: null },
  enforceZdr: { initial: null },
  enforceZdrVendorA: { initial: null },
  enforceZdrVendorB: { initial: null },
  enforceZdrVendorC: { initial: null },
  enforceZdrVendorD: { initial: null },
  enforceZdrOther: { initial: null },
  enableFreeModelPublication: { initial: null },
  enableFreeModelTraining: { initial: null },
  enablePaidModelTraining: { initial: null },
  contentFilterBuiltins: { initial: null },
  contentFilters: { initial: null },
  inspectorIds: { initial: null },
  allowedMcpTools: { initial: null },
  ignoredMcpTools: { initial: null },
  mcpArgumentRules: { initial: null },
  enforcement: { initial: 'enforce' },
} satisfies FieldsOf<GuardrailEntity, GuardrailField>;

const FIELDS = new WireFields<GuardrailEntity, GuardrailField>(GUARDRAIL_FIELDS);

export type GuardrailSettings = Pick<GuardrailEntity, GuardrailField>;

/** The settings of a guardrail that restricts nothing. */
export const UNRESTRICTED: GuardrailSettings = FIELDS.made({});

/**
 * Applies a request to settings: an absent field keeps its value, null clears it, a list replaces the list before it.
 *
 * @param lists the models and providers of the request, resolved
 */
export function withInput<Settings extends GuardrailSettings>(
  settings: Settings,
  input: CreateGuardrailRequest | UpdateGuardrailRequest,
  lists: ReferenceLists,
): Settings {
  return FIELDS.changed(settings, {
    ...input,
    ...lists,
    allowed_data_regions: withoutRepetition(input.allowed_data_regions),
    inspector_ids: withoutRepetition(input.inspector_ids?.map((id) => id.toLowerCase()) ?? input.inspector_ids),
    allowed_mcp_tools: withoutRepetition(input.allowed_mcp_tools),
    ignored_mcp_tools: withoutRepetition(input.ignored_mcp_tools),
    content_filter_builtins: toStoredBuiltins(input.content_filter_builtins),
    content_filters: toStoredCustomFilters(input.content_filters),
  });
}

/** The fields of a guardrail that requests can set, by their names in the interface; the audit trail records them. */
export function toAuditedFields(
  guardrail: Omit<GuardrailEntity, 'createdAt' | 'updatedAt'>,
): Required<Omit<Guardrail, 'id' | 'created_at' | 'updated_at'>> {
  const { name, description, ...settings } = FIELDS.shown(guardrail);
  return {
    name,
    description,
    workspace_id: guardrail.workspaceId,
    ...settings,
    content_filter_builtins: guardrail.contentFilterBuiltins?.map(toBuiltinResponse) ?? null,
    content_filters: guardrail.contentFilters?.map((filter) => ({ ...filter })) ?? null,
  };
}

/** A builtin filter as the interface shows it: with its label. */
export function toBuiltinResponse(filter: StoredBuiltinFilter): ContentFilterBuiltinEntry {
  return { ...filter, label: BUILTIN_FILTER_LABELS[filter.slug] };
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
  return builtins.map(({ slug, action, scan_scope = 'all_messages', applies_to }) => ({
    slug,
    action,
    ...(slug === SCOPED_BUILTIN_FILTER && { scan_scope }),
    ...placementOf(applies_to),
  }));
}

/** Custom filters as they are stored: an absent label stays absent. */
function toStoredCustomFilters(
  filters: readonly ContentFilterEntry[] | null | undefined,
): StoredCustomFilter[] | null | undefined {
  if (filters === null || filters === undefined) return filters;
  return filters.map(({ pattern, action, label, applies_to }) => {
    const filter = { pattern, action, ...(label !== undefined && { label }), ...placementOf(applies_to) };
    // No server is asked about a pattern.
    return { ...filter, ...heldTextsOf(filter, false) };
  });
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
