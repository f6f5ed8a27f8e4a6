import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const WRITES = { messages: [{ role: 'user', content: 'Write to jane.doe@example.com today' }] };

const emails = (action: 'block' | 'redact' | 'flag'): object => ({
  content_filter_builtins: [{ slug: 'email', action }],
});

const observing = (settings: object): object => ({ name: 'Next policy', enforcement: 'observe', ...settings });

/** Settings of a guardrail, what is asked under it, and what it would have done. */
const CASES: readonly (readonly [string, object, object, string, string])[] = [
  ['a model that is ignored', { ignored_models: ['acme/writer'] }, {}, 'refused', 'model'],
  ['models that are allowed', { allowed_models: ['acme/spare'] }, {}, 'refused', 'model'],
  ['one of two providers', { ignored_providers: ['alpha'] }, {}, 'excluded', 'provider'],
  ['providers that are allowed', { allowed_providers: ['nobody'] }, {}, 'refused', 'provider'],
  ['zero data retention', { enforce_zdr_other: true }, {}, 'excluded', 'zero_data_retention'],
  ['training', { enable_paid_model_training: false }, {}, 'excluded', 'training'],
  ['a region', { allowed_data_regions: ['us'] }, {}, 'refused', 'data_region'],
  ['content that it blocks', emails('block'), WRITES, 'refused', 'content'],
  ['content that it redacts', emails('redact'), WRITES, 'redacted', 'content'],
  ['a budget of nothing', { limit_usd: 0, reset_interval: 'daily' }, {}, 'refused', 'budget'],
  [
    'a budget that does not pay',
    { limit_usd: 0.000001, reset_interval: 'daily' },
    { max_tokens: 50 },
    'refused',
    'budget',
  ],
];

