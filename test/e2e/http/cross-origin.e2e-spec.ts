import type { Answer, ApiClient, RequestOptions } from '../../support/network/api-client.js';
import { newChallengedCode } from '../../support/resources/authorization-codes.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { interfaceOf, pathOf } from '../../support/openapi/described-operations.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const LISTED = 'https://app.example.com';
const OTHER = 'https://elsewhere.example';

/** The headers of an answer that are about other origins. */
function crossOriginHeaders({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

/** What clients read besides: the id of the record, what is left of limits per minute, and what the cache of answers did. */
const EXPOSED = [
  'ETag, Idempotent-Replayed, Request-Id, Retry-After, WWW-Authenticate, X-Generation-Id, X-Request-Id',
  ...['requests', 'tokens'].flatMap((kind) =>
    ['limit', 'remaining', 'reset'].flatMap((what) => [
      `X-RateLimit-${what}-${kind}`,
      `Anthropic-RateLimit-${kind}-${what}`,
    ]),
  ),
  'X-Cache, X-Cache-Age, X-Cache-TTL, X-Cache-Source-Id',
].join(', ');

describe('cross-origin requests', () => {
  const app = sharedApplication({
    variables: {
      CORS_ORIGINS: `${LISTED}, http://localhost:5173`,
      ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey,getModel',
    },
  });
  const organization = sharedOrganization(app);
  let api: ApiClient;

  beforeAll(async () => {
    await app.factory.starterCatalog();
    api = app.api;
  });

  const preflight = (origin: string, path: string, method: string, names = 'authorization'): Promise<Answer> =>
    api.send('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': names },
    });

  const from = (origin: string, more: RequestOptions = {}): RequestOptions => ({
    ...more,
    headers: { origin, ...more.headers },
  });

  it('are answered 204 to the preflight of a listed origin for every operation, with its methods and headers', async () => {
    for (const operation of (await interfaceOf(app.application)).operations) {
      const answer = await preflight(LISTED, pathOf(operation), operation.method);

      expect([operation.operationId, answer.status, answer.text]).toEqual([operation.operationId, 204, '']);
      expect(crossOriginHeaders(answer)).toEqual({
        'access-control-allow-origin': LISTED,
        'access-control-allow-methods': expect.stringContaining(operation.method),
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Labels, X-Request-Id, X-Session-Id, X-Router-Metadata, X-Cache, X-Cache-TTL, X-Cache-Clear',
        'access-control-max-age': '7200',
      });
      expect(answer.headers.get('vary')).toBe('Origin');
    }
  });

  it('are answered 204 to a preflight for the headers that libraries of clients add, and for no others', async () => {
    const added = [
      'anthropic-beta',
      'anthropic-dangerous-direct-browser-access',
      'anthropic-version',
      'http-referer',
      'openai-organization',
      'user-agent',
      'x-stainless-arch',
      'x-stainless-retry-count',
      'x-title',
      'x-vendor-categories',
    ];
    const refused = [
      'cookie',
      'forwarded',
      'x-forwarded-for',
      'x-real-ip',
      'x-stainless-',
      'x-title-of',
      'X-Title',
      '*',
    ];
    const first =
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Labels, X-Request-Id, X-Session-Id, X-Router-Metadata, X-Cache, X-Cache-TTL, X-Cache-Clear';
    const allowedOf = async (names: string): Promise<string | null> => {
      const answer = await preflight(LISTED, '/chat/completions', 'POST', names);
      expect(answer.status).toBe(204);
      return answer.headers.get('access-control-allow-headers');
    };

    expect(await allowedOf([...refused, ...added, 'x-title'].join(','))).toBe([first, ...added].join(', '));
    expect(await allowedOf(added.join(', '))).toBe([first, ...added].join(', '));
    expect(await allowedOf(`x-title,${'x-stainless-a,'.repeat(1_000)}`)).toBe(first);
  });

  it('are answered 204 with * to the preflight of any origin for anonymous operations, and 404 for the others', async () => {
    for (const { operationId, method, ...operation } of (await interfaceOf(app.application)).operations) {
      const isOpen = ['exchangeAuthCodeForAPIKey', 'getModel'].includes(operationId);
      for (const origin of [OTHER, 'null', `${LISTED}.evil.example`, 'https://APP.example.com', `${LISTED}:443`]) {
        const answer = await preflight(origin, pathOf({ operationId, method, ...operation }), method);

        expect([operationId, origin, answer.status]).toEqual([operationId, origin, isOpen ? 204 : 404]);
        expect(answer.headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null);
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    }
  });

  it('carry CORS headers for a listed origin on every status: 200, 201, 304, 400, 401, 404, 413 and 415', async () => {
    const { managementKey: key } = organization;
    const model = await api.get('/model/openai/gpt-5.4', from(LISTED, { key }));
    const answers = [
      model,
      await api.post('/guardrails', from(LISTED, { key, json: { name: 'x' } })),
      await api.get(
        '/model/openai/gpt-5.4',
        from(LISTED, { key, headers: { 'if-none-match': model.headers.get('etag')! } }),
      ),
      await api.get('/guardrails?limit=0', from(LISTED, { key })),
      await api.get('/guardrails', from(LISTED)),
      await api.get('/nowhere', from(LISTED, { key })),
      await api.post('/keys', from(LISTED, { key, raw: 'x'.repeat(20_000) })),
      await api.post('/keys', from(LISTED, { key, raw: 'x', headers: { 'content-encoding': 'gzip' } })),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 201, 304, 400, 401, 404, 413, 415]);
    for (const answer of answers) {
      expect(crossOriginHeaders(answer)).toEqual({
        'access-control-allow-origin': LISTED,
        'access-control-expose-headers': EXPOSED,
      });
      expect(answer.headers.get('vary')).toMatch(/(^|, )Origin$/);
    }
  });

  it('carry CORS headers for any origin on the 200 and 400 of anonymous operations, and on nothing else', async () => {
    const exchange = await newChallengedCode(app, organization.managementKey);
    const made = await api.post('/auth/keys', from(OTHER, { json: exchange }));
    const refused = await api.post('/auth/keys', from(OTHER, { json: {} }));
    const closed = await api.get('/guardrails', from(OTHER, { key: organization.managementKey }));

    expect([made.status, refused.status, closed.status]).toEqual([200, 400, 200]);
    for (const { headers } of [made, refused]) expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(crossOriginHeaders(closed)).toEqual({});
  });

  it('carry Vary: Origin also when the request has no origin', async () => {
    const { managementKey: key } = organization;

    expect((await api.get('/guardrails', { key })).headers.get('vary')).toBe('Origin');
    expect((await api.get('/model/openai/gpt-5.4', { key })).headers.get('vary')).toBe('Authorization, Origin');
  });

  it.each([
    ['that is no preflight', '/guardrails', {}],
    ['for a path that there is not', '/nowhere', { 'access-control-request-method': 'GET' }],
  ])('are answered 404 to OPTIONS %s', async (_name, path, headers) => {
    const answer = await api.send('OPTIONS', path, from(LISTED, { headers }));

    expect(expectEnvelope(answer, 404).error.metadata.reason).toBe('route_not_found');
  });

  it('are answered 404 to every preflight without CORS headers when no origin is configured', async () => {
    const plain = await TestApplication.start();
    try {
      const headers = { origin: LISTED, 'access-control-request-method': 'POST' };
      const answers = [
        await plain.api.send('OPTIONS', '/auth/keys', { headers }),
        await plain.api.post('/auth/keys', { headers }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([404, 401]);
      for (const answer of answers)
        expect([crossOriginHeaders(answer), answer.headers.get('vary')]).toEqual([{}, null]);
    } finally {
      await plain.stop();
    }
  });
});
