import type { ProviderAnswer } from '../../support/network/provider-server.js';
import { PROVIDER_KEY } from './test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from './shared-gateway.js';

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
