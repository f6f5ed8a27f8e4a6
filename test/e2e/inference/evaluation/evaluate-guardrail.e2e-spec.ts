import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { defaultGuardrailIdOf } from '../../../../src/persistence/identifiers.js';
import { rowCounts } from '../../../support/expectations/no-side-effects.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { QUESTION } from '../test-gateway.js';
import { guardrailEvaluation, REDACT_EMAIL, EMAIL, INJECTION } from './guardrail-evaluation.js';

describe('evaluateGuardrail', () => {
  const { gateway, organization, guardrail, evaluate, evaluated, asked } = guardrailEvaluation();

  const spend = (path: string, json: object): Promise<Answer> =>
    gateway.app.api.put(path, { key: organization.managementKey, json: { ...json } });

  it('answers 200 and sends, charges and records nothing', async () => {
    const id = await guardrail(REDACT_EMAIL);
    const key = await gateway.app.factory.key(organization);
    const before = await rowCounts(gateway.app);
    const spent = await gateway.app.rows('SELECT * FROM key_spend_totals WHERE organization_id = $1', [
      organization.organizationId,
    ]);

    const { outcome, candidates } = await evaluated(id, { request: asked(), api_key_hash: key.hash });

    expect([outcome, candidates.map(({ provider }) => provider)]).toEqual(['admitted', ['alpha', 'beta']]);
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
    expect(await rowCounts(gateway.app)).toEqual(before);
    const { organizationId } = organization;
    expect(
      await gateway.app.rows('SELECT * FROM key_spend_totals WHERE organization_id = $1', [organizationId]),
    ).toEqual(spent);
  });

  it('answers 200 as often as it is asked, and counts toward no rate of the key', async () => {
    const id = await guardrail(REDACT_EMAIL);
    const key = await gateway.app.factory.key(organization, { requestsPerMinute: 1, tokensPerMinute: 1_000 });
    for (let time = 0; time < 3; time += 1) await evaluated(id, { request: asked(), api_key_hash: key.hash });
    const answer = await gateway.ask(key);

    expect([answer.status, answer.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0']);
  });

  describe('answers 200 with what the request itself is answered once the guardrail is assigned:', () => {
    it.each([
      ['nothing in its way', {}, {}],
      ['a redaction', REDACT_EMAIL, { messages: [{ role: 'user', content: `Write to ${EMAIL}` }] }],
      [
        'a filter that blocks',
        { content_filter_builtins: [{ slug: 'email', action: 'block' }] },
        { messages: [{ role: 'user', content: `Write to ${EMAIL}` }] },
      ],
      [
        'a custom filter that blocks',
        { content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'block', label: '[PROJECT]' }] },
        { messages: [{ role: 'user', content: 'About PROJECT-1234' }] },
      ],
      [
        'an injection',
        { content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'block' }] },
        { messages: INJECTION },
      ],
      ['a filter without its analyzer', { content_filter_builtins: [{ slug: 'address', action: 'redact' }] }, {}],
      ['a region that is not allowed', { allowed_data_regions: ['europe'] }, {}],
      ['no endpoint', { allowed_providers: ['openai'] }, {}],
      ['an endpoint that keeps nothing', { enforce_zdr_other: true }, {}],
      ['a budget that is met', { limit_usd: 0, reset_interval: 'daily' }, {}],
      ['an unknown model', {}, { model: 'acme/nothing' }],
      ['a model of another operation', {}, { model: 'acme/embedder' }],
      ['an unknown preset', {}, { preset: 'nothing' }],
    ])('%s', async (_, settings, fields) => {
      const id = await guardrail(settings);
      const key = await gateway.app.factory.key(organization);
      const request = asked(fields);

      const evaluation = await evaluated(id, { request, api_key_hash: key.hash });
      await gateway.assign(organization, key, id);
      const real = await gateway.app.api.post<Partial<ErrorBody> & { model?: string; provider?: string }>(
        '/chat/completions',
        { key: key.plaintext, json: { ...request } },
      );

      expect(evaluation.status ?? 200).toBe(real.status);
      expect(evaluation.outcome).toBe(real.status === 200 ? 'admitted' : 'refused');
      if (real.status === 200) {
        const sent = gateway.alpha.received[0]!.body as { readonly messages: readonly { readonly content: string }[] };
        expect(real.body.model).toBe(evaluation.candidates[0]!.model);
        const redacted = evaluation.content!.redacted_texts as readonly { readonly text: string }[];
        expect(sent.messages[0]!.content).toBe(redacted[0]?.text ?? QUESTION[0]!.content);
      } else {
        const { message, metadata } = real.body.error!;
        expect([evaluation.reason, evaluation.message]).toEqual([metadata.reason, message]);
      }
    });
  });

  it.each([
    [
      'a budget of the workspace',
      async () => spend(`/workspaces/${organization.workspaceId}/budgets/daily`, { limit_usd: 0.000001 }),
    ],
  ])('answers 200 with the limit that is met: %s', async (_, limit) => {
    const key = await gateway.app.factory.key(organization);
    expect((await gateway.ask(key)).status).toBe(200);
    await limit();
    const evaluation = await evaluated(await guardrail({}), { request: asked(), api_key_hash: key.hash });

    expect(evaluation).toMatchObject({ refused_at: 'limits', status: 403, reason: 'workspace_budget_exceeded' });
    expect([evaluation.content, evaluation.candidates]).toEqual([null, []]);
  });

  it('answers 200 with the preset, the models, and each endpoint that is left out with its reason', async () => {
    const { workspaceId } = organization;
    await gateway.app.factory.preset(organization, workspaceId, 'bot', [
      { temperature: 1 },
      { models: ['acme/unconnected'] },
    ]);
    const id = await guardrail({ ignored_providers: ['beta'] });
    const evaluation = await evaluated(id, { request: asked({ model: 'acme/writer@preset/bot' }) });

    expect(evaluation).toMatchObject({
      outcome: 'admitted',
      preset: { slug: 'bot', version: 2, adds_system_message: false },
      models: [
        { requested: 'acme/writer', model: 'acme/writer' },
        { requested: 'acme/unconnected', model: 'acme/unconnected' },
      ],
      candidates: [{ model: 'acme/writer', provider: 'alpha', endpoint: 'alpha', is_byok: false }],
      excluded_endpoints: [
        { model: 'acme/writer', provider: 'beta', endpoint: 'beta', reason: 'allowed_providers' },
        { model: 'acme/unconnected', provider: 'nobody', endpoint: 'nobody', reason: 'not_connected' },
      ],
    });
  });

  describe('answers 200 with the guardrails that would apply', () => {
    it('to a key, in place of its own and together with those of its member and its workspace', async () => {
      const key = await gateway.guardedKey(organization, { allowed_providers: ['openai'] });
      const ofMember = await guardrail({ ignored_providers: ['beta'] });
      const { managementKey, userId, workspaceId } = organization;
      const json = { member_user_ids: [userId] };
      await gateway.app.api.post(`/guardrails/${ofMember}/assignments/members`, { key: managementKey, json });
      const ofWorkspace = defaultGuardrailIdOf(workspaceId);
      await gateway.app.api.patch(`/guardrails/${ofWorkspace}`, { key: managementKey, json: { description: 'Ours' } });
      const id = await guardrail({});
      const evaluation = await evaluated(id, { request: asked(), api_key_hash: key.hash });

      expect(evaluation).toMatchObject({
        outcome: 'admitted',
        api_key_hash: key.hash,
        user_id: userId,
        workspace_id: workspaceId,
        guardrails: [
          { id: ofWorkspace, applies_through: ['workspace'] },
          { id: ofMember, applies_through: ['member'] },
          { id, applies_through: ['key'] },
        ],
        candidates: [{ provider: 'alpha' }],
      });
      // The evaluation has assigned nothing.
      expect((await gateway.ask<ErrorBody>(key)).body.error.metadata).toMatchObject({ reason: 'no_endpoints' });
    });

    it('to a new key of a member, whose own budget it is then', async () => {
      const member = await gateway.app.factory.member(organization.organizationId);
      const ofMember = await gateway.app.factory.key({ ...organization, userId: member });
      expect((await gateway.ask(ofMember)).status).toBe(200);
      const id = await guardrail({ limit_usd: 0.000001, reset_interval: 'daily' });
      const evaluation = await evaluated(id, { request: asked(), user_id: member });

      expect(evaluation).toMatchObject({
        refused_at: 'limits',
        reason: 'guardrail_budget_exceeded',
        api_key_hash: null,
        user_id: member,
        guardrails: [{ id, applies_through: ['member'] }],
      });
      // Another key, and another member, have spent nothing. What they ask for is too dear all the same.
      const unspent = { refused_at: 'admission', admission: { limits: [{ spent_usd: 0 }] } };
      expect(await evaluated(id, { request: asked() })).toMatchObject({ ...unspent, user_id: null });
      expect(await evaluated(id, { request: asked(), user_id: organization.userId })).toMatchObject(unspent);
    });

    it('to a new key of another workspace, with the presets of that', async () => {
      const workspace_id = await gateway.app.factory.workspace(organization);
      await gateway.app.factory.preset(organization, workspace_id, 'there', [{}]);
      const id = await guardrail({});
      const request = asked({ preset: 'there' });

      expect(await evaluated(id, { request, workspace_id })).toMatchObject({ outcome: 'admitted', workspace_id });
      expect(await evaluated(id, { request })).toMatchObject({ refused_at: 'preset', reason: 'preset_not_found' });
    });

    it('in its own workspace, for a default guardrail', async () => {
      const { workspaceId, managementKey: key } = organization;
      const id = defaultGuardrailIdOf(workspaceId);
      expect(await evaluated(id, { request: asked() })).toMatchObject({ outcome: 'admitted', guardrails: [] });
      await gateway.app.api.patch(`/guardrails/${id}`, { key, json: { allowed_providers: ['openai'] } });

      expect(await evaluated(id, { request: asked() })).toMatchObject({
        reason: 'no_endpoints',
        guardrails: [{ id, applies_through: ['workspace'] }],
      });
    });
  });

  it('answers 400 default_guardrail_not_assignable for the default guardrail of another workspace', async () => {
    const other = await gateway.app.factory.workspace(organization);
    const { hash } = await gateway.app.factory.key(organization);
    const { status, body } = await evaluate<ErrorBody>(defaultGuardrailIdOf(other), {
      request: asked(),
      api_key_hash: hash,
    });

    expect([status, body.error.metadata.reason]).toEqual([400, 'default_guardrail_not_assignable']);
  });

  it.each([
    ['a malformed request', { request: { messages: [{ role: 'user' }] } }, ['request.messages[0].content']],
    ['no request', {}, ['request']],
    ['a key together with a member', { request: asked(), api_key_hash: 'a', user_id: 'b' }, ['user_id']],
    ['a field that is not known', { request: asked(), key: 'a' }, ['key']],
  ])('answers 400 for %s', async (_, json, paths) => {
    const { status, body } = await evaluate<ErrorBody>(await guardrail({}), json);
    const issues = body.error.metadata.issues as readonly { readonly path: string }[];

    expect([status, issues.map(({ path }) => path)]).toEqual([400, paths]);
  });

  it('answers 404 for a key and a member of another organization', async () => {
    const theirs = await gateway.app.factory.organization();
    const key: IssuedCredential = await gateway.app.factory.key(theirs);
    const id = await guardrail({});
    const ofKey = await evaluate<ErrorBody>(id, { request: asked(), api_key_hash: key.hash });
    const ofMember = await evaluate<ErrorBody>(id, { request: asked(), user_id: theirs.userId });

    expect([ofKey.status, ofKey.body.error.metadata.reason]).toEqual([404, 'key_not_found']);
    expect([ofMember.status, ofMember.body.error.metadata.reason]).toEqual([404, 'member_not_found']);
  });
});
