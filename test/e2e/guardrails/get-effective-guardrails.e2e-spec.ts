import starter from '../../../catalog/starter.json' with { type: 'json' };
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { EffectiveGuardrails } from '../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import { TestApplication } from '../../support/application/test-application.js';
import { effectiveGuardrails } from './effective-guardrails.js';

const NOTHING = { value: null, guardrail_ids: [] };

describe('getEffectiveGuardrails', () => {
  const { app, organization, member, workspace, key, get } = effectiveGuardrails();

  const effective = async (also = '', hash = key.hash): Promise<EffectiveGuardrails> => {
    const answer = await get(`key_hash=${hash}${also}`);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  const assign = async (guardrailId: string, to: { key_hashes: string[] } | { member_user_ids: string[] }) => {
    const segment = 'key_hashes' in to ? 'keys' : 'members';
    const answer = await app.api.post(`/guardrails/${guardrailId}/assignments/${segment}`, {
      key: organization.managementKey,
      json: to,
    });
    expect(answer.body).toEqual({ assigned_count: 1 });
  };

  const patchDefault = async (workspace: string, json: object): Promise<string> => {
    const id = defaultGuardrailIdOf(workspace);
    const answer = await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, json });
    expect(answer.status).toBe(200);
    return id;
  };

  it('answers 200 with no restriction and every model when no guardrail applies', async () => {
    const { models, available_models: available, ...rest } = await effective();

    expect(rest).toEqual({
      key_hash: key.hash,
      guardrails: [],
      allowed_models: NOTHING,
      ignored_models: NOTHING,
      allowed_providers: NOTHING,
      ignored_providers: NOTHING,
      allowed_data_regions: NOTHING,
      enforce_zdr_vendor_a: NOTHING,
      enforce_zdr_vendor_b: NOTHING,
      enforce_zdr_vendor_c: NOTHING,
      enforce_zdr_vendor_d: NOTHING,
      enforce_zdr_other: NOTHING,
      enable_free_model_publication: NOTHING,
      enable_free_model_training: NOTHING,
      enable_paid_model_training: NOTHING,
      content_filter_builtins: [],
      content_filters: [],
      budgets: [],
    });
    expect(models.length).toBeGreaterThan(50);
    expect(models).toContain('openai/gpt-5.5');
    expect(available).toEqual(starter.models.map(({ id }) => id).filter((id) => id.startsWith('gatehouse/')));
  });

  it('answers 200 with the combined rules of workspace, owner and key, each with its guardrails', async () => {
    const ofWorkspace = await patchDefault(workspace.id, {
      ignored_providers: ['groq'],
      enforce_zdr_other: true,
      allowed_data_regions: ['us', 'europe'],
      content_filter_builtins: [{ slug: 'email', action: 'flag' }],
    });
    const { id: ofMember } = await app.factory.guardrail(organization, {
      name: "The owner's",
      workspace_id: workspace.id,
      allowed_models: ['openai/gpt-latest', 'openai/gpt-5.4', 'anthropic/claude-opus-latest'],
      limit_usd: 100,
      reset_interval: 'monthly',
      enable_paid_model_training: true,
      content_filters: [{ pattern: 'x', action: 'redact' }],
    });
    const { id: ofKey } = await app.factory.guardrail(organization, {
      name: "The key's",
      allowed_models: ['openai/gpt-latest', 'openai/gpt-5.4'],
      ignored_models: ['openai/gpt-5.4'],
      limit_usd: 5,
      reset_interval: 'daily',
      include_byok_in_budgets: true,
      enable_paid_model_training: false,
      allowed_data_regions: ['global', 'europe'],
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
    });
    await assign(ofMember, { member_user_ids: [member.id] });
    await assign(ofKey, { key_hashes: [key.hash] });
    const [first, second] = [ofMember, ofKey].sort();

    const data = await effective();

    expect(data).toEqual({
      key_hash: key.hash,
      guardrails: [
        { id: ofWorkspace, name: `Workspace ${workspace.id} Default`, applies_through: ['workspace'] },
        { id: ofMember, name: "The owner's", applies_through: ['member'] },
        { id: ofKey, name: "The key's", applies_through: ['key'] },
      ],
      allowed_models: {
        value: ['openai/gpt-5.4-20260305', 'openai/gpt-5.5-20260423'],
        guardrail_ids: [first, second],
      },
      ignored_models: { value: ['openai/gpt-5.4-20260305'], guardrail_ids: [ofKey] },
      allowed_providers: NOTHING,
      ignored_providers: { value: ['groq'], guardrail_ids: [ofWorkspace] },
      allowed_data_regions: { value: ['europe'], guardrail_ids: [ofWorkspace, ofKey].sort() },
      enforce_zdr_vendor_a: NOTHING,
      enforce_zdr_vendor_b: NOTHING,
      enforce_zdr_vendor_c: NOTHING,
      enforce_zdr_vendor_d: NOTHING,
      enforce_zdr_other: { value: true, guardrail_ids: [ofWorkspace] },
      enable_free_model_publication: NOTHING,
      enable_free_model_training: NOTHING,
      enable_paid_model_training: { value: false, guardrail_ids: [ofKey] },
      content_filter_builtins: [
        {
          slug: 'email',
          action: 'block',
          label: '[EMAIL]',
          guardrail_ids: [ofWorkspace, ofKey].sort(),
        },
      ],
      content_filters: [{ pattern: 'x', action: 'redact', label: null, guardrail_ids: [ofMember] }],
      budgets: [
        { guardrail_id: ofMember, limit_usd: 100, reset_interval: 'monthly', include_byok_in_budgets: false },
        { guardrail_id: ofKey, limit_usd: 5, reset_interval: 'daily', include_byok_in_budgets: true },
      ].sort((one, other) => (one.guardrail_id < other.guardrail_id ? -1 : 1)),
      models: ['openai/gpt-5.5'],
      // None of the permitted models is of a connected provider.
      available_models: [],
    });
  });

  it('answers 200 with the strictest filter of each place, and where it applies if not where filters usually do', async () => {
    const ofWorkspace = await patchDefault(workspace.id, {
      content_filter_builtins: [
        { slug: 'email', action: 'flag', applies_to: ['request', 'response', 'tool_result'] },
        { slug: 'phone', action: 'flag' },
      ],
    });
    const { id: ofKey } = await app.factory.guardrail(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
      content_filters: [{ pattern: 'x', action: 'redact', applies_to: ['tool_call'] }],
    });
    await assign(ofKey, { key_hashes: [key.hash] });

    const { content_filter_builtins: builtins, content_filters: filters } = await effective();

    expect(builtins).toEqual([
      { slug: 'email', action: 'block', label: '[EMAIL]', guardrail_ids: [ofWorkspace, ofKey].sort() },
      { slug: 'email', action: 'flag', label: '[EMAIL]', applies_to: ['response'], guardrail_ids: [ofWorkspace] },
      { slug: 'phone', action: 'flag', label: '[PHONE]', guardrail_ids: [ofWorkspace] },
    ]);
    expect(filters).toEqual([
      { pattern: 'x', action: 'redact', label: null, applies_to: ['tool_call'], guardrail_ids: [ofKey] },
    ]);
  });

  it('answers 200 and distinguishes an empty intersection, which allows nothing, from no list, which allows everything', async () => {
    const [one, other] = [
      await app.factory.guardrail(organization, { workspace_id: workspace.id, allowed_models: ['openai/gpt-latest'] }),
      await app.factory.guardrail(organization, { allowed_models: ['anthropic/claude-opus-latest'] }),
    ];
    await assign(one.id, { member_user_ids: [member.id] });
    await assign(other.id, { key_hashes: [key.hash] });

    const { allowed_models: allowed, models } = await effective();

    expect(allowed).toEqual({ value: [], guardrail_ids: [one.id, other.id].sort() });
    expect(models).toEqual([]);
  });

  it('answers 200 with an empty list of regions when the guardrails have no region in common', async () => {
    const [one, other] = [
      await app.factory.guardrail(organization, { workspace_id: workspace.id, allowed_data_regions: ['europe'] }),
      await app.factory.guardrail(organization, { allowed_data_regions: ['us', 'global'] }),
    ];
    await assign(one.id, { member_user_ids: [member.id] });
    expect((await effective()).allowed_data_regions).toEqual({ value: ['europe'], guardrail_ids: [one.id] });

    const { allowed_data_regions: allowed } = await effective(`&with=${other.id}`);

    expect(allowed).toEqual({ value: [], guardrail_ids: [one.id, other.id].sort() });
  });

  it('answers 200 and names a guardrail once that applies for several reasons', async () => {
    const budget = { limit_usd: 5, reset_interval: 'daily' } as const;
    const { id, name } = await app.factory.guardrail(organization, { workspace_id: workspace.id, ...budget });
    await assign(id, { member_user_ids: [member.id] });
    await assign(id, { key_hashes: [key.hash] });

    const { guardrails, budgets } = await effective(`&with=${id}`);

    expect(guardrails).toEqual([{ id, name, applies_through: ['member', 'key', 'request'] }]);
    expect(budgets).toHaveLength(1);
  });

  it('answers 200 for a preview guardrail as if it applied, and assigns nothing', async () => {
    const { id, name } = await app.factory.guardrail(organization, { allowed_providers: ['openai'] });
    const before = await effective();

    const tried = await effective(`&with=${id.toUpperCase()}`);

    expect(tried.guardrails).toEqual([{ id, name, applies_through: ['request'] }]);
    expect(tried.allowed_providers).toEqual({ value: ['openai'], guardrail_ids: [id] });
    expect(tried.models).toContain('openai/gpt-5.5');
    expect(tried.models.length).toBeLessThan(before.models.length);
    expect(await effective()).toEqual(before);
  });

  it('answers 200 for the default guardrail of another workspace as preview, stored or not', async () => {
    const other = await app.factory.workspace(organization);
    const id = defaultGuardrailIdOf(other);

    expect((await effective(`&with=${id}`)).guardrails).toMatchObject([{ id, applies_through: ['request'] }]);
    await patchDefault(other, { enforce_zdr_vendor_a: true });
    expect((await effective(`&with=${id}`)).enforce_zdr_vendor_a).toEqual({ value: true, guardrail_ids: [id] });
  });

  it('answers 200 and counts a key without a workspace to the default workspace while there is one', async () => {
    const free = await app.factory.key(organization, { userId: member.id });
    const id = await patchDefault(organization.workspaceId, { ignored_models: ['openai/gpt-latest'] });

    expect((await effective('', free.hash)).guardrails).toMatchObject([{ id, applies_through: ['workspace'] }]);
    expect((await effective()).guardrails).toEqual([]);

    await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);
    expect((await effective('', free.hash)).guardrails).toEqual([]);
  });

  it('answers 200 with every assignment, change, removal and deletion at once', async () => {
    const { id } = await app.factory.guardrail(organization, { ignored_models: ['openai/gpt-latest'] });
    await assign(id, { key_hashes: [key.hash] });
    expect((await effective()).models).not.toContain('openai/gpt-5.5');

    const managementKey = { key: organization.managementKey };
    await app.api.patch(`/guardrails/${id}`, { ...managementKey, json: { ignored_models: null } });
    expect((await effective()).models).toContain('openai/gpt-5.5');

    await app.api.delete(`/guardrails/${id}`, managementKey);
    expect((await effective()).guardrails).toEqual([]);
  });

  it('answers 200 with models according to the facts of their endpoints', async () => {
    const { id } = await app.factory.guardrail(organization, { enforce_zdr: true });
    const zdr = await app.rows<{ id: string }>(
      `SELECT DISTINCT m.id FROM models m JOIN model_endpoints e ON e.model_id = m.id WHERE m.in_model_list AND e.is_zdr`,
    );

    const { models } = await effective(`&with=${id}`);

    expect(models.length).toBeGreaterThan(10);
    expect([...models].sort()).toEqual(zdr.map((model) => model.id).sort());
  });

  it('answers 200 according to the vendors of the deployment, in its dialect', async () => {
    const variables = { API_DIALECT: 'public', ZDR_VENDORS: 'meta-llama,openai,google,x-ai' };
    const replica = await TestApplication.start({ variables, database: app.database });
    const { id } = await app.factory.guardrail(organization, { enforce_zdr_vendor_a: true });

    const { body } = await replica.api.get<{ data: EffectiveGuardrails & Record<string, unknown> }>(
      `/guardrails/effective?key_hash=${key.hash}&with=${id}`,
      { key: organization.managementKey },
    );

    expect(body.data['enforce_zdr_metallama']).toEqual({ value: true, guardrail_ids: [id] });
    expect(body.data).not.toHaveProperty('enforce_zdr_vendor_a');
    const dropped = (await effective()).models.filter((model) => !body.data.models.includes(model));
    expect(dropped.filter((model) => !model.startsWith('meta-llama/'))).toEqual([]);
    await replica.stop();
  });
});
