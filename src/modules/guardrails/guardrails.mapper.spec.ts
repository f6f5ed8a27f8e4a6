import type { Guardrail } from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import { toGuardrailResponse } from './guardrails.mapper.js';

/** Every value differs from every other, so that two fields that were mixed up show. */
const GUARDRAIL: GuardrailEntity = {
  id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  organizationId: 'org_1',
  workspaceId: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
  name: 'A name',
  description: 'A description',
  limitUsd: 12.5,
  resetInterval: 'weekly',
  includeByokInBudgets: true,
  allowedModels: ['allowed/model'],
  ignoredModels: ['ignored/model'],
  allowedProviders: ['allowed-provider'],
  ignoredProviders: ['ignored-provider'],
  allowedDataRegions: ['europe'],
  enforceZdr: null,
  enforceZdrVendorA: null,
  enforceZdrVendorB: null,
  enforceZdrVendorC: null,
  enforceZdrVendorD: null,
  enforceZdrOther: null,
  enableFreeModelPublication: null,
  enableFreeModelTraining: null,
  enablePaidModelTraining: null,
  contentFilterBuiltins: [{ slug: 'email', action: 'block' }],
  contentFilters: [{ pattern: 'x', action: 'redact', label: '[X]' }],
  inspectorIds: ['019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80'],
  allowedMcpTools: ['docs/*'],
  ignoredMcpTools: ['docs/write'],
  mcpArgumentRules: [{ tool: 'docs/read', schema: { required: ['path'] } }],
  enforcement: 'enforce',
  createdAt: new Date('2026-11-21T09:30:00.001Z'),
  updatedAt: new Date('2026-11-22T09:30:00.02Z'),
};

const shown = (guardrail = GUARDRAIL): Guardrail => toGuardrailResponse(guardrail, false);

describe('toGuardrailResponse', () => {
  it('has every field, and nothing of the organization', () => {
    expect(shown()).toEqual({
      id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
      name: 'A name',
      description: 'A description',
      workspace_id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
      limit_usd: 12.5,
      reset_interval: 'weekly',
      include_byok_in_budgets: true,
      allowed_models: ['allowed/model'],
      ignored_models: ['ignored/model'],
      allowed_providers: ['allowed-provider'],
      ignored_providers: ['ignored-provider'],
      allowed_data_regions: ['europe'],
      enforce_zdr: null,
      enforce_zdr_vendor_a: null,
      enforce_zdr_vendor_b: null,
      enforce_zdr_vendor_c: null,
      enforce_zdr_vendor_d: null,
      enforce_zdr_other: null,
      enable_free_model_publication: null,
      enable_free_model_training: null,
      enable_paid_model_training: null,
      content_filter_builtins: [{ slug: 'email', action: 'block', label: '[EMAIL]' }],
      inspector_ids: ['019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80'],
      allowed_mcp_tools: ['docs/*'],
      ignored_mcp_tools: ['docs/write'],
      mcp_argument_rules: [{ tool: 'docs/read', schema: { required: ['path'] } }],
      content_filters: [{ pattern: 'x', action: 'redact', label: '[X]' }],
      created_at: '2026-11-21T09:30:00.001Z',
      updated_at: '2026-11-22T09:30:00.020Z',
    });
  });

  it.each([
    ['enforceZdr', 'enforce_zdr'],
    ['enforceZdrVendorA', 'enforce_zdr_vendor_a'],
    ['enforceZdrVendorB', 'enforce_zdr_vendor_b'],
    ['enforceZdrVendorC', 'enforce_zdr_vendor_c'],
    ['enforceZdrVendorD', 'enforce_zdr_vendor_d'],
    ['enforceZdrOther', 'enforce_zdr_other'],
    ['enableFreeModelPublication', 'enable_free_model_publication'],
    ['enableFreeModelTraining', 'enable_free_model_training'],
    ['enablePaidModelTraining', 'enable_paid_model_training'],
  ])('maps %s to %s and to nothing else', (property, field) => {
    for (const value of [true, false]) {
      const unset = shown();

      expect(shown({ ...GUARDRAIL, [property]: value })).toEqual({ ...unset, [field]: value });
    }
  });

  it('maps null to null', () => {
    const response = shown({
      ...GUARDRAIL,
      workspaceId: null,
      description: null,
      limitUsd: null,
      resetInterval: null,
      allowedModels: null,
      ignoredModels: null,
      allowedProviders: null,
      ignoredProviders: null,
      allowedDataRegions: null,
      contentFilterBuiltins: null,
      contentFilters: null,
      inspectorIds: null,
      allowedMcpTools: null,
      ignoredMcpTools: null,
      mcpArgumentRules: null,
      updatedAt: null,
    });

    const { id, name, include_byok_in_budgets, created_at, ...nulls } = response;
    expect([id, name, include_byok_in_budgets, created_at]).not.toContain(null);
    expect(new Set(Object.values(nulls))).toEqual(new Set([null]));
  });

  it('distinguishes an absent label of a custom filter from null', () => {
    const { content_filters: filters } = shown({
      ...GUARDRAIL,
      contentFilters: [
        { pattern: 'a', action: 'flag' },
        { pattern: 'b', action: 'flag', label: null },
      ],
    });

    expect(JSON.stringify(filters)).toBe(
      '[{"pattern":"a","action":"flag"},{"pattern":"b","action":"flag","label":null}]',
    );
  });

  it('has a scan scope when one is stored', () => {
    const { content_filter_builtins: filters } = shown({
      ...GUARDRAIL,
      contentFilterBuiltins: [{ slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' }],
    });

    expect(filters).toEqual([
      { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only', label: '[PROMPT_INJECTION]' },
    ]);
  });

  it.each([
    [false, [true, undefined, true, undefined, undefined]],
    [true, [true, undefined, true, undefined, true]],
  ])('says which filters hold texts of answers whole, with a classifier: %j', (isClassified, held) => {
    const ofAnswers = { action: 'block', applies_to: ['response'] } as const;
    const { content_filter_builtins: builtins } = toGuardrailResponse(
      {
        ...GUARDRAIL,
        contentFilterBuiltins: [
          { slug: 'person-name', ...ofAnswers },
          { slug: 'email', ...ofAnswers },
          { slug: 'address', action: 'redact', applies_to: ['tool_call'] },
          { slug: 'address', action: 'flag', applies_to: ['tool_call'] },
          { slug: 'regex-prompt-injection', ...ofAnswers },
        ],
      },
      isClassified,
    );

    expect(builtins!.map(({ holds_whole_text: holds }) => holds)).toEqual(held);
  });
});
