import { ProviderConnections } from '../../../src/modules/providers/connections/provider-connections.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { ConnectedProvider } from '../../../src/modules/providers/operator-connections/operator-connections.dto.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import { type ProviderAnswer, ProviderServer } from '../../support/network/provider-server.js';
import { operatorKey } from '../../support/resources/provider-connections.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { Browser, type BrowserAnswer } from '../sign-in/browser.js';
import { signedInBrowser } from '../sign-in/signed-in.js';

const STORED_KEY = 'sk-stored-LOOK-FOR-ME-0123';
const NEW_KEY = 'sk-given-LOOK-FOR-ME-4567';
const PROVIDER = 'inferact-vllm';
const MODEL = 'openai/gpt-5.4';
const CHAT = {
  id: 'one',
  object: 'chat.completion',
  created: 1,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};
const ENTRA = { preset: 'azure-openai', resource: 'acme', credential: 'entra-client-secret', api_key: NEW_KEY };

/** A server of models that accepts one key, and repeats another one in its refusal. */
const accepting =
  (key: string): ProviderAnswer =>
  (response, { headers, method }) => {
    const shown = headers.authorization ?? '';
    const isAccepted = shown === `Bearer ${key}`;
    const body = isAccepted
      ? method === 'GET'
        ? { data: [] }
        : CHAT
      : { error: { message: `no such key: ${shown}` } };
    response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

describe('the connections of the deployment', () => {
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
  });

  afterAll(() => server.stop());

  const app = sharedApplication();
  const replica = sharedReplica(app, { PROVIDER_GROQ_API_KEY: 'gsk-of-the-environment-0123' });
  const organization = organizationPerTest(app);
  let key: string;

  beforeAll(() => app.factory.starterCatalog());

  beforeEach(async () => {
    key = await operatorKey(app, organization);
    Object.assign(replica.environment, { operatorOrganizationId: organization.organizationId });
    server.answerWith(accepting(NEW_KEY));
  });

  afterEach(() => app.rows('DELETE FROM provider_connections'));

  const put = (json: object, provider = PROVIDER, through = app): Promise<Answer<{ data: ConnectedProvider }>> =>
    through.api.send('PUT', `/provider-connections/${provider}`, { key, json });

  /** As the command line does, which may name any address. */
  const stored = async (fields: object = {}): Promise<void> => {
    const request = { provider: PROVIDER, baseUrl: server.baseUrl, apiKey: STORED_KEY, timeouts: {}, models: {} };
    await app.application.get(ConnectionsService).connect({ ...request, ...fields });
  };

  const ask = async (): Promise<Answer> => {
    const { plaintext } = await app.factory.key(organization);
    const messages = [{ role: 'user', content: 'Hi' }];
    return app.api.post('/chat/completions', {
      key: plaintext,
      json: { model: MODEL, messages, provider: { only: [PROVIDER] } },
    });
  };

  const issueOf = async (json: object, provider?: string): Promise<unknown> => {
    const { status, body } = (await put(json, provider)) as Answer;
    const { metadata } = (body as { error: { metadata: { reason?: string; issues?: { path: string }[] } } }).error;
    return [status, metadata.reason, metadata.issues?.map(({ path }) => path)];
  };

  const REQUESTS = [
    ['GET', '/provider-connections', undefined],
    ['PUT', `/provider-connections/${PROVIDER}`, { api_key: NEW_KEY }],
    ['POST', '/provider-connections/gatehouse/test', undefined],
    ['DELETE', `/provider-connections/${PROVIDER}`, undefined],
  ] as const;

  describe('are not there', () => {
    it.each(REQUESTS)(
      'while no organization is the operator: %s %s answers 404 to every key, and to none',
      async (method, path, json) => {
        Object.assign(app.environment, { operatorOrganizationId: undefined });
        for (const credential of [key, organization.managementKey, undefined]) {
          const answer = await app.api.send(method, path, {
            ...(credential && { key: credential }),
            ...(json && { json }),
          });
          expectRefusal(answer, { status: 404, reason: 'route_not_found' });
        }
      },
    );

    it.each(REQUESTS)(
      'for another organization, whatever its scopes: %s %s answers 404',
      async (method, path, json) => {
        const other = await app.factory.organization();
        const theirs = await operatorKey(app, other);
        await operatorKey(app, organization);
        const answer = await app.api.send(method, path, { key: theirs, ...(json && { json }) });
        expectRefusal(answer, { status: 404, reason: 'route_not_found', userId: other.userId });
      },
    );
  });

  describe('are refused with 403', () => {
    const keyWith = async (scopes: null | 'providers_read'[] | 'providers_write'[], userId = organization.userId) =>
      (await app.factory.key(organization, { kind: 'management_key', scopes, userId })).plaintext;

    it.each(REQUESTS)(
      'to a key that nothing restricts, and to the key of a member: %s %s',
      async (method, path, json) => {
        const memberId = await app.factory.member(organization.organizationId);
        const required = [method === 'GET' ? 'providers_read' : 'providers_write'];
        for (const refused of [organization.managementKey, await keyWith(['providers_write'], memberId)]) {
          const answer = await app.api.send(method, path, { key: refused, ...(json && { json }) });
          expect([answer.status, answer.body]).toMatchObject([403, { error: { metadata: { required } } }]);
        }
      },
    );

    it('to a key that may only read, which lists them with 200', async () => {
      const reading = await keyWith(['providers_read']);
      expect((await app.api.get('/provider-connections', { key: reading })).status).toBe(200);
      expect((await app.api.post('/provider-connections/gatehouse/test', { key: reading })).status).toBe(403);
    });
  });

  describe('are managed in the console', () => {
    const inConsole = (
      browser: Browser,
      path: string,
      headers: Readonly<Record<string, string>> = {},
      method: 'GET' | 'PUT' = 'GET',
    ): Promise<BrowserAnswer> =>
      browser.send(`${app.origin}/console/api/v1${path}`, {
        method,
        headers,
        ...(method === 'PUT' && { json: { api_key: NEW_KEY } }),
      });

    it('with a session and the key of the operator: 200; with one of them, or from elsewhere, 401 and 403', async () => {
      const browser = await signedInBrowser(app, organization);
      const shown = { authorization: `Bearer ${key}` };
      const statuses = await Promise.all([
        inConsole(browser, '/provider-connections', shown),
        inConsole(browser, '/provider-connections/openai', { ...shown, 'sec-fetch-site': 'cross-site' }, 'PUT'),
        inConsole(browser, '/provider-connections/openai', {}, 'PUT'),
        inConsole(new Browser(), '/provider-connections', shown),
        inConsole(browser, '/provider-connections', { authorization: `Bearer ${organization.managementKey}` }),
        inConsole(browser, '/provider-connections', { authorization: 'Bearer mk-no-such-key' }),
      ]).then((answers) => answers.map(({ status }) => status));
      expect(statuses).toEqual([200, 403, 403, 401, 403, 401]);
      expect(await app.rows('SELECT provider FROM provider_connections')).toEqual([]);
    });

    it('alone: a key beside the cookie of another operation is not looked at, which answers 200 and 403 for the person', async () => {
      const memberId = await app.factory.member(organization.organizationId);
      const browser = await signedInBrowser(app, { ...organization, userId: memberId });
      const shown = { authorization: `Bearer ${organization.managementKey}` };
      const { status, text } = await inConsole(browser, '/session', shown);
      expect([status, JSON.parse(text)]).toMatchObject([200, { data: { user: { id: memberId } } }]);
      expect((await inConsole(browser, '/organization/members', shown)).status).toBe(403);
    });
  });

  describe('have scopes that no other key can give', () => {
    const own = (): string => organization.managementKey;

    it('in a creation: 403, and 201 with a key that has them with all others', async () => {
      const json = { name: 'Operator', scopes: ['providers_write'] };
      const refused = await app.api.post('/management-keys', { key: own(), json });
      const detail = { required: ['providers_write'] };
      expectRefusal(refused, { status: 403, reason: 'permission_missing', detail, userId: organization.userId });

      const { body } = await app.api.get<{ data: { permissions: string[] } }>('/key', { key: own() });
      const scopes = [...body.data.permissions, 'providers_write'] as 'providers_write'[];
      expect(body.data.permissions).not.toContain('providers_write');
      const all = await app.factory.key(organization, { kind: 'management_key', scopes });
      expect((await app.api.post('/management-keys', { key: all.plaintext, json })).status).toBe(201);
    });

    it('in a change: 403, of a key that nothing restricts too', async () => {
      const unrestricted = await app.factory.key(organization, { kind: 'management_key' });
      const path = `/management-keys/${unrestricted.hash}`;
      const json = { scopes: ['keys_read', 'providers_read'] };
      const answer = await app.api.send('PATCH', path, { key: own(), json });
      const detail = { added: ['providers_read'] };
      const reason = 'management_key_scopes_only_narrowed';
      expectRefusal(answer, { status: 403, reason, detail, userId: organization.userId });
    });

    it('by another secret of a key that has them, or a change of it: 403; its deletion is a 200', async () => {
      const { hash } = await app.factory.key(organization, { kind: 'management_key', scopes: ['providers_write'] });
      const path = `/management-keys/${hash}`;
      for (const [method, target, json] of [
        ['POST', `${path}/rotate`, {}],
        ['PATCH', path, { name: 'Mine' }],
        ['PATCH', `/keys/${hash}`, { disabled: true }],
      ] as const) {
        expect((await app.api.send(method, target, { key: own(), json })).status).toBe(403);
      }
      expect((await app.api.send('DELETE', path, { key: own() })).status).toBe(200);
      const second = await app.factory.key(organization, { kind: 'management_key', scopes: ['providers_write'] });
      expect((await app.api.send('DELETE', `/keys/${second.hash}`, { key: own() })).status).toBe(200);
    });
  });

  describe('when a provider is connected', () => {
    it('replace the key of an address that the command line has set, are tried and answer requests with 200', async () => {
      await stored({ models: { [MODEL]: 'gpt' } });

      const { status, body } = await put({
        base_url: server.baseUrl,
        api_key: NEW_KEY,
        models: [{ model: MODEL, upstream_model_id: 'gpt-upstream' }],
        timeouts: { first_event: 1_000 },
        capabilities: { developer_role: true },
      });

      expect(status).toBe(200);
      expect(body.data).toEqual({
        provider: PROVIDER,
        protocol: 'openai',
        base_url: server.baseUrl,
        preset: null,
        credential: null,
        api_key: expect.stringMatching(/^sk-g.*4567$/),
        sources: ['database'],
        usable: true,
        models: [{ model: expect.stringMatching(/^openai\/gpt-5\.4-\d{8}$/), upstream_model_id: 'gpt-upstream' }],
        timeouts: { connect: 5_000, headers: 300_000, first_event: 1_000, gap: 120_000 },
        capabilities: { developer_role: true },
        provider_added: false,
        served_models: expect.arrayContaining([MODEL]),
        endpoints_added: [],
        added_prices: [],
        unnamed_models: [],
        test: {
          outcome: 'answered',
          accepted: true,
          url: `${server.baseUrl}/models`,
          status: 200,
          duration_ms: expect.any(Number),
          problem: null,
        },
      });
      expect((await ask()).status).toBe(200);
      expect(server.received.at(-1)).toMatchObject({
        headers: { authorization: `Bearer ${NEW_KEY}` },
        body: { model: 'gpt-upstream' },
      });
    });

    it('keep the stored key where the request has none, and say with 200 that it is refused with 401, without the key', async () => {
      await stored();

      const { status, body } = await put({ base_url: server.baseUrl });

      expect([status, body.data.test]).toEqual([
        200,
        {
          outcome: 'answered',
          accepted: false,
          url: `${server.baseUrl}/models`,
          status: 401,
          duration_ms: expect.any(Number),
          problem: expect.stringMatching(/^inferact-vllm answers 401 at http.*\/models: no such key: Bearer /),
        },
      ]);
      expect(server.received.at(-1)!.headers.authorization).toBe(`Bearer ${STORED_KEY}`);
      expect(JSON.stringify(body)).not.toContain(STORED_KEY);
    });

    it('demand the key again for another address, protocol or credential: 400, else 200', async () => {
      await stored({ baseUrl: 'https://models.example.com/v1' });
      const required = [400, 'credential_required', ['api_key']];
      const now = { base_url: 'https://models.example.com/v1' };
      expect(await issueOf({ base_url: 'https://models.example.com/v2' })).toEqual(required);
      expect(await issueOf({ base_url: 'https://elsewhere.example.com/v1' })).toEqual(required);
      expect(await issueOf({ ...now, protocol: 'anthropic' })).toEqual(required);
      expect(await issueOf({ preset: 'azure-openai', resource: 'acme' })).toEqual(required);
      expect(await issueOf({ preset: 'vertex', project: 'acme', location: 'global' })).toEqual(required);
      expect((await put({ ...now, timeouts: { gap: 1 } })).status).toBe(200);
    });

    it.each([
      'http://models.example.com/v1',
      'https://127.0.0.1/v1',
      'https://10.0.0.1/v1',
      'https://169.254.169.254/v1',
      'https://[::1]/v1',
      'https://[::ffff:10.0.0.1]/v1',
      'https://localhost/v1',
    ])('do not get a private address, or http, which is a 400: %s', async (base_url) => {
      expect(await issueOf({ base_url, api_key: NEW_KEY })).toEqual([400, 'address_not_allowed', ['base_url']]);
      expect(await app.rows('SELECT provider FROM provider_connections')).toEqual([]);
    });

    it.each<[string, object, string, string]>([
      ['a new provider without an address', { api_key: NEW_KEY }, 'base_url', 'my-own'],
      ['a well-known one without a key', {}, 'api_key', 'openai'],
      ['no key for it', { api_key: null }, 'api_key', 'openai'],
      ['a preset without its settings', { preset: 'azure-openai', api_key: NEW_KEY }, 'resource', PROVIDER],
      ['settings of another form', { preset: 'bedrock', region: 'A/B', api_key: NEW_KEY }, 'region', PROVIDER],
      ['a preset and a protocol', { preset: 'bedrock', region: 'eu-west-1', protocol: 'openai' }, 'protocol', PROVIDER],
      ['a credential without a preset', { credential: 'aws-keys', api_key: '{}' }, 'credential', 'openai'],
      [
        'a document of another form',
        { preset: 'vertex', project: 'acme', location: 'eu', api_key: '{}' },
        'api_key',
        PROVIDER,
      ],
      ['no tenant of an application', { ...ENTRA, client_id: 'one' }, 'tenant_id', PROVIDER],
      ['no application of a tenant', { ...ENTRA, tenant_id: 'acme' }, 'client_id', PROVIDER],
      ['a key with a space', { api_key: 'sk-with a space' }, 'api_key', 'openai'],
      [
        'an unknown model',
        { api_key: NEW_KEY, models: [{ model: 'no/body', upstream_model_id: 'x' }] },
        'models',
        'openai',
      ],
      [
        'an address with a query',
        { base_url: 'https://models.example.com/v1?a=b', api_key: NEW_KEY },
        'base_url',
        PROVIDER,
      ],
      ['the builtin provider', { base_url: 'https://models.example.com/v1' }, 'provider', 'gatehouse'],
    ])('refuse %s with 400, and change nothing', async (_, json, path, provider) => {
      expect(await issueOf(json, provider)).toEqual([400, 'invalid_connection', [path]]);
      expect(await app.rows('SELECT provider FROM provider_connections')).toEqual([]);
    });

    it.each([
      'aws-instance',
      'aws-container',
      'aws-web-identity',
      'google-metadata',
      'google-federation',
      'entra-managed-identity',
      'entra-federated',
    ])('refuse %s with 400, because it is an identity of the machine', async (credential) => {
      const json = { preset: 'bedrock', region: 'eu-west-1', credential };
      expect(await issueOf(json)).toEqual([400, 'invalid_parameters', ['credential']]);
    });

    it('refuse a model that is named twice with 400', async () => {
      const models = [MODEL, MODEL].map((model) => ({ model, upstream_model_id: 'x' }));
      expect(await issueOf({ api_key: NEW_KEY, models }, 'openai')).toEqual([
        400,
        'repeated_model',
        ['models[1].model'],
      ]);
    });

    it('leave what variables of the environment name alone: 409', async () => {
      const answer = await put({ base_url: 'https://elsewhere.example.com/v1', api_key: NEW_KEY }, 'groq', replica);
      expectRefusal(answer, { status: 409, reason: 'provider_in_environment', userId: organization.userId });
    });

    it('give no key of the environment to an address that they have chosen before with 200', async () => {
      expect((await put({ base_url: 'https://elsewhere.example.com/v1', api_key: NEW_KEY }, 'groq')).status).toBe(200);
      const seen = (await replica.application.get(ProviderConnections).all()).get('groq');
      expect(seen).toMatchObject({ baseUrl: 'https://api.groq.com/openai/v1', apiKey: 'gsk-of-the-environment-0123' });
    });

    it('keep the keys of organizations where they are: 409 for another origin, 200 for another path', async () => {
      expect((await put({ base_url: 'https://models.example.com/v1', api_key: NEW_KEY })).status).toBe(200);
      const other = await app.factory.organization();
      await newProviderKey(app, other, { provider: PROVIDER, key: 'sk-of-an-organization-0123' });

      const moved = await put({ base_url: 'https://models.example.com:8443/v1', api_key: NEW_KEY });
      expectRefusal(moved, { status: 409, reason: 'keys_of_other_address', userId: organization.userId });
      expect((await put({ base_url: 'https://models.example.com/v2', api_key: NEW_KEY })).status).toBe(200);
    });

    it('are called at public addresses alone, also where a name leads into a private network after a 200: 503', async () => {
      const local = server.baseUrl.replace('127.0.0.1', 'localhost');
      await stored({ baseUrl: local, models: { [MODEL]: 'gpt' }, apiKey: NEW_KEY });
      expect((await ask()).status).toBe(200);
      await app.rows('UPDATE provider_connections SET is_from_interface = true');
      const before = server.received.length;

      const test = await app.api.post(`/provider-connections/${PROVIDER}/test`, { key });

      expect(test.body).toMatchObject({
        data: { outcome: 'unreachable', accepted: false, problem: expect.stringContaining('private network') },
      });
      expect((await ask()).status).toBe(503);
      expect(server.received.length).toBe(before);
    });
  });

  it('are listed by page with 200, without a credential', async () => {
    await stored();
    const { body } = await app.api.get<{ data: object[]; total_count: number }>('/provider-connections?limit=1', {
      key,
    });
    expect([body.total_count, body.data.length]).toEqual([2, 1]);
    const rest = await app.api.get('/provider-connections?offset=1', { key });
    expect(rest.body).toMatchObject({ data: [{ provider: PROVIDER, api_key: 'sk-s...0123' }], total_count: 2 });
    expect(JSON.stringify(rest.body)).not.toContain(STORED_KEY);
  });

  it('are removed with 200, and a 404 if there is none', async () => {
    await stored();
    const path = `/provider-connections/${PROVIDER}`;
    expect((await app.api.send('DELETE', path, { key })).body).toEqual({ deleted: true });
    const refusal = { status: 404, reason: 'provider_connection_not_found', userId: organization.userId };
    expectRefusal(await app.api.send('DELETE', path, { key }), refusal);
    expectRefusal(await app.api.post(`${path}/test`, { key }), refusal);
  });

  it('say that a credential cannot be decrypted', async () => {
    await stored();
    await app.rows(`UPDATE provider_connections SET encrypted_api_key = '\\x00'`);
    const { body } = await app.api.post(`/provider-connections/${PROVIDER}/test`, { key });
    expect(body).toMatchObject({ data: { outcome: 'unreadable', accepted: false, problem: expect.any(String) } });
  });

  it('are recorded in the trails of the deployment and of the organization, without a credential', async () => {
    await put({ base_url: 'https://models.example.com/v1', api_key: NEW_KEY }, 'recorded-one');
    await app.api.send('DELETE', '/provider-connections/recorded-one', { key });

    const events = await auditEventsOf(app, 'recorded-one');
    const actions = ['provider.connect', 'provider.connect', 'provider.disconnect', 'provider.disconnect'];
    expect(events.map(({ action }) => action).sort()).toEqual(actions);
    for (const event of events) {
      expect(event).toMatchObject({ actor_kind: 'management_key', actor_id: organization.userId });
    }
    const chains = await app.rows<{ organization_id: string }>(
      `SELECT DISTINCT organization_id FROM audit_events WHERE target_id = 'recorded-one' ORDER BY 1`,
    );
    expect(chains.map((row) => row.organization_id)).toEqual(['deployment', organization.organizationId].sort());
    expect(JSON.stringify(events)).not.toContain(NEW_KEY);
    expect(app.logLines.join('')).not.toContain('LOOK-FOR-ME');
  });
});
