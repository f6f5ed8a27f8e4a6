import { sharedApplication } from '../../support/application/shared-application.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('X-Request-Id', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  it.each(['1', 'z'.repeat(128), 'A.b_c-9', '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11', '...', '__proto__'])(
    'of the answer is the one of the request when it is %s',
    async (id) => {
      const headers = { 'x-request-id': id };

      const success = await app.api.get('/guardrails', { key: organization.managementKey, headers });
      const failure = await app.api.get<ErrorBody>('/guardrails?limit=0', {
        key: organization.managementKey,
        headers,
      });
      const unknown = await app.api.get<ErrorBody>('/nowhere', { headers });
      const outside = await fetch(`${app.origin}/nowhere`, { headers });

      expect(success.headers.get('x-request-id')).toBe(id);
      for (const answer of [failure, unknown]) {
        expect(answer.headers.get('x-request-id')).toBe(id);
        expect(answer.body.service_metadata).toEqual({ request_id: id });
      }
      expect(outside.headers.get('x-request-id')).toBe(id);
      expect(((await outside.json()) as ErrorBody).service_metadata.request_id).toBe(id);
      expect(
        app.logLines.filter((line) => (JSON.parse(line) as { request_id?: string }).request_id === id),
      ).toHaveLength(4);
    },
  );

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(129)],
    ['of two words', 'a b'],
    ['with a slash', 'a/b'],
    ['with a colon', 'a:b'],
    ['with quotes', '"a"'],
    ['with a line feed in disguise', 'a%0Ab'],
    ['with letters that are not ASCII', '\xe9\xe9'],
    ['HTML', '<script>alert(1)</script>'],
    ['JSON', '{"level":"fatal"}'],
  ])('of the answer is a new one when that of the request is %s', async (_name, id) => {
    const answer = await app.api.get<ErrorBody>('/guardrails?limit=0', {
      key: organization.managementKey,
      headers: { 'x-request-id': id },
    });

    const made = answer.headers.get('x-request-id')!;
    expect(made).toMatch(UUID);
    expect(answer.body.service_metadata.request_id).toBe(made);
    if (id !== '') expect(answer.text).not.toContain(id);
  });

  it('of the answer is a new one when the request has two', async () => {
    const { answers } = await exchangeBytes(
      app.origin,
      ['GET /health/live HTTP/1.1\r\nHost: x\r\nX-Request-Id: one\r\nX-Request-Id: two\r\n\r\n'],
      1,
    );

    expect(answers[0]!.headers.get('x-request-id')).toMatch(UUID);
  });

  it('of the answer is a new one for each request without one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.api.get('/guardrails', { key: organization.managementKey })),
    );

    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it('is on the 400 for bytes that are no request', async () => {
    const { answers } = await exchangeBytes(app.origin, ['garbage\r\n\r\n'], 'closed');

    const id = answers[0]!.headers.get('x-request-id')!;
    expect(id).toMatch(UUID);
    expect((answers[0]!.body as ErrorBody).service_metadata.request_id).toBe(id);
  });

  it('is on answers that are not JSON', async () => {
    const page = await fetch(`${app.origin}/docs`, { headers: { 'x-request-id': 'page' } });

    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('x-request-id')).toBe('page');
  });
});
