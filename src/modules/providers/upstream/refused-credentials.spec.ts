import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { TokenService } from '../../../../test/support/network/token-service.js';
import { newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { UpstreamClient } from './upstream-client.js';

const END = '2126-11-25T22:00:00Z';

describe('The client of providers, where Amazon refuses temporary keys,', () => {
  let tokens: TokenService;
  let provider: ProviderServer;
  let client: UpstreamClient;
  let issued: number;

  beforeAll(async () => {
    tokens = await TokenService.start();
    provider = await ProviderServer.start();
  });

  beforeEach(() => {
    issued = 0;
    tokens.answer('/keys', () => ({
      body: { AccessKeyId: `ASIA${(issued += 1)}`, SecretAccessKey: 'secret', Token: 'session', Expiration: END },
    }));
    client = newUpstreamClient({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${tokens.url}/keys` });
  });

  afterEach(() => client.onApplicationShutdown());

  afterAll(async () => {
    await provider.stop();
    await tokens.stop();
  });

  const ask = (): Promise<unknown> => {
    const credential = { scheme: 'aws', source: 'container', region: 'eu-central-1', service: 'bedrock' } as const;
    return client.document({
      upstream: { ...provider.upstream({ apiKey: null }), credential, issuedSecrets: new Set() },
      path: '/converse',
      headers: {},
      keyHeader: 'authorization',
      body: { text: 'Hi' },
      organizationId: 'organization',
      signal: new AbortController().signal,
    });
  };

  /** Answers requests that are signed with some keys, and refuses all others. */
  const accept = (keys: string, status: number, word: string): void =>
    provider.answerWith((response, { headers }) => {
      const isAccepted = headers.authorization!.includes(`Credential=${keys}/`);
      const error = { 'x-amzn-errortype': `${word}:http://internal.amazon.com/` };
      response.writeHead(isAccepted ? 200 : status, { 'content-type': 'application/json', ...(!isAccepted && error) });
      response.end(isAccepted ? '{"said":"Hello"}' : '{"message":"No"}');
    });

  it.each([
    [403, 'UnrecognizedClientException'],
    [400, 'ExpiredTokenException'],
    [401, 'Other'],
  ])('sends the request once more with other ones after a %i of the class %s', async (status, word) => {
    accept('ASIA1', status, word);
    await ask();
    accept('ASIA2', status, word);

    expect(await ask()).toEqual({ said: 'Hello' });
    expect(provider.received.map(({ body }) => body)).toEqual([{ text: 'Hi' }, { text: 'Hi' }]);
  });

  it('sends it twice at most, and never again with keys that were fetched for it', async () => {
    accept('none', 403, 'UnrecognizedClientException');
    await expect(ask()).rejects.toMatchObject({ kind: 'refused', status: 401 });
    expect([provider.received.length, issued]).toEqual([1, 1]);
    accept('ASIA2', 403, 'UnrecognizedClientException');
    await ask();
    accept('none', 403, 'UnrecognizedClientException');
    await expect(ask()).rejects.toMatchObject({ kind: 'refused', status: 401 });
    expect([provider.received.length, issued]).toEqual([2, 3]);
  });

  it('keeps keys that it refuses a model to, because others use them', async () => {
    accept('ASIA1', 403, 'AccessDeniedException');
    await ask();
    accept('none', 403, 'AccessDeniedException');
    await expect(ask()).rejects.toMatchObject({ kind: 'refused', status: 403 });
    accept('ASIA1', 403, 'AccessDeniedException');
    await ask();
    expect(issued).toBe(1);
  });
});
