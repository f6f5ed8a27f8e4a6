import { generateKeyPairSync } from 'node:crypto';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { ConnectionRequest } from '../../../src/modules/providers/connections/connection-request.js';
import type { ConnectionTest } from '../../../src/modules/providers/connections/connection-test.js';
import { ConnectionTestService } from '../../../src/modules/providers/connections/connection-test.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { storedText } from '../../support/database/stored-text.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { TokenService } from '../../support/network/token-service.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';

const CHAT = {
  id: 'one',
  object: 'chat.completion',
  created: 1,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'any',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 1 },
};
const KEY = 'LOOK-FOR-ME-key';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const AWS_KEYS = JSON.stringify({ access_key_id: 'AKIDDEPLOYMENT', secret_access_key: 'LOOK-FOR-ME-secret-key' });
const MODEL = 'openai/gpt-5.4';
const CLAUDE = 'anthropic/claude-sonnet-4.6';

describe('A connection to a cloud', () => {
  let tokens: TokenService;
  let server: ProviderServer;
  let key: string;
  const variables: Record<string, string> = {};

  // Before the application, which reads at its start where token services are.
  beforeAll(async () => {
    tokens = await TokenService.start();
    server = await ProviderServer.start();
    variables['AZURE_AUTHORITY_HOST'] = tokens.url;
    variables['GOOGLE_TOKEN_URL'] = `${tokens.url}/token`;
  });

  const app = sharedApplication({ variables });
  const organization = sharedOrganization(app);

  beforeAll(async () => {
    await app.factory.starterCatalog();
    key = (await app.factory.key(organization)).plaintext;
  });

  afterAll(async () => {
    await server.stop();
    await tokens.stop();
  });

  beforeEach(() => tokens.reset());

  afterEach(() => app.rows('DELETE FROM provider_connections'));

  const connect = async (provider: string, request: Partial<ConnectionRequest>, model = MODEL): Promise<void> => {
    const defaults = { apiKey: KEY, timeouts: {}, models: { [model]: 'my model' } };
    const baseUrl = server.baseUrl.replace(/\/v1$/, '/base');
    await app.application.get(ConnectionsService).connect({ ...defaults, baseUrl, provider, ...request });
  };

  const ask = (provider: string, model = MODEL, fields: object = {}): Promise<Answer<ErrorBody>> => {
    const messages = [{ role: 'user', content: 'Hi' }];
    return app.api.post('/chat/completions', {
      key,
      json: { model, messages, provider: { only: [provider] }, ...fields },
    });
  };

  const test = (provider: string): Promise<ConnectionTest> => app.application.get(ConnectionTestService).test(provider);

  it.each<[string, Partial<ConnectionRequest>, string, object]>([
    ['azure', { preset: 'azure-openai', settings: { resource: 'acme' } }, '/base/chat/completions', { 'api-key': KEY }],
    [
      'azure',
      { preset: 'azure-openai-dated', settings: { resource: 'acme', apiVersion: '2024-10-21' } },
      '/base/deployments/my%20model/chat/completions?api-version=2024-10-21',
      { 'api-key': KEY },
    ],
    [
      'amazon-bedrock-openai',
      { preset: 'bedrock-openai', settings: { region: 'eu-central-1' } },
      '/base/chat/completions',
      { authorization: `Bearer ${KEY}` },
    ],
    [
      'amazon-bedrock-openai',
      { preset: 'bedrock-openai', settings: { region: 'eu-central-1' }, credential: 'aws-keys', apiKey: AWS_KEYS },
      '/base/chat/completions',
      { authorization: expect.stringContaining('AKIDDEPLOYMENT') },
    ],
  ])('reaches %s by %j and is a 200', async (provider, request, path, headers) => {
    server.answerJson(CHAT);
    await connect(provider, request);
    expect((await ask(provider)).status).toBe(200);
    expect(server.received[0]).toMatchObject({ path, headers });
  });

  it.each<[string, Partial<ConnectionRequest>, string, object]>([
    [
      'azure-claude',
      { preset: 'azure-claude', settings: { resource: 'acme' } },
      '/base/messages',
      { headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' }, body: { model: 'my model' } },
    ],
    [
      'amazon-bedrock-claude',
      { preset: 'bedrock-claude', settings: { region: 'eu-central-1' } },
      '/base/model/my%20model/invoke',
      { headers: { authorization: `Bearer ${KEY}` }, body: { anthropic_version: 'bedrock-2023-05-31' } },
    ],
    [
      'amazon-bedrock-messages',
      { preset: 'bedrock-messages', settings: { region: 'eu-central-1' } },
      '/base/messages',
      { headers: { authorization: `Bearer ${KEY}`, 'anthropic-version': '2023-06-01' }, body: { model: 'my model' } },
    ],
  ])('reaches Claude at %s by %j and is a 200', async (provider, request, path, received) => {
    server.answerJson(MESSAGE);
    await connect(provider, request, CLAUDE);
    expect((await ask(provider, CLAUDE)).status).toBe(200);
    expect(server.received[0]).toMatchObject({ path, ...received });
  });

  describe('whose provider the catalog has models of that it does not reach', () => {
    it.each<[string, Partial<ConnectionRequest>, string]>([
      [
        'google-vertex',
        {
          preset: 'vertex',
          settings: { project: 'acme', location: 'us-east5' },
          credential: 'google-service-account',
          apiKey: JSON.stringify({ client_email: 'a@acme.iam.gserviceaccount.com', private_key: PRIVATE_KEY }),
        },
        'google/gemini-2.5-flash',
      ],
      ['amazon-bedrock', { preset: 'bedrock', settings: { region: 'us-east-1' } }, 'amazon/nova-2-lite-v1'],
    ])(
      'is not asked at %s for what its names and its dialect do not serve: a 404 that says so',
      async (provider, request, model) => {
        await connect(provider, request, model);
        server.received.length = 0;
        const { status, body } = await ask(provider, CLAUDE);
        expect(status).toBe(404);
        expect(body.error).toMatchObject({ availability: { excluded_by: expect.arrayContaining(['unknown_name']) } });
        expect(server.received).toEqual([]);
      },
    );
  });

  it('applies what is known of the cloud under another name too, so that its models answer 200', async () => {
    server.answerJson(CHAT);
    await connect('azure-of-europe', { preset: 'azure-openai', settings: { resource: 'acme' } });
    expect((await ask('azure-of-europe', MODEL, { max_tokens: 7, min_p: 0.5 })).status).toBe(200);
    expect(server.received[0]!.body).toEqual({
      model: 'my model',
      messages: [{ role: 'user', content: 'Hi' }],
      max_completion_tokens: 7,
    });
    server.answerJson(MESSAGE);
    await connect('bedrock-of-europe', { preset: 'bedrock-claude', settings: { region: 'eu-west-1' } }, CLAUDE);
    expect((await ask('bedrock-of-europe', CLAUDE, { service_tier: 'auto' })).status).toBe(200);
    expect(server.received[0]!.body).not.toHaveProperty('service_tier');
  });

  it('shows a token of Entra ID, is a 200 for all by one token and by another one where the provider refuses that, and a 503 where it refuses both', async () => {
    let issued = 0;
    server.answerJson(CHAT);
    tokens.answer('/acme-tenant/oauth2/v2.0/token', () => ({
      body: { access_token: `LOOK-FOR-ME-token-${(issued += 1)}`, expires_in: 3_600 },
    }));
    await connect('azure', {
      preset: 'azure-openai',
      settings: { resource: 'acme', tenantId: 'acme-tenant', clientId: 'acme-client' },
      credential: 'entra-client-secret',
    });
    const answers = await Promise.all([ask('azure'), ask('azure'), ask('azure')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer LOOK-FOR-ME-token-1']),
    );
    // Ended before its time: all that are refused with it get one other token.
    const accept = (isAccepted: (authorization: string) => boolean): void =>
      server.answerWith((response, { headers: { authorization = '' } }) => {
        const error = { code: '401', message: `${authorization} is not accepted` };
        const [status, document] = isAccepted(authorization) ? [200, CHAT] : [401, { error }];
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      });
    accept((authorization) => authorization.endsWith('-2'));
    const renewed = await Promise.all(Array.from({ length: 10 }, () => ask('azure')));
    expect(new Set(renewed.map(({ status }) => status))).toEqual(new Set([200]));
    expect(issued).toBe(2);
    // Sent once more, and no oftener.
    accept(() => false);
    const refused = await ask('azure');
    expect([refused.status, refused.text.includes('LOOK-FOR-ME')]).toEqual([503, false]);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer LOOK-FOR-ME-token-2',
      'Bearer LOOK-FOR-ME-token-3',
    ]);
    // A model that is not granted ends no token.
    server.answerJson(CHAT);
    expect((await ask('azure')).status).toBe(200);
    server.answerJson({ error: { code: 'AccessDenied', message: 'No access to the model' } }, 403);
    await ask('azure');
    server.answerJson(CHAT);
    expect((await ask('azure')).status).toBe(200);
    expect(issued).toBe(4);
  });

  it('is a 503 while no token can be had, and when the credential is refused, for which the test says why', async () => {
    await connect(
      'google-vertex-claude',
      {
        preset: 'vertex-claude',
        settings: { project: 'acme', location: 'europe-west1' },
        apiKey: JSON.stringify({ client_email: 'gate@acme.example', private_key: PRIVATE_KEY }),
      },
      CLAUDE,
    );
    tokens.answer('/token', { status: 500, body: {} });
    expect((await ask('google-vertex-claude', CLAUDE)).status).toBe(503);
    // A failure stands for some seconds.
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    tokens.answer('/token', { status: 400, body: { error: 'invalid_grant', error_description: 'Account not found' } });
    expect(await test('google-vertex-claude')).toEqual({
      outcome: 'no_token',
      cause: 'The token service of Google refuses the credential: invalid_grant: Account not found',
    });
    expect((await ask('google-vertex-claude', CLAUDE)).status).toBe(503);
    now.mockRestore();
  });

  it('uses the keys of an organization for its own requests, and is a 200', async () => {
    server.answerJson(CHAT);
    await connect('amazon-bedrock', {
      preset: 'bedrock-openai',
      settings: { region: 'eu-central-1' },
      credential: 'aws-instance',
      apiKey: null,
    });
    const own = { access_key_id: 'AKIDOFTHEIRS', secret_access_key: 'LOOK-FOR-ME-their-secret' };
    // As people paste it.
    const { id } = await newProviderKey(app, organization, {
      provider: 'amazon-bedrock',
      key: JSON.stringify(own, null, 2),
    });
    expect((await ask('amazon-bedrock')).status).toBe(200);
    expect(server.received[0]!.headers.authorization).toContain('Credential=AKIDOFTHEIRS/');
    await app.api.delete(`/byok/${id}`, { key: organization.managementKey });
  });

  it.each<[object, string]>([
    [{ preset: 'azure-openai' }, 'The preset azure-openai needs --resource.'],
    [{ preset: 'vertex', settings: { project: 'acme' } }, 'The preset vertex needs --project and --location.'],
    [{ preset: 'azure-openai', settings: { resource: 'a/b' } }, '--resource does not have the form of one.'],
    [{ preset: 'bedrock', settings: { region: 'evil.example#' } }, '--region does not have the form of one.'],
    [{ preset: 'gemini', credential: 'aws-instance' }, 'The preset gemini takes the credentials key.'],
    [{ preset: 'gemini', apiKey: null }, 'The credential is missing: give --api-key-env'],
    [{ preset: 'gemini', protocol: 'openai' }, 'The preset gemini has its protocol.'],
    [{ preset: 'none' }, 'There is no preset none, but azure-openai, '],
    [
      { preset: 'bedrock', settings: { region: 'eu-west-1' }, credential: 'aws-instance' },
      'This credential comes from the machine: give no secret.',
    ],
    [
      { preset: 'bedrock', settings: { region: 'eu-west-1' }, credential: 'aws-keys' },
      'The credential must be a JSON object with access_key_id and secret_access_key.',
    ],
    [{ credential: 'aws-keys' }, 'A credential of a cloud belongs to a preset'],
  ])('is refused: %j', async (request, message) => {
    await expect(connect('azure', request)).rejects.toThrow(message);
    expect(await app.rows('SELECT * FROM provider_connections')).toEqual([]);
  });

  it.each([
    ['address', `address = '{"form":"azure-deployment","apiVersion":"2020-01-01"}'`],
    ['credential', `credential = '{"scheme":"key-header","header":"x-other"}'`],
  ])('is a 404 after its %s was changed in the database, because its secret cannot be used', async (_, change) => {
    await connect('azure', { preset: 'azure-openai', settings: { resource: 'acme' } });
    await app.rows(`UPDATE provider_connections SET ${change}`);
    expect((await ask('azure')).status).toBe(404);
  });

  it('stores and logs its secrets and its tokens nowhere but encrypted', async () => {
    await connect('azure', { preset: 'azure-openai', settings: { resource: 'acme' } });
    await ask('azure');
    for (const text of [...(await storedText(app)).values(), app.logLines.join('')]) {
      expect(text).not.toContain('LOOK-FOR-ME');
    }
  });
});
