import {
  type AppliedGuardrail,
  type EffectiveBudget,
  type EffectiveBuiltinFilter,
  type EffectiveCustomFilter,
  type EffectiveGuardrails,
  type EffectiveInspector,
  type GuardrailSource,
  GUARDRAIL_SOURCES,
} from './effective-guardrails.dto.js';
import type { ApplyingGuardrail } from './effective-guardrails.repository.js';
import type { Budget, EffectivePolicy, NamedInspector } from './effective-policy.js';
import type { EffectiveRule, SharedFilter } from './effective-rule.js';
import type { StoredBuiltinFilter, StoredCustomFilter } from '../content-filters/stored-filters.js';
import { heldTextsOf } from '../content-filters/held-texts.js';
import { toBuiltinResponse } from '../guardrail-settings.js';

interface Identified {
  readonly id: string;
}

/** The effective policy of a key, before mapping. */
export interface EffectiveOutcome {
  readonly keyHash: string;
  readonly guardrails: readonly ApplyingGuardrail[];
  readonly policy: EffectivePolicy;
  /** Whether there is a classifier of prompt injections. */
  readonly isClassified: boolean;
  readonly models: readonly Identified[];
  /** The permitted models that have an endpoint which can be called. */
  readonly availableModels: readonly Identified[];
}

/** Maps the effective policy of a key to the response. */
export function toEffectiveResponse({
  keyHash,
  guardrails,
  policy,
  isClassified,
  models,
  availableModels,
}: EffectiveOutcome): EffectiveGuardrails {
  return {
    key_hash: keyHash,
    guardrails: toApplied(guardrails),
    allowed_models: toRule(policy.allowedModels),
    ignored_models: toRule(policy.ignoredModels),
    allowed_providers: toRule(policy.allowedProviders),
    ignored_providers: toRule(policy.ignoredProviders),
    allowed_data_regions: toRule(policy.allowedDataRegions),
    enforce_zdr_vendor_a: toRule(policy.enforceZdrVendorA),
    enforce_zdr_vendor_b: toRule(policy.enforceZdrVendorB),
    enforce_zdr_vendor_c: toRule(policy.enforceZdrVendorC),
    enforce_zdr_vendor_d: toRule(policy.enforceZdrVendorD),
    enforce_zdr_other: toRule(policy.enforceZdrOther),
    enable_free_model_publication: toRule(policy.enableFreeModelPublication),
    enable_free_model_training: toRule(policy.enableFreeModelTraining),
    enable_paid_model_training: toRule(policy.enablePaidModelTraining),
    content_filter_builtins: policy.contentFilterBuiltins.map((filter) => toBuiltin(filter, isClassified)),
    content_filters: policy.contentFilters.map(toCustomFilter),
    ...(policy.inspectors.length > 0 && { inspectors: policy.inspectors.map(toInspector) }),
    ...mcpRulesOf(policy),
    budgets: policy.budgets.map(toBudget),
    models: models.map(({ id }) => id),
    available_models: availableModels.map(({ id }) => id),
  };
}

/** The guardrails that apply, each once with all of its reasons. */
export function toApplied(guardrails: readonly ApplyingGuardrail[]): AppliedGuardrail[] {
  const distinct = new Map<
    string,
    Pick<ApplyingGuardrail, 'name' | 'enforcement'> & { reasons: Set<GuardrailSource> }
  >();
  for (const { id, name, enforcement, through } of guardrails) {
    const known = distinct.get(id);
    if (known === undefined) distinct.set(id, { name, enforcement, reasons: new Set([through]) });
    else known.reasons.add(through);
  }
  return [...distinct].map(([id, { name, enforcement, reasons }]) => ({
    id,
    name,
    applies_through: GUARDRAIL_SOURCES.filter((application) => reasons.has(application)),
    ...(enforcement === 'observe' && { enforcement }),
  }));
}

function toRule<T>({ value, guardrailIds }: EffectiveRule<T>): { value: T | null; guardrail_ids: readonly string[] } {
  return { value, guardrail_ids: guardrailIds };
}

function toBuiltin(
  { guardrailIds, ...filter }: SharedFilter<StoredBuiltinFilter>,
  isClassified: boolean,
): EffectiveBuiltinFilter {
  return { ...toBuiltinResponse(filter), ...heldTextsOf(filter, isClassified), guardrail_ids: guardrailIds };
}

function toCustomFilter({ guardrailIds, ...filter }: SharedFilter<StoredCustomFilter>): EffectiveCustomFilter {
  return { ...filter, ...heldTextsOf(filter, false), guardrail_ids: guardrailIds };
}

function toInspector({ id, guardrailIds }: NamedInspector): EffectiveInspector {
  return { id, guardrail_ids: guardrailIds };
}

/** The rules about tools of MCP servers, as far as there are any. */
function mcpRulesOf({
  allowedMcpTools,
  ignoredMcpTools,
  mcpArgumentRules,
}: EffectivePolicy): Pick<EffectiveGuardrails, 'allowed_mcp_tools' | 'ignored_mcp_tools' | 'mcp_argument_rules'> {
  return {
    ...(allowedMcpTools.value !== null && { allowed_mcp_tools: toRule(allowedMcpTools) }),
    ...(ignoredMcpTools.value !== null && { ignored_mcp_tools: toRule(ignoredMcpTools) }),
    ...(mcpArgumentRules.length > 0 && {
      mcp_argument_rules: mcpArgumentRules.map(({ tool, schema, guardrailIds }) => ({
        tool,
        schema,
        guardrail_ids: guardrailIds,
      })),
    }),
  };
}

function toBudget({ guardrailId, limitUsd, resetInterval, includeByokInBudgets }: Budget): EffectiveBudget {
  return {
    guardrail_id: guardrailId,
    limit_usd: limitUsd,
    reset_interval: resetInterval,
    include_byok_in_budgets: includeByokInBudgets,
  };
}
