import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { EffectiveGuardrailsRepository } from '../../../../src/modules/guardrails/effective-policy/effective-guardrails.repository.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { UnfinishedRequest } from '../../../support/network/unfinished-request.js';
import type { WholeAnswer } from '../read-answers.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { assignedGuardrails } from '../../../support/resources/assigned-guardrails.js';
import { sharedGateway } from '../shared-gateway.js';

const SECRET = 'jane.doe@example.com';

const MESSAGES = [{ role: 'user', content: `Write to ${SECRET} today` }];

const emails = (action: 'block' | 'redact' | 'flag'): object => ({
  content_filter_builtins: [{ slug: 'email', action }],
});

describe('sendChatCompletionRequest under a guardrail', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  afterEach(() => jest.restoreAllMocks());

  const guarded = (settings: object): Promise<IssuedCredential> => gateway.guardedKey(organization, settings);

  /** What was sent to the providers since the last reset. */
  const journal = (): string => JSON.stringify([gateway.alpha.received, gateway.beta.received]);

  it.each([
    ['a model that is ignored', { ignored_models: ['acme/writer'] }, 'allowed_models'],
    ['a model that is not allowed', { allowed_models: ['acme/spare'] }, 'allowed_models'],
    ['providers that are ignored', { ignored_providers: ['alpha', 'beta'] }, 'allowed_providers'],
    ['providers that are not allowed', { allowed_providers: ['nobody'] }, 'allowed_providers'],
  ])('answers 404 for %s, asks no provider, and records the guardrail', async (_, settings, excluded) => {
    const key = await guarded(settings);
    const answer = await gateway.ask<ErrorBody>(key);

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      metadata: { reason: 'no_endpoints' },
      availability: { excluded_by: [excluded] },
    });
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
    const { exclusions, ...record } = await gateway.record(answer, key);
    expect(record).toMatchObject({ status: 404, refusal: 'no_endpoints', total_cost: 0 });
    expect(exclusions).toEqual([
      {
        reason: excluded,
        detail: expect.any(String),
        endpoints: 2,
        guardrail_ids: await assignedGuardrails(gateway.app, key),
      },
    ]);
  });

  it('answers 404 for providers that the request alone leaves out, and records no guardrail', async () => {
    const key = await guarded({ ignored_providers: ['nobody'] });
    const answer = await gateway.ask<ErrorBody>(key, { provider: { only: ['somebody'] } });

    expect(answer.status).toBe(404);
    expect(await gateway.record(answer, key)).toMatchObject({
      exclusions: [{ reason: 'allowed_providers', endpoints: 2, guardrail_ids: [] }],
    });
  });

  it('answers 404 under a guardrail that was assigned after the head of the request came, and before the end of its body', async () => {
    const key = await gateway.app.factory.key(organization);
    // From here on the policy without it is known, and need not be read again.
    expect((await gateway.ask(key)).status).toBe(200);
    gateway.reset();
    const begun = await UnfinishedRequest.post(`${gateway.app.origin}/api/v1/chat/completions`, key.plaintext, {
      model: 'acme/writer',
      messages: MESSAGES,
    });
    const { id } = await gateway.app.factory.guardrail(organization, { ignored_models: ['acme/writer'] });
    await gateway.assign(organization, key, id);

    expect((await begun.finish()).status).toBe(404);
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
  });

  it.each([
    ['that keeps nothing', { enforce_zdr_other: true }, 'Alpha Cloud'],
    ['that does not train', { enable_paid_model_training: false }, 'Alpha Cloud'],
    ['that is not ignored', { ignored_providers: ['alpha'] }, 'Beta Cloud'],
    ['that is allowed', { allowed_providers: ['beta'] }, 'Beta Cloud'],
  ])('answers 200 by the provider %s, whatever the request prefers', async (_, settings, name) => {
    const order = name === 'Alpha Cloud' ? ['beta', 'alpha'] : ['alpha', 'beta'];
    const answer = await gateway.ask(await guarded(settings), { provider: { order } });

    expect(answer.status).toBe(200);
    expect(answer.body.provider).toBe(name);
  });

  it('answers 200 by a fallback model only where that is allowed too, else 404', async () => {
    const key = await guarded({ ignored_models: ['acme/spare'] });
    gateway.alpha.answerJson({ error: { message: 'No.' } }, 500);
    gateway.beta.answerJson({ error: { message: 'No.' } }, 500);
    await gateway.ask(key, { models: ['acme/spare'] });
    const models = gateway.beta.received.map(({ body }) => (body as { model: string }).model);

    expect(models).toEqual(['writer']);
    expect((await gateway.ask(key, { model: 'acme/spare' })).status).toBe(404);
  });

  it('answers 403 where the region of the deployment is not allowed, and records whose rule that is, and 200 where it is', async () => {
    const key = await guarded({ allowed_data_regions: ['us'] });
    const answer = await gateway.ask<ErrorBody>(key);
    const ofUs = await gateway.replica({ DATA_REGION: 'us' });
    const allowed = await ofUs.api.post('/chat/completions', {
      key: key.plaintext,
      json: { model: 'acme/writer', messages: MESSAGES },
    });
    await ofUs.stop();

    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({
      metadata: { reason: 'data_region_not_allowed' },
      availability: { code: 'region_restricted', retryable: false, excluded_by: ['data_region'] },
    });
    expect(await gateway.record(answer, key)).toMatchObject({
      refusal: 'data_region_not_allowed',
      refusing_guardrail_ids: await assignedGuardrails(gateway.app, key),
      data_region: 'global',
    });
    expect(allowed.status).toBe(200);
  });

  it('answers 403 for content that a filter blocks, and keeps it nowhere', async () => {
    const key = await guarded(emails('block'));
    const answer = await gateway.ask<ErrorBody>(key, { messages: MESSAGES });

    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toBe('Request blocked by content filter: [EMAIL]');
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
    expect(await gateway.record(answer, key)).toMatchObject({
      status: 403,
      refusal: 'content_blocked',
      guardrail_actions: [{ filter: 'email', action: 'block', count: 1 }],
    });
    await expectNowhere(answer.text);
  });

  it('answers 200 without what a filter redacts, which is nowhere then: not upstream, in records or in logs', async () => {
    const key = await guarded(emails('redact'));
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'mail', arguments: JSON.stringify({ to: SECRET }) },
    };
    const messages = [
      { role: 'system', content: `You are ${SECRET}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: `Sent to ${SECRET}` },
      { role: 'user', content: [{ type: 'text', text: `Again to ${SECRET}` }] },
    ];
    const prediction = { type: 'content', content: `Dear ${SECRET}` };
    const whole = await gateway.ask(key, { messages, prediction });
    const streamed = await gateway.stream(key, { model: 'gatehouse/echo', provider: {}, messages: MESSAGES });

    expect([whole.status, streamed.status]).toEqual([200, 200]);
    expect((gateway.alpha.received[0]!.body as WholeAnswer)['messages']).toEqual([
      { role: 'system', content: 'You are [EMAIL]' },
      { ...messages[1], tool_calls: [{ ...call, function: { name: 'mail', arguments: '{"to":"[EMAIL]"}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sent to [EMAIL]' },
      { role: 'user', content: [{ type: 'text', text: 'Again to [EMAIL]' }] },
    ]);
    expect(await gateway.record(whole, key)).toMatchObject({
      guardrail_actions: [{ filter: 'email', action: 'redact', count: 5 }],
    });
    await expectNowhere(whole.text + streamed.text);
  });

  const expectNowhere = async (answers: string): Promise<void> => {
    const rows = await gateway.app.rows('SELECT to_jsonb(g)::text AS row FROM generations g');
    const places = { answers, journal: journal(), rows: JSON.stringify(rows), logs: gateway.app.logLines.join('') };
    for (const [place, text] of Object.entries(places)) {
      expect({ place, found: text.includes('jane.doe') }).toEqual({ place, found: false });
    }
  };

  it('answers 200 with untouched content that a filter flags, and records it', async () => {
    const key = await guarded(emails('flag'));
    const answer = await gateway.ask(key, { messages: MESSAGES });

    expect(answer.status).toBe(200);
    expect(journal()).toContain(SECRET);
    expect(await gateway.record(answer, key)).toMatchObject({ guardrail_actions: [{ action: 'flag', count: 1 }] });
  });

  it('answers 200, and 404 by the next request on another replica once the guardrail has changed', async () => {
    const guardrail = await gateway.app.factory.guardrail(organization, {});
    const key = await gateway.app.factory.key(organization);
    await gateway.assign(organization, key, guardrail.id);
    const other = await gateway.replica();
    const ask = async (): Promise<number> => {
      const json = { model: 'acme/writer', messages: MESSAGES };
      return (await other.api.post('/chat/completions', { key: key.plaintext, json })).status;
    };
    const change = async (json: object): Promise<void> => {
      await gateway.app.api.patch(`/guardrails/${guardrail.id}`, { key: organization.managementKey, json });
    };

    expect(await ask()).toBe(200);
    await change({ ignored_models: ['acme/writer'] });
    expect(await ask()).toBe(404);
    await change({ ignored_models: null });
    expect(await ask()).toBe(200);
    await other.stop();
  });

  it('answers 404 for one key also where another one lost the guardrail while its policy was read', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, { ignored_models: ['acme/writer'] });
    const [leaving, staying] = [
      await gateway.app.factory.key(organization),
      await gateway.app.factory.key(organization),
    ];
    for (const key of [leaving, staying]) await gateway.assign(organization, key, id);
    const repository = gateway.app.application.get(EffectiveGuardrailsRepository);
    const read = repository.ofKey.bind(repository);
    jest.spyOn(repository, 'ofKey').mockImplementationOnce(async (...whose) => {
      await gateway.app.rows('DELETE FROM guardrail_key_assignments WHERE key_id = $1', [leaving.id]);
      return read(...whose);
    });

    expect((await gateway.ask(leaving)).status).toBe(200);
    expect((await gateway.ask(staying)).status).toBe(404);
  });

  it('answers 200 to many keys under the same guardrail after reading its rules once', async () => {
    const { id } = await gateway.app.factory.guardrail(organization, {});
    const keys = [await gateway.app.factory.key(organization), await gateway.app.factory.key(organization)];
    for (const key of keys) await gateway.assign(organization, key, id);
    const read = jest.spyOn(gateway.app.application.get(EffectiveGuardrailsRepository), 'ofKey');

    for (const key of [...keys, ...keys]) expect((await gateway.ask(key)).status).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
