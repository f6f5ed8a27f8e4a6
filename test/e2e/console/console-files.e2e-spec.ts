import { sharedApplication } from '../../support/application/shared-application.js';
import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { TestApplication } from '../../support/application/test-application.js';

/** The most that the scripts and styles of the console may weigh with gzip, in bytes: those that every page loads, and all. */
const BUDGET = 150_000;
const WHOLE_BUDGET = 350_000;

/** Names of scripts and styles in the page and in scripts: all, and those that are loaded at once. */
const NAMED = /["'](?:\.\/|assets\/|\.\/assets\/)([\w-]+\.(?:js|css))["']/g;
const LOADED = /(?:src=|href=|from|import)["'](?:\.\/|\.\/assets\/)([\w-]+\.(?:js|css))["']/g;

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request as it goes over the wire: nothing is decompressed. */
function receive(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).once('error', reject);
  });
}

describe('the files of the console', () => {
  const app = sharedApplication({ topic: 'suite' });

  /** The paths that the page names, and those that these name, as they are found on the server. */
  const assets = async (name = NAMED): Promise<readonly string[]> => {
    const found = new Set<string>();
    const read = async (path: string): Promise<void> => {
      const text = (await receive(`${app.origin}${path}`)).body.toString();
      for (const [, file] of text.matchAll(name)) {
        const asset = `/console/assets/${file!}`;
        if (found.has(asset)) continue;
        found.add(asset);
        await read(asset);
      }
    };
    await read('/console/');
    return [...found];
  };

  it.each(['/console', '/console/', '/console/keys', '/console/keys/abc', '/console/a/b/c?d=/e', '/console/assets'])(
    'are found from the page at %s (200), which is the same everywhere',
    async (path) => {
      const { status, headers, body } = await receive(`${app.origin}${path}`);

      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-cache');
      const references = [...body.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference!);
      expect(references.length).toBeGreaterThan(2);
      for (const reference of references) {
        const url = new URL(reference, `${app.origin}${path}`);
        expect(url.pathname).toMatch(/^\/console\/(assets\/|icon\.svg)/);
        expect((await receive(url.href)).status).toBe(200);
      }
    },
  );

  it('are kept for ever, because their names change with them, and are 200 in the coding that the browser takes', async () => {
    const paths = await assets();
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const plain = await receive(`${app.origin}${path}`);
      const gzip = await receive(`${app.origin}${path}`, { 'accept-encoding': 'gzip' });
      const brotli = await receive(`${app.origin}${path}`, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      const refused = await receive(`${app.origin}${path}`, { 'accept-encoding': 'br;q=0, gzip;q=0' });

      const answers = [plain, gzip, brotli, refused];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br', undefined]);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
      expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
      for (const { headers } of answers) {
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers.vary).toBe('Accept-Encoding');
      }
    }
  });

  it.each([
    ['those that every page loads', LOADED, BUDGET],
    ['all', NAMED, WHOLE_BUDGET],
  ])('weigh as little as they may together (each 200): %s', async (_, name, budget) => {
    const bodies = await Promise.all((await assets(name)).map((path) => receive(`${app.origin}${path}`)));

    expect(bodies.length).toBeGreaterThan(1);
    expect(new Set(bodies.map(({ status }) => status))).toEqual(new Set([200]));
    const weight = bodies.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
    expect(weight).toBeGreaterThan(budget / 2);
    expect(weight).toBeLessThan(budget);
  });

  it('come with a policy that lets a page run, load and call nothing but its own origin (200)', async () => {
    for (const path of ['/console', '/console/icon.svg', (await assets())[0]!]) {
      const { status, headers } = await receive(`${app.origin}${path}`);

      expect(status).toBe(200);
      const policy = new Set(headers['content-security-policy']!.toString().split(';'));
      expect([...policy].sort()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "object-src 'none'",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        "style-src 'self'",
        "trusted-types 'none'",
      ]);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
      expect(headers['x-request-id']).toMatch(/./);
    }
  });

  it.each(['/console/assets/gone-12345678.js', '/console/assets/..%2f..%2fpackage.json', '/console/api/v1/nowhere'])(
    'answer 404 to %s',
    async (path) => {
      const { status, headers } = await receive(`${app.origin}${path}`);

      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    },
  );

  it.each(['POST', 'DELETE', 'PUT'])('answer 404 to %s', async (method) => {
    expect((await fetch(`${app.origin}/console/keys`, { method })).status).toBe(404);
  });

  it('are 404 where CONSOLE is false, and / redirects (302) to the documentation', async () => {
    const without = await TestApplication.start({ variables: { CONSOLE: 'false' } });
    try {
      expect((await receive(`${without.origin}/console`)).status).toBe(404);
      const { status, headers } = await receive(without.origin);
      expect([status, headers.location]).toEqual([302, 'docs']);
    } finally {
      await without.stop();
    }
  });
});
