import { defaultGuardrailIdOf } from '../../../../src/persistence/identifiers.js';
import { rowCounts } from '../../../support/expectations/no-side-effects.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { guardrailEvaluation, reasonAndPaths, REDACT_EMAIL, SETTINGS, WRITES } from './guardrail-evaluation.js';

describe('evaluateGuardrail with changes that are not saved', () => {
  const { gateway, organization, guardrail, evaluate, evaluated, asked } = guardrailEvaluation();

  describe('answers 200 with what it answers once the changes are saved:', () => {
    it.each(SETTINGS)('%s', async (_, settings, fields) => {
      const id = await guardrail({});
      const { hash } = await gateway.app.factory.key(organization);
      const input = { request: asked(fields), api_key_hash: hash };

      const unsaved = await evaluated(id, { ...input, guardrail: settings });
      await gateway.app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, json: { ...settings } });

      expect(unsaved).toEqual(await evaluated(id, input));
    });
  });

  it('answers 200 with the changes in place of what is saved, and leaves that as it is', async () => {
    const id = await guardrail({ ...REDACT_EMAIL, ignored_providers: ['beta'] });
    const input = { request: asked(WRITES) };
    const before = await rowCounts(gateway.app);
    const rows = () => gateway.app.rows('SELECT * FROM guardrails WHERE id = $1', [id]);
    const saved = await rows();

    const changes = { name: 'Changed', content_filter_builtins: null, ignored_providers: ['alpha'] };
    const unsaved = await evaluated(id, { ...input, guardrail: changes });
    expect(unsaved).toMatchObject({
      guardrails: [{ id, name: 'Changed' }],
      content: { filters: [], redacted_texts: [] },
      candidates: [{ provider: 'beta' }],
    });
    expect(await rowCounts(gateway.app)).toEqual(before);
    expect(await rows()).toEqual(saved);
    // Not even what is kept of guardrails has it, in one order and the other.
    const stored = await evaluated(id, input);
    expect([stored.candidates.map(({ provider }) => provider), stored.content!.filters.length]).toEqual([['alpha'], 1]);
    expect(await evaluated(id, { ...input, guardrail: changes })).toEqual(unsaved);
  });

  it('answers 200, and requests of a key to which the guardrail is assigned meet the saved one', async () => {
    const key = await gateway.guardedKey(organization, {});
    const { body } = await gateway.app.api.get<{ data: { guardrail_id: string }[] }>('/guardrails/assignments/keys', {
      key: organization.managementKey,
    });
    const id = body.data[0]!.guardrail_id;
    const input = { request: asked(), api_key_hash: key.hash, guardrail: { allowed_providers: ['openai'] } };

    expect(await evaluated(id, input)).toMatchObject({ reason: 'no_endpoints' });
    expect((await gateway.ask(key)).status).toBe(200);
    expect(await evaluated(id, input)).toMatchObject({ reason: 'no_endpoints' });
  });

  it('answers 200 for a default guardrail, whether it is stored or not', async () => {
    const id = defaultGuardrailIdOf(organization.workspaceId);
    const input = { request: asked(), guardrail: { allowed_providers: ['openai'] } };
    const refused = { reason: 'no_endpoints', guardrails: [{ id, applies_through: ['workspace'] }] };

    expect(await evaluated(id, input)).toMatchObject(refused);
    const { managementKey: key } = organization;
    await gateway.app.api.patch(`/guardrails/${id}`, { key, json: { ignored_providers: ['beta'] } });
    expect(await evaluated(id, input)).toMatchObject(refused);
    expect(await evaluated(id, { request: asked() })).toMatchObject({ outcome: 'admitted' });
  });

  it('answers 200 as if it were assigned to a member, whose other guardrail counts no longer', async () => {
    const ofMember = await guardrail({ allowed_providers: ['openai'] });
    const { managementKey, userId } = organization;
    const json = { member_user_ids: [userId] };
    await gateway.app.api.post(`/guardrails/${ofMember}/assignments/members`, { key: managementKey, json });
    const id = await guardrail({});
    const input = { request: asked(), user_id: userId, guardrail: { ignored_providers: ['beta'] } };

    expect(await evaluated(id, input)).toMatchObject({
      guardrails: [{ id, applies_through: ['member'] }],
      candidates: [{ provider: 'alpha' }],
    });
  });

  it.each<[string, object | null, string, readonly string[]]>([
    ['an unknown model', { allowed_models: ['no/model'] }, 'unknown_model', ['guardrail.allowed_models[0]']],
    ['an unknown provider', { ignored_providers: ['no'] }, 'unknown_provider', ['guardrail.ignored_providers[0]']],
    ['a limit without an interval', { limit_usd: 5 }, 'limit_without_interval', ['guardrail.reset_interval']],
    [
      'a pattern that does not compile',
      { content_filters: [{ pattern: '(', action: 'block' }] },
      'invalid_regex_pattern',
      ['guardrail.content_filters[0].pattern'],
    ],
    [
      'a filter twice',
      { content_filter_builtins: ['redact', 'block'].map((action) => ({ slug: 'email', action })) },
      'duplicate_builtin_filter',
      ['guardrail.content_filter_builtins[1].slug'],
    ],
    ['an unknown field', { workspace_id: 'any' }, 'invalid_parameters', ['guardrail.workspace_id']],
    ['null', null, 'invalid_parameters', ['guardrail']],
  ])('answers 400 for %s', async (_, settings, reason, paths) => {
    const answer = await evaluate<ErrorBody>(await guardrail({}), { request: asked(), guardrail: settings });

    expect(answer.status).toBe(400);
    expect(reasonAndPaths(answer)).toEqual([reason, paths]);
  });
});