describe('sendChatCompletionRequest under a guardrail that observes', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  const sent = (): string => JSON.stringify([gateway.alpha.received, gateway.beta.received]);

  const evaluate = async (key: IssuedCredential, request: object): Promise<{ outcome: string; observed: object[] }> => {
    const other = await gateway.app.factory.guardrail(organization, {});
    const answer = await gateway.app.api.post<{ data: { outcome: string; observed: object[] } }>(
      `/guardrails/${other.id}/evaluate`,
      { key: organization.managementKey, json: { api_key_hash: key.hash, request } },
    );
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  it.each(CASES)('answers 200 as without it, and records what it would have done about %s', async (...one) => {
    const [, settings, fields, outcome, reason] = one;
    const { id } = await gateway.app.factory.guardrail(organization, observing(settings));
    const key = await gateway.app.factory.key(organization);
    await gateway.assign(organization, key, id);
    const answer = await gateway.ask(key, fields);

    expect(answer.status).toBe(200);
    expect(answer.body.provider).toBe('Alpha Cloud');
    if (reason === 'content') expect(sent()).toContain('jane.doe@example.com');
    const record = await gateway.record(answer, key);
    expect(record['observed']).toEqual([{ kind: 'guardrail', id, name: 'Next policy', outcome, reason }]);
    expect(record['guardrail_actions']).toEqual(
      reason === 'content' ? [{ filter: 'email', action: 'flag', count: 1, guardrail_ids: [id] }] : [],
    );
  });

  it.each(CASES)(
    'is answered 200 and redacted or by another provider, or is refused, once it enforces %s',
    async (...one) => {
      const [, settings, fields, outcome] = one;
      const key = await gateway.guardedKey(organization, { ...settings, enforcement: 'enforce' });
      const answer = await gateway.ask(key, fields);

      expect(answer.status === 200).toBe(outcome !== 'refused');
      if (outcome === 'redacted') expect(sent()).not.toContain('jane.doe@example.com');
      expect(await gateway.record(answer, key)).not.toHaveProperty('observed');
    },
  );

  it('records nothing where it would have done what the guardrails in force do', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {
      ...emails('redact'),
      ignored_providers: ['beta'],
    });
    await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
      key: organization.managementKey,
      json: { member_user_ids: [organization.userId] },
    });
    const key = await gateway.guardedKey(organization, observing({ ...emails('redact'), ignored_providers: ['beta'] }));
    const record = await gateway.record(await gateway.ask(key, WRITES), key);

    expect(record['guardrail_actions']).toEqual([{ filter: 'email', action: 'redact', count: 1, guardrail_ids: [id] }]);
    expect(record).not.toHaveProperty('observed');
  });

  it('answers 200, and records what it would have redacted where the guardrails in force do not look', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'block', applies_to: ['tool_result'] }],
    });
    await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
      key: organization.managementKey,
      json: { member_user_ids: [organization.userId] },
    });
    const key = await gateway.guardedKey(organization, observing(emails('redact')));
    const ofUser = await gateway.ask(key, WRITES);
    const ofBoth = await gateway.ask(key, {
      messages: [...WRITES.messages, { role: 'tool', tool_call_id: 'a', content: WRITES.messages[0]!.content }],
    });

    expect([ofUser.status, ofBoth.status]).toEqual([200, 403]);
    expect((await gateway.record(ofUser, key))['observed']).toMatchObject([{ outcome: 'redacted', reason: 'content' }]);
  });

  it('answers 200, and records nothing of what the guardrails in force redact in the only place that has it', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact', applies_to: ['tool_result'] }],
    });
    await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
      key: organization.managementKey,
      json: { member_user_ids: [organization.userId] },
    });
    const key = await gateway.guardedKey(organization, observing(emails('redact')));
    const answer = await gateway.ask(key, {
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: WRITES.messages[0]!.content },
      ],
    });

    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).not.toHaveProperty('observed');
  });

  it.each([
    [false, 'block', 'refused'],
    [true, 'block', 'refused'],
    [true, 'redact', 'redacted'],
  ] as const)('answers 200 as without it, and records what it would do to answers (stream: %s, %s)', async (...one) => {
    const [stream, action, outcome] = one;
    const words = ['Write to jane.roe@', 'example.com, ', 'today.'];
    gateway.alpha.answerWith((response) => {
      if (stream)
        response.writeHead(200, STREAM_HEAD).end(words.map((content) => chunk({ content })).join('') + STREAM_END);
      else
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(words.join(''))));
    });
    const filter = { slug: 'email', action, applies_to: ['response'] };
    const { id } = await gateway.app.factory.guardrail(organization, observing({ content_filter_builtins: [filter] }));
    const key = await gateway.app.factory.key(organization);
    await gateway.assign(organization, key, id);
    const answer = await gateway.ask(key, { stream });

    expect(answer.status).toBe(200);
    for (const word of words.slice(1)) expect(answer.text).toContain(word);
    expect(await gateway.record(answer, key)).toMatchObject({
      observed: [{ id, outcome, reason: 'content' }],
      guardrail_actions: [{ filter: 'email', action: 'flag', count: 1, place: 'response' }],
      answer_filtering: { held_characters: 0 },
    });
  });

  it('is refused for each of two guardrails that leave no endpoint only together', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, observing({ ignored_providers: ['alpha'] }));
    await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
      key: organization.managementKey,
      json: { member_user_ids: [organization.userId] },
    });
    const key = await gateway.guardedKey(organization, observing({ ignored_providers: ['beta'] }));
    const record = await gateway.record(await gateway.ask(key), key);

    expect(record['observed']).toEqual([
      expect.objectContaining({ outcome: 'refused', reason: 'provider' }),
      expect.objectContaining({ outcome: 'refused', reason: 'provider' }),
    ]);
  });

  it('is shown by the effective policy of the key, whose rules it does not change', async () => {
    const key = await gateway.guardedKey(organization, observing({ allowed_models: ['acme/spare'] }));
    const { body } = await gateway.app.api.get<{ data: Record<string, unknown> }>(
      `/guardrails/effective?key_hash=${key.hash}`,
      { key: organization.managementKey },
    );
    const models = await gateway.app.api.get<{ data: { id: string }[] }>('/models/user', { key: key.plaintext });

    expect(body.data['guardrails']).toEqual([
      expect.objectContaining({ applies_through: ['key'], enforcement: 'observe', name: 'Next policy' }),
    ]);
    expect(body.data['allowed_models']).toEqual({ value: null, guardrail_ids: [] });
    expect(models.body.data.map(({ id }) => id)).toContain('acme/writer');
  });

  it.each(CASES)('is told by evaluateGuardrail (200) as it is recorded, about %s', async (...one) => {
    const [, settings, fields, outcome, reason] = one;
    const { id } = await gateway.app.factory.guardrail(organization, observing(settings));
    await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
      key: organization.managementKey,
      json: { member_user_ids: [organization.userId] },
    });
    const key = await gateway.app.factory.key(organization);
    const question = { model: 'acme/writer', messages: [{ role: 'user', content: 'What is new?' }], ...fields };
    const { outcome: decided, observed } = await evaluate(key, question);

    expect(decided).toBe('admitted');
    expect(observed).toEqual([{ kind: 'guardrail', id, name: 'Next policy', outcome, reason }]);
  });
});
