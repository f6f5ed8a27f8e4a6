import type { EffectiveGuardrailsResponse } from '../../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import type { ProviderAnswer } from '../../../support/network/provider-server.js';
import { PROVIDER_KEY } from '../test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const OWN = 'sk-own-key-of-the-organization';

const FALLBACK = 'sk-own-fallback-of-the-organization';

/** Refuses every request, as a provider does that is overloaded. */
const overloaded: ProviderAnswer = (response) => void response.writeHead(503).end();

describe('sendChatCompletionRequest with own provider keys', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.received.length = 0;
    gateway.beta.received.length = 0;
  });

  const bring = async (provider: string, ownKey: string, fields: object = {}): Promise<string> => {
    const { status, body } = await gateway.app.api.post<{ data: { id: string } }>('/byok', {
      key: organization.managementKey,
      json: { provider, key: ownKey, ...fields },
    });
    expect(status).toBe(201);
    return body.data.id;
  };

  /** Whether a key can reach a model, as its effective guardrails say. */
  const isAvailable = async (model: string, { hash } = key): Promise<boolean> => {
    const path = `/guardrails/effective?key_hash=${hash}`;
    const { body } = await gateway.app.api.get<EffectiveGuardrailsResponse>(path, { key: organization.managementKey });
    return body.data.available_models.includes(model);
  };

  const credentialsAt = (provider: 'alpha' | 'beta'): unknown[] =>
    gateway[provider].received.map(({ headers }) => headers.authorization);

  it('answers 200 with the own key before the credential of the deployment, also for a dearer provider', async () => {
    await bring('beta', OWN);

    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ provider: 'Beta Cloud', usage: { is_byok: true } });
    expect(credentialsAt('beta')).toEqual([`Bearer ${OWN}`]);
    expect(credentialsAt('alpha')).toEqual([]);
    // 10 and 5 tokens of Beta.
    const charged = { total_cost: 0.00005, upstream_inference_cost: 0.00005 };
    expect(await gateway.record(answer, key)).toMatchObject({ is_byok: true, ...charged });
  });

  it('answers 200 with the credential of the deployment when the own key fails, and with a fallback key last', async () => {
    await bring('alpha', OWN);
    await bring('beta', FALLBACK, { is_fallback: true });
    gateway.alpha.answerWith(overloaded);
    let asked = 0;
    gateway.beta.answerWith((response) => {
      asked += 1;
      const body = {
        id: 'x',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      };
      if (asked === 1) response.writeHead(503).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });

    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(credentialsAt('alpha')[0]).toBe(`Bearer ${OWN}`);
    expect(credentialsAt('alpha')).toHaveLength(2);
    expect(credentialsAt('beta').at(-1)).toBe(`Bearer ${FALLBACK}`);
    expect(credentialsAt('beta')).toHaveLength(2);
  });

  it('answers 200 without an own key that is disabled, from the next request on', async () => {
    const id = await bring('beta', OWN);
    expect((await gateway.ask(key)).body.provider).toBe('Beta Cloud');
    const { status } = await gateway.app.api.patch(`/byok/${id}`, {
      key: organization.managementKey,
      json: { disabled: true },
    });
    expect(status).toBe(200);

    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ provider: 'Alpha Cloud', usage: { is_byok: false } });
  });

  it('answers 200 without the key of another organization', async () => {
    await bring('beta', OWN);
    const other = await gateway.app.factory.key(await gateway.app.factory.organization());

    const answer = await gateway.ask(other);

    expect(answer.status).toBe(200);
    expect(answer.body.provider).toBe('Alpha Cloud');
    expect([...credentialsAt('alpha'), ...credentialsAt('beta')]).not.toContain(`Bearer ${OWN}`);
  });

  it('answers 200 without the key of another workspace, also where its own has one that fails', async () => {
    const workspaceId = await gateway.app.factory.workspace(organization);
    await bring('beta', OWN);
    await bring('alpha', FALLBACK, { workspace_id: workspaceId });
    gateway.alpha.answerWith(overloaded);
    const other = await gateway.app.factory.key(organization, { workspaceId });

    const answer = await gateway.ask(other);

    expect(answer.status).toBe(200);
    expect(credentialsAt('alpha')).toEqual([`Bearer ${FALLBACK}`, `Bearer ${PROVIDER_KEY}`]);
    expect(credentialsAt('beta')).toEqual([`Bearer ${PROVIDER_KEY}`]);
  });

  it('answers 503 without the credential of the deployment where a key is required for the model, and 200 for another model', async () => {
    await bring('beta', OWN, { is_required: true, allowed_models: ['acme/writer'] });
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerWith(overloaded);

    expect((await gateway.ask(key)).status).toBe(503);
    expect(credentialsAt('beta')).toEqual([`Bearer ${OWN}`]);
    expect(credentialsAt('alpha')).toEqual([`Bearer ${PROVIDER_KEY}`]);

    gateway.reset();
    expect((await gateway.ask(key, { model: 'acme/spare' })).status).toBe(200);
    expect(credentialsAt('beta').at(-1)).toBe(`Bearer ${PROVIDER_KEY}`);
  });

  it('answers 404 for a model that no key is for where a key is the only way to its provider', async () => {
    const id = await bring('beta', OWN, { is_byok_only: true, allowed_models: ['acme/writer'] });

    const answer = await gateway.ask<ErrorBody>(key, { model: 'acme/spare' });

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({ availability: { excluded_by: ['byok_only'] } });
    expect(answer.body.error.message).toContain(
      "the organization's own keys for the provider forbid other credentials",
    );
    expect(await isAvailable('acme/spare')).toBe(false);
    expect((await gateway.ask(key)).body).toMatchObject({ provider: 'Beta Cloud', usage: { is_byok: true } });
    expect(credentialsAt('beta')).toEqual([`Bearer ${OWN}`]);

    await gateway.app.api.patch(`/byok/${id}`, { key: organization.managementKey, json: { disabled: true } });
    expect((await gateway.ask(key, { model: 'acme/spare' })).status).toBe(200);
    expect(await isAvailable('acme/spare')).toBe(true);
  });

  it('answers 200 with the credential of the deployment to API keys that no rule of an own key is for', async () => {
    const other = await gateway.app.factory.key(organization);
    await bring('beta', OWN, { is_byok_only: true, allowed_api_key_hashes: [other.hash] });

    expect((await gateway.ask(key, { model: 'acme/spare' })).body).toMatchObject({ usage: { is_byok: false } });
    expect((await gateway.ask(other, { model: 'acme/spare' })).body).toMatchObject({ usage: { is_byok: true } });
  });

  it('answers 404 where a key that is the only way cannot be read', async () => {
    const id = await bring('beta', OWN, { is_byok_only: true });
    await gateway.app.rows("UPDATE provider_keys SET encrypted_key = '\\x00' WHERE id = $1", [id]);

    const answer = await gateway.ask<ErrorBody>(key, { model: 'acme/spare' });

    expect(answer.status).toBe(404);
    expect(credentialsAt('beta')).toEqual([]);
  });

  it.each([
    ['demanded by the request', {}, { provider: { zdr: true } }],
    ['demanded by a guardrail', { enforce_zdr_other: true }, {}],
  ] as const)(
    'answers 200 by what an own key declares of zero data retention, where that is %s, and 503 if it fails',
    async (_, rules, fields) => {
      const asked = { model: 'acme/spare', ...fields };
      const caller = Object.keys(rules).length === 0 ? key : await gateway.guardedKey(organization, rules);
      const id = await bring('beta', OWN);
      const declare = async (declared_zdr: boolean | null): Promise<number> => {
        await gateway.app.api.patch(`/byok/${id}`, { key: organization.managementKey, json: { declared_zdr } });
        const { status } = await gateway.ask(caller, asked);
        if (caller !== key) expect(await isAvailable('acme/spare', caller)).toBe(status === 200);
        return status;
      };

      // The endpoint of Beta retains data, that of Alpha does not.
      expect(await declare(null)).toBe(404);
      expect(await declare(false)).toBe(404);
      expect(await declare(true)).toBe(200);
      expect(credentialsAt('beta')).toEqual([`Bearer ${OWN}`]);

      gateway.beta.received.length = 0;
      gateway.beta.answerWith(overloaded);
      // The credential of the deployment, which retains data, is no fallback for the key.
      expect((await gateway.ask(caller, asked)).status).toBe(503);
      expect(credentialsAt('beta')).toEqual([`Bearer ${OWN}`]);

      await bring('alpha', FALLBACK, { declared_zdr: false });
      expect((await gateway.ask(caller, { ...fields, provider: { zdr: true, only: ['alpha'] } })).status).toBe(200);
      expect(credentialsAt('alpha')).toEqual([`Bearer ${PROVIDER_KEY}`]);
    },
  );

  it('answers 200 and counts the cost as spent with an own key, not with credits', async () => {
    await bring('beta', OWN);
    const answer = await gateway.ask(key);

    const { status, body } = await gateway.app.api.get<{ data: { usage: number; byok_usage: number } }>('/key', {
      key: key.plaintext,
    });

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ usage: 0, byok_usage: answer.body.usage.cost });
    expect(answer.body.usage.cost).toBeGreaterThan(0);
  });
});
