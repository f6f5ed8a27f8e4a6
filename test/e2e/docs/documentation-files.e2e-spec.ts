import { get, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { sharedApplication } from '../../support/application/shared-application.js';

const FILES = ['openapi.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-init.js'];

/** Those that change with a release only. */
const LASTING = ['swagger-ui.css', 'swagger-ui-bundle.js'];

describe('the files of the documentation', () => {
  const app = sharedApplication();

  it.each(FILES)('are answered 200 with an ETag, and 304 without a body to a browser that has it: %s', async (name) => {
    const first = await fetch(`${app.origin}/docs/${name}`);
    const text = await first.text();
    const entityTag = first.headers.get('etag')!;
    const again = await fetch(`${app.origin}/docs/${name}`, { headers: { 'if-none-match': entityTag } });

    // Lengths: a file would fill the log of a failure.
    expect([first.status, again.status, (await again.text()).length]).toEqual([200, 304, 0]);
    expect(text.length).toBeGreaterThan(1_000);
    for (const { headers } of [first, again]) {
      expect(headers.get('etag')).toBe(entityTag);
      expect(headers.get('cache-control')).toBe(LASTING.includes(name) ? 'public, max-age=3600' : 'no-cache');
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    }
  });

  it.each(FILES)('are answered 200 to HEAD as to GET, without a body: %s', async (name) => {
    const answer = await fetch(`${app.origin}/docs/${name}`, { method: 'HEAD' });

    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(500);
  });

  it.each(FILES)('are answered 200 compressed to who takes that, with another ETag: %s', async (name) => {
    const url = `${app.origin}/docs/${name}`;
    const plain = await received(url);
    const compressed = await received(url, 'gzip, deflate, br');
    const refused = await received(url, 'gzip;q=0');

    expect([plain, compressed, refused].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      undefined,
    ]);
    expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const { bytes, headers } of [plain, compressed, refused]) {
      expect([headers['content-length'], headers.vary]).toEqual([String(bytes.length), 'Accept-Encoding']);
    }
  });

  it('are small enough for a slow connection', async () => {
    const { bytes } = await received(`${app.origin}/docs/openapi.json`, 'gzip');

    expect(bytes.length).toBeLessThan(150_000);
  });

  it.each(['/docs', '/docs/'])('include a page (200) whose files are found from %s', async (path) => {
    const answer = await fetch(`${app.origin}${path}`);
    const text = await answer.text();

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [, file = ''] of text.matchAll(/(?:src|href)="([^":]+)"/g)) {
      const found = await fetch(new URL(file, answer.url));
      expect([file, found.status]).toEqual([file, 200]);
    }
  });

  it('are the same bytes in every answer', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await fetch(`${app.origin}/docs/openapi.json`)).text()),
    );

    expect(one).toBe(other);
    expect(JSON.parse(one!)).toMatchObject({ openapi: '3.1.0' });
  });
});

/** What is received as it is sent: fetch would decompress it. */
function received(url: string, encoding?: string): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
    get(url, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.once('end', () => resolve({ headers: answer.headers, bytes: Buffer.concat(pieces) }));
    }).once('error', reject);
  });
}
