import { sharedApplication } from '../../support/application/shared-application.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** On every answer in JSON, of whatever status. */
const JSON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Headers that tell about the service, or make it remember its callers. */
const NEVER = ['x-powered-by', 'server', 'etag', 'set-cookie', 'access-control-allow-origin', 'via'];

describe('security headers', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const send = (method: string, path: string, body?: string): Promise<Response> =>
    fetch(`${app.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${organization.managementKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });

  it.each([
    [200, 'GET', '/api/v1/guardrails', undefined],
    [201, 'POST', '/api/v1/guardrails', '{"name":"x"}'],
    [400, 'POST', '/api/v1/guardrails', '{'],
    [400, 'GET', '/api/v1/model/%ff/x', undefined],
    [404, 'GET', '/api/v1/model/a/b', undefined],
    [404, 'GET', '/api/v1/nowhere', undefined],
    [404, 'GET', '/nowhere', undefined],
    [404, 'OPTIONS', '/api/v1/guardrails', undefined],
    [413, 'POST', '/api/v1/guardrails', 'x'.repeat(2_000_000)],
    [200, 'GET', '/health/live', undefined],
    [200, 'GET', '/health/ready', undefined],
  ])('are on a %i to %s %s', async (status, method, path, body) => {
    const response = await send(method, path, body);

    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(JSON_HEADERS);
    // What was made has a tag, which If-Match takes.
    const never = status === 201 ? NEVER.filter((name) => name !== 'etag') : NEVER;
    for (const name of never) expect(response.headers.get(name)).toBeNull();
    await response.text();
  });

  it('are on a 200 that its caller may cache and on a 304: private, with revalidation', async () => {
    const kept = { ...JSON_HEADERS, 'cache-control': 'private, no-cache', vary: 'Authorization' };
    const headers = { authorization: `Bearer ${organization.managementKey}` };
    const first = await fetch(`${app.origin}/api/v1/models`, { headers });
    const again = await fetch(`${app.origin}/api/v1/models`, {
      headers: { ...headers, 'if-none-match': first.headers.get('etag')! },
    });

    expect([first.status, again.status]).toEqual([200, 304]);
    for (const response of [first, again]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({ ...kept, etag: first.headers.get('etag') });
      await response.text();
    }
  });

  it('are on a 401, which also has WWW-Authenticate', async () => {
    const response = await fetch(`${app.origin}/api/v1/guardrails`);

    expect(response.status).toBe(401);
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...JSON_HEADERS, 'www-authenticate': 'Bearer' });
  });

  it('are on a 500', async () => {
    const broken = await TestApplication.start();
    const { managementKey } = await broken.factory.organization();
    await broken.database.drop();
    try {
      const response = await broken.api.get('/guardrails', { key: managementKey });
      expect(response.status).toBe(500);
      expect(Object.fromEntries(response.headers)).toMatchObject(JSON_HEADERS);
    } finally {
      await broken.stop();
    }
  });

  it('keep pages of other origins from reading an answer, whatever its type', async () => {
    const response = await fetch(`${app.origin}/api/v1/guardrails`, {
      headers: { authorization: `Bearer ${organization.managementKey}`, origin: 'https://elsewhere.example' },
    });

    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it.each(['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui-init.js', '/docs/swagger-ui.css'])(
    'allow %s (200) to run scripts of its own origin only, and to be framed by no page',
    async (path) => {
      const response = await fetch(`${app.origin}${path}`);

      expect(response.status).toBe(200);
      const policy = new Map(
        response.headers
          .get('content-security-policy')!
          .split(';')
          .map((directive) => directive.trim().split(/ (.*)/) as [string, string]),
      );
      expect(policy.get('script-src') ?? policy.get('default-src')).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect(policy.get('object-src')).toBe("'none'");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-powered-by')).toBeNull();
      await response.text();
    },
  );
});
