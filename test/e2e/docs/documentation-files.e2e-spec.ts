import { sharedApplication } from '../../support/application/shared-application.js';

const FILES = ['openapi.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'];

describe('the files of the documentation', () => {
  const app = sharedApplication();

  it.each(FILES)('are answered 200 with an ETag, and 304 without a body to a browser that has it: %s', async (name) => {
    const first = await fetch(`${app.origin}/docs/${name}`);
    const text = await first.text();
    const entityTag = first.headers.get('etag')!;
    const again = await fetch(`${app.origin}/docs/${name}`, { headers: { 'if-none-match': entityTag } });

    // Lengths: a file would fill the log of a failure.
    expect([first.status, again.status, (await again.text()).length]).toEqual([200, 304, 0]);
    expect(first.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    for (const { headers } of [first, again]) {
      expect(headers.get('etag')).toBe(entityTag);
      expect(headers.get('cache-control')).toBe(name === 'openapi.json' ? 'no-cache' : 'public, max-age=3600');
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    }
  });

  it.each(FILES)('are answered 200 to HEAD as to GET, without a body: %s', async (name) => {
    const answer = await fetch(`${app.origin}/docs/${name}`, { method: 'HEAD' });

    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1_000);
  });

  it('are the same bytes in every answer', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await fetch(`${app.origin}/docs/openapi.json`)).text()),
    );

    expect(one).toBe(other);
    expect(JSON.parse(one!)).toMatchObject({ openapi: '3.1.0' });
  });
});
