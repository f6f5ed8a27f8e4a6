import { sharedApplication } from '../../support/application/shared-application.js';
import { METHODS } from 'node:http';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, pathOf } from '../../support/openapi/described-operations.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** The paths that lead to an operation. */
function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

describe('methods and paths', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  /** Sends a request of any method, which fetch does not. */
  const send = async (method: string, target: string): Promise<Answer> => {
    const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n\r\n`;
    const { answers } = await exchangeBytes(app.origin, [head], 1);
    return answers[0]!;
  };

  const expectUnknown = (answer: Answer): void => {
    const envelope = expectEnvelope(answer, 404);
    expect(envelope.error.metadata).toEqual({ reason: 'route_not_found' });
    expect(envelope.user_id).toBeUndefined();
  };

  it('answers 404 to every method that an operation does not have', async () => {
    // HEAD is GET without a body, and has a test of its own.
    const methods = METHODS.filter((method) => method !== 'HEAD');
    expect(methods).toEqual(expect.arrayContaining(['OPTIONS', 'TRACE', 'PUT', 'PATCH', 'PROPFIND', 'PURGE']));
    const paths = new Set(api.operations.map(({ path }) => path));
    await expectNoSideEffects(app, async () => {
      for (const path of paths) {
        const concrete = pathOf(api.operations.find((operation) => operation.path === path)!);
        // What is a path of its own may be an id in another one: /guardrails/effective.
        const taken = api.operations.filter((operation) => patternOf(operation).test(concrete.split('?')[0]!));
        for (const method of methods.filter((name) => !taken.some((operation) => operation.method === name))) {
          expectUnknown(await send(method, `/api/v1${concrete}`));
        }
      }
    });
  });

  it.each(['FOO', 'get', 'Post', 'X-METHOD', 'GETT', 'DELET'])('answers 404 to the method %s', async (method) => {
    expectUnknown(await send(method, '/api/v1/guardrails'));
  });

  it('answers 404 to CONNECT, and opens no tunnel', async () => {
    expectUnknown(await send('CONNECT', 'elsewhere.example:443'));
  });

  it('answers 404 to OPTIONS for the service as a whole', async () => {
    expectUnknown(await send('OPTIONS', '*'));
  });

  it('answers 400 for a method in the query, and ignores one in a header', async () => {
    const answer = await app.api.get<ErrorBody>('/guardrails?_method=POST', {
      key: organization.managementKey,
      headers: { 'x-http-method-override': 'POST', 'x-method-override': 'DELETE' },
    });

    expect(expectEnvelope(answer, 400).error.metadata.issues).toEqual([
      { path: '_method', message: 'is not a known field' },
    ]);
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/guardrails',
    '/guardrails',
    '/v1/guardrails',
    '/api/v1/nowhere',
    '/api/v1/guardrails/x/y',
    '/api/v1//guardrails',
    '//api/v1/guardrails',
    '/api/v1/./guardrails',
    '/api/v1/../v1/guardrails',
    '/api/v1/%67uardrails/%',
    '/api/v1/guardrails%00',
    '/api/v1/guardrails%2f',
    '/api/v1/guardrails;x=1',
    '/api/v1/workspaces//members',
    '/api/v1/keys//rotate',
    '/health',
    '/health/live/x',
    '/docs/nowhere',
    '/docs/%ff',
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/package.json',
    '/.env',
    '/%ff',
    '/%',
    '/favicon.ico',
    '/API/V1/guardrails',
    '/api/v1/Guardrails',
    '/api/v1/guardrails/',
    '/api/v1/guardrails/effective/',
    '/health/live/',
    '/Health/live',
    '/health/READY',
    '/DOCS',
    '/docs/OpenAPI.json',
    '/docs/openapi.json/',
  ])('answers 404 to %s', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE']) expectUnknown(await send(method, target));
  });

  it.each(['GET', 'HEAD'])('answers %s / with 302 to the console, without a credential', async (method) => {
    const answer = await fetch(`${app.origin}/?x=1`, { method, redirect: 'manual' });

    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([302, 'console', '']);
    expect(answer.headers.get('x-request-id')).toMatch(/./);
    expect((await fetch(`${app.origin}/`, { method })).url).toBe(`${app.origin}/console`);
  });

  it.each(['POST', 'DELETE', 'OPTIONS'])('answers 404 to %s /', async (method) => {
    expectUnknown(await send(method, '/'));
  });

  it('answers 404 to a path of thousands of parts', async () => {
    expectUnknown(await send('GET', '/a'.repeat(7000)));
  });

  it.each(['/guardrails', '/images/models'])(
    'answers HEAD %s with 200 and the headers of GET, without a body',
    async (path) => {
      const url = `${app.origin}/api/v1${path}`;
      const headers = { authorization: `Bearer ${organization.managementKey}` };

      const get = await fetch(url, { headers });
      const head = await fetch(url, { headers, method: 'HEAD' });

      expect(head.status).toBe(200);
      expect(await head.text()).toBe('');
      expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
    },
  );

  it('answers HEAD with 401 and 404 like GET, without a body', async () => {
    const unknown = await fetch(`${app.origin}/nowhere`, { method: 'HEAD' });
    const unauthorized = await fetch(`${app.origin}/api/v1/guardrails`, { method: 'HEAD' });

    expect([unknown.status, unauthorized.status]).toEqual([404, 401]);
    expect(await unauthorized.text()).toBe('');
    expect(unauthorized.headers.get('x-request-id')).toMatch(/./);
  });
});
