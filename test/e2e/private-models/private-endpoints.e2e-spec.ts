import type { PrivateEndpoint } from '../../../src/modules/private-models/dto/private-endpoint.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { ProviderAnswer } from '../../support/network/provider-server.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
  PRIVATE_PRICING,
  validated,
} from '../../support/resources/private-models.js';
import { answerAsAsked } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const SECRET = 'sk-own-server-SECRET-0123456789';

const MODEL = 'acme/unconnected';

describe('private endpoints', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  beforeEach(() => server.answerWith(answerAsAsked));
  afterAll(() => server.stop());

  /** A draft of a model that no other provider serves, with a key for its server. */
  const draft = async (fields: Readonly<Record<string, unknown>> = {}): Promise<{ id: string; slug: string }> => {
    const { slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl });
    await newKeyForOwnProvider(gateway.app, organization, slug, SECRET);
    const names = { model_permaslug: MODEL, upstream_model_id: 'llama-70b' };
    return { slug, id: (await newPrivateEndpoint(gateway.app, organization, slug, { ...names, ...fields })).id };
  };

  const change = <Body = { data: PrivateEndpoint }>(id: string, verb: string) =>
    gateway.app.api.post<Body>(`/private-endpoints/${id}/${verb}`, { key: organization.managementKey });

  const active = async (): Promise<{ id: string; slug: string }> => {
    const made = await draft();
    expect(await validated(gateway.app, organization, made.id)).toMatchObject({ passed: true });
    expect((await change(made.id, 'activate')).status).toBe(200);
    server.received.length = 0;
    return made;
  };

  const askAs = async (of = organization) =>
    gateway.ask(await gateway.app.factory.key(of), { model: MODEL, provider: null });

  it('answer 200 from validation over activation to a chat at the own server, on every replica, and to no other organization', async () => {
    const { id, slug } = await draft();
    expect((await askAs()).status).toBe(404);

    expect(await validated(gateway.app, organization, id)).toEqual({
      passed: true,
      checks: ['model', 'base_url', 'key', 'completion', 'stream'].map((name) => ({ name, passed: true })),
    });
    const activated = await change(id, 'activate');

    expect(activated.status).toBe(200);
    expect(activated.body.data).toMatchObject({ id, status: 'active', model_slug: MODEL });
    const key = await gateway.app.factory.key(organization);
    server.received.length = 0;
    const answer = await gateway.ask(key, { model: MODEL, provider: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ model: MODEL, usage: { is_byok: true } });
    expect(server.received).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: `Bearer ${SECRET}` }, body: { model: 'llama-70b' } },
    ]);
    // 10 and 5 tokens.
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({ is_byok: true, total_cost: 0.00005, provider_name: answer.body.provider });

    const replica = await gateway.replica();
    const streamed = await replica.api.post('/chat/completions', {
      key: key.plaintext,
      json: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], provider: { only: [slug] } },
    });
    expect(streamed.status).toBe(200);
    expect((await change(id, 'disable')).status).toBe(200);
    const gone = await replica.api.post('/chat/completions', {
      key: key.plaintext,
      json: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(gone.status).toBe(404);
    expect((await change(id, 'enable')).status).toBe(200);

    // A validation that fails while it is active says nothing of what it was activated with.
    server.answerWith((response) => void response.writeHead(500).end());
    expect((await validated(gateway.app, organization, id)).passed).toBe(false);
    server.answerWith(answerAsAsked);
    expect((await change(id, 'disable')).status).toBe(200);
    expect((await change(id, 'enable')).status).toBe(200);

    const others = await gateway.app.factory.organization();
    await newKeyForOwnProvider(gateway.app, others, 'alpha', SECRET);
    expect((await askAs(others)).status).toBe(404);
    const seen = await gateway.app.api.get(`/private-endpoints/${id}`, { key: others.managementKey });
    expect(seen.status).toBe(404);
    const list = await gateway.app.api.get<{ data: unknown[] }>('/private-endpoints', { key: others.managementKey });
    expect([list.status, list.body.data]).toEqual([200, []]);
  });

  it('answer 200 with the reason that a check failed, and 409 to an activation then', async () => {
    const { id } = await draft();
    const failing = async (answer: ProviderAnswer): Promise<unknown> => {
      server.answerWith(answer);
      const { passed, checks } = await validated(gateway.app, organization, id);
      expect(passed).toBe(false);
      return checks.at(-1);
    };
    const json =
      (document: object): ProviderAnswer =>
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));

    expect(
      await failing(
        (response) =>
          void response
            .writeHead(401, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: { message: `Incorrect key ${SECRET}` } })),
      ),
    ).toEqual({
      name: 'completion',
      passed: false,
      reason: 'upstream_error',
      upstream_status: 401,
      upstream_message: expect.not.stringContaining(SECRET),
    });
    expect(await failing(json({ no: 'answer' }))).toMatchObject({ name: 'completion', reason: 'invalid_response' });
    const choices = [{ index: 0, message: { role: 'assistant', content: 'OK' }, finish_reason: 'stop' }];
    expect(await failing(json({ id: 'x', choices }))).toMatchObject({ name: 'completion', reason: 'missing_usage' });
    expect(
      await failing((response, request) => {
        const isStreamed = (request.body as { stream?: boolean }).stream === true;
        if (!isStreamed) return answerAsAsked(response, request);
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices":[]}\n\n');
      }),
    ).toMatchObject({ name: 'stream', reason: 'invalid_stream' });
    const refused = await change<ErrorBody>(id, 'activate');
    expect([refused.status, refused.body.error.metadata?.reason]).toEqual([409, 'not_validated']);

    server.answerWith(answerAsAsked);
    expect(await validated(gateway.app, organization, id)).toMatchObject({ passed: true });
    server.answerWith((response) => void response.writeHead(503).end());
    const away = await change<ErrorBody>(id, 'activate');
    expect([away.status, away.body.error.metadata]).toMatchObject([
      409,
      { reason: 'private_endpoint_check_failed', validation: { passed: false } },
    ]);
    server.answerWith(answerAsAsked);
    const renamed = await gateway.app.api.patch(`/private-endpoints/${id}`, {
      key: organization.managementKey,
      json: { upstream_model_id: 'llama-8b' },
    });
    expect(renamed.status).toBe(200);
    const stale = await change<ErrorBody>(id, 'activate');
    expect([stale.status, stale.body.error.metadata?.reason]).toEqual([409, 'validation_stale']);
    const logged = gateway.app.logLines.join('\n');
    expect(logged).not.toContain(SECRET);
  });

  it('answer 409 to activation without prices, and 200 with prices of zero that were given', async () => {
    const { id } = await draft({ pricing: undefined });
    expect(await validated(gateway.app, organization, id)).toMatchObject({ passed: true });
    const refused = await change<ErrorBody>(id, 'activate');
    expect([refused.status, refused.body.error.metadata?.reason]).toEqual([409, 'private_endpoint_without_prices']);

    const priced = await gateway.app.api.patch(`/private-endpoints/${id}`, {
      key: organization.managementKey,
      json: { pricing: { prompt: '0', completion: '0' } },
    });
    expect(priced.status).toBe(200);
    expect((await change(id, 'activate')).status).toBe(200);
    const answer = await askAs();
    expect([answer.status, answer.body.usage.cost]).toEqual([200, 0]);
  });

  it('answer 409 to a new address while provider keys are there, and to changes of what was validated while active, and 200 once that is over', async () => {
    const { id, slug } = await active();
    const elsewhere = await ProviderServer.start();
    const patch = (path: string, json: object) =>
      gateway.app.api.patch<ErrorBody>(path, { key: organization.managementKey, json });
    const reasonOf = ({ status, body }: { status: number; body: ErrorBody }): unknown => [
      status,
      body.error.metadata?.reason,
    ];

    expect(reasonOf(await patch(`/private-providers/${slug}`, { base_url: elsewhere.baseUrl }))).toEqual([
      409,
      'private_endpoint_active',
    ]);
    expect(reasonOf(await patch(`/private-endpoints/${id}`, { upstream_model_id: 'other' }))).toEqual([
      409,
      'private_endpoint_active',
    ]);
    expect((await change(id, 'disable')).status).toBe(200);
    expect(reasonOf(await patch(`/private-providers/${slug}`, { base_url: elsewhere.baseUrl }))).toEqual([
      409,
      'keys_of_other_address',
    ]);
    expect(reasonOf(await patch(`/private-endpoints/${id}`, { base_url: elsewhere.baseUrl }))).toEqual([
      409,
      'keys_of_other_address',
    ]);
    const made = await gateway.app.api.post<ErrorBody>('/private-endpoints', {
      key: organization.managementKey,
      json: { model_permaslug: MODEL, provider_slug: slug, upstream_model_id: 'x', base_url: elsewhere.baseUrl },
    });
    expect(reasonOf(made)).toEqual([409, 'keys_of_other_address']);
    expect((await patch(`/private-providers/${slug}`, { base_url: `${server.baseUrl}/other` })).status).toBe(200);
    expect(elsewhere.received).toEqual([]);
    await elsewhere.stop();
  });

  it('answer 201 active when created with activate, and 409 with the draft and its checks where one fails', async () => {
    const { slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl });
    const json = {
      model_permaslug: MODEL,
      provider_slug: slug,
      upstream_model_id: 'llama-70b',
      pricing: PRIVATE_PRICING,
      activate: { workspace_id: organization.workspaceId },
    };
    const post = () => gateway.app.api.post<ErrorBody>('/private-endpoints', { key: organization.managementKey, json });

    const keyless = await post();
    expect([keyless.status, keyless.body.error.metadata]).toMatchObject([
      409,
      {
        reason: 'private_endpoint_check_failed',
        validation: { passed: false, checks: [{}, {}, { name: 'key', reason: 'no_byok_key' }] },
        endpoint: { status: 'draft' },
      },
    ]);
    await newKeyForOwnProvider(gateway.app, organization, slug, SECRET);
    const made = await post();
    expect([made.status, made.body]).toMatchObject([201, { data: { status: 'active' } }]);
  });

  it('answer 201 to one of the providers that are created with the same name at the same time, and 409 to the others', async () => {
    const json = { name: 'Same servers', base_url: server.baseUrl };
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        gateway.app.api.post<ErrorBody>('/private-providers', { key: organization.managementKey, json }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const reasons = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.metadata?.reason);
    expect(new Set(reasons)).toEqual(new Set(['private_provider_exists']));
    const { organizationId } = organization;
    const events = await gateway.app.rows(
      `SELECT FROM audit_events WHERE organization_id = $1 AND action = 'private_provider.create'`,
      [organizationId],
    );
    expect(events).toHaveLength(1);
  });

  it.each(['/chat/completions', '/responses', '/messages', '/embeddings'])(
    'answer 400 to an address that ends with %s, and say that it is left out',
    async (path) => {
      const key = organization.managementKey;
      const { slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl });
      const base_url = `${server.baseUrl}${path}`;
      const endpoint = { model_permaslug: MODEL, provider_slug: slug, upstream_model_id: 'x' };
      const { body: made } = await gateway.app.api.post<{ data: { id: string } }>('/private-endpoints', {
        key,
        json: endpoint,
      });
      const answers = [
        await gateway.app.api.post<ErrorBody>('/private-providers', { key, json: { name: 'Whole', base_url } }),
        await gateway.app.api.patch<ErrorBody>(`/private-providers/${slug}`, {
          key,
          json: { base_url: `${base_url}/` },
        }),
        await gateway.app.api.post<ErrorBody>('/private-endpoints', { key, json: { ...endpoint, base_url } }),
        await gateway.app.api.patch<ErrorBody>(`/private-endpoints/${made.data.id}`, { key, json: { base_url } }),
      ];

      for (const { status, body, text } of answers) {
        expect([status, body.error.metadata?.reason]).toEqual([400, 'address_not_allowed']);
        expect(text).toContain(`must end where ${path} begins`);
      }
    },
  );

  it('answer 400 to a private address where the deployment allows none, 200 with a failed check, and 503 to a chat that would go there', async () => {
    const { id, slug } = await active();
    const replica = await gateway.replica({ ALLOW_PRIVATE_UPSTREAMS: 'false' });
    const key = organization.managementKey;
    const moved = { key, json: { base_url: 'http://127.0.0.1:1/v1' } };
    const { plaintext } = await gateway.app.factory.key(organization);

    const made = await replica.api.post<ErrorBody>('/private-providers', {
      key,
      json: { name: 'Inner servers', base_url: server.baseUrl },
    });
    expect([made.status, made.body.error.metadata?.reason]).toEqual([400, 'address_not_allowed']);
    expect((await replica.api.patch(`/private-providers/${slug}`, moved)).status).toBe(400);
    expect(await validated(replica, organization, id)).toMatchObject({
      passed: false,
      checks: [{}, { name: 'base_url', reason: 'invalid_base_url' }],
    });
    const asked = await replica.api.post('/chat/completions', {
      key: plaintext,
      json: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(asked.status).toBe(503);
    expect(asked.text).not.toContain('127.0.0.1');
    expect(server.received).toEqual([]);
  });

  it('answer 200 and 404 as guardrails, lists and provider preferences say, which name the own provider', async () => {
    const { slug } = await active();
    const allowing = await gateway.guardedKey(organization, { allowed_providers: [slug] });
    const ignoring = await gateway.guardedKey(organization, { ignored_providers: [slug] });
    const plain = await gateway.app.factory.key(organization);

    expect((await gateway.ask(allowing, { model: MODEL, provider: null })).status).toBe(200);
    expect((await gateway.ask(ignoring, { model: MODEL, provider: null })).status).toBe(404);
    expect((await gateway.ask(plain, { model: MODEL, provider: { ignore: [slug] } })).status).toBe(404);
    expect((await gateway.ask(plain, { model: MODEL, provider: { zdr: true } })).status).toBe(404);
    const models = async ({ plaintext: key }: { plaintext: string }): Promise<string[]> => {
      const { body } = await gateway.app.api.get<{ data: { id: string }[] }>('/models/user', { key });
      return body.data.map(({ id }) => id);
    };
    expect(await models(allowing)).toEqual([MODEL]);
    const { body } = await gateway.app.api.get<{ data: { available_models: string[] } }>(
      `/guardrails/effective?key_hash=${plain.hash}`,
      { key: organization.managementKey },
    );
    expect(body.data.available_models).toContain(MODEL);
    const others = await gateway.app.factory.organization();
    const { status } = await gateway.app.api.post('/guardrails', {
      key: others.managementKey,
      json: { name: 'Foreign', allowed_providers: [slug] },
    });
    expect(status).toBe(400);
  });
});
