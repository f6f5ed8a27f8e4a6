import { MetricsServer } from '../../../src/http/metrics/metrics-server.js';
import { ApiClient } from '../../support/network/api-client.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { sendRawRequest } from '../../support/network/raw-request.js';
import { scrape } from './scrape.js';
import { TestApplication } from '../../support/application/test-application.js';

const TOKEN = 'c2NyYXBlcg-for-tests';

describe('the metrics endpoint', () => {
  let app: TestApplication;

  afterEach(() => app.stop());

  const start = async (variables: Readonly<Record<string, string>>): Promise<ApiClient> => {
    app = await TestApplication.start({ variables });
    return new ApiClient(app.origin);
  };

  /** Opens the port of the metrics. @returns its origin */
  const open = async (): Promise<string> => `http://127.0.0.1:${await app.application.get(MetricsServer).listen()}`;

  describe('with neither a port nor a token', () => {
    it('is answered 404 at every path', async () => {
      const main = await start({});
      const { managementKey } = await app.factory.organization();

      for (const path of ['/metrics', '/metrics/', '/api/v1/metrics']) {
        expectEnvelope(await main.get(path), 404);
        expectEnvelope(await main.get(path, { key: managementKey }), 404);
      }
    });
  });

  describe('with a token', () => {
    it('is answered 200 on the main port for the token', async () => {
      await start({ METRICS_TOKEN: TOKEN });

      const { status, headers, text } = await scrape(`${app.origin}/metrics`, TOKEN);

      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      expect(text).toMatch(/^# HELP /);
      // The scheme is of any case (RFC 9110, section 11.1), and HEAD is GET without the body.
      const spelt = { headers: { authorization: `bEARER   ${TOKEN}` } };
      expect((await fetch(`${app.origin}/metrics`, spelt)).status).toBe(200);
      const head = await fetch(`${app.origin}/metrics`, { ...spelt, method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });

    it.each(['/METRICS', '/Metrics', '/metrics/'])(
      'is answered 404 for %s, another spelling of its path',
      async (path) => {
        await start({ METRICS_TOKEN: TOKEN });
        expect((await fetch(app.origin + path, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(404);
      },
    );

    it('is answered 401 with the same body for every other credential and for none', async () => {
      const main = await start({ METRICS_TOKEN: TOKEN });
      const { managementKey } = await app.factory.organization();

      const none = await main.get('/metrics');
      expectEnvelope(none, 401);
      expect(none.headers.get('www-authenticate')).toBe('Bearer');
      expect(none.text).toContain('"missing_credential"');
      for (const authorization of [
        `Bearer ${TOKEN}x`,
        `Bearer ${TOKEN.slice(0, -1)}`,
        `Bearer ${TOKEN.toUpperCase()}`,
        'Bearer',
        `Bearer ${managementKey}`,
        `Basic ${TOKEN}`,
        TOKEN,
      ]) {
        const answer = await main.get('/metrics', { headers: { authorization } });
        expectEnvelope(answer, 401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(answer.text).toContain('"invalid_credential"');
        expect(answer.text).not.toContain('gatehouse_http');
      }
      // Node takes the first of two headers; which one is meant is not for us to guess.
      const twice = ['Authorization', 'Bearer x', 'Authorization', `Bearer ${TOKEN}`];
      expectEnvelope(await sendRawRequest('GET', `${app.origin}/metrics`, twice), 401);
    });

    it('is answered 404 at every other path and for every other method', async () => {
      const main = await start({ METRICS_TOKEN: TOKEN });

      expectEnvelope(await main.post('/metrics', { key: TOKEN }), 404);
      expectEnvelope(await main.get('/metrics/more', { key: TOKEN }), 404);
      expectEnvelope(await main.get('/api/v1/metrics', { key: TOKEN }), 404);
      expectEnvelope(await main.get('/api/v1/guardrails', { key: TOKEN }), 401);
    });
  });

  describe('with a port', () => {
    it('is answered 200 on that port, and 404 on the main one', async () => {
      const main = await start({ METRICS_PORT: '0' });
      const origin = await open();

      const { status, headers, text } = await scrape(`${origin}/metrics?name=anything`);

      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(text).toContain('gatehouse_database_pool_connections');
      expectEnvelope(await main.get('/metrics'), 404);
    });

    it('is the only path of that port: 404 for all others', async () => {
      await start({ METRICS_PORT: '0' });
      const origin = await open();
      const metrics = new ApiClient(origin);

      expectEnvelope(await metrics.get('/'), 404);
      expectEnvelope(await metrics.get('/metrics/more'), 404);
      expectEnvelope(await metrics.get('/api/v1/guardrails'), 404);
      expectEnvelope(await metrics.get('/health/live'), 404);
      expectEnvelope(await metrics.post('/metrics'), 404);
      const head = await fetch(`${origin}/metrics`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });

    it('is answered 200 on that port for the token, if one is configured, and 401 for none', async () => {
      const main = await start({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN });
      const origin = await open();

      expectEnvelope(await new ApiClient(origin).get('/metrics'), 401);
      expectEnvelope(await new ApiClient(origin).get('/metrics', { key: `${TOKEN}x` }), 401);
      expect((await scrape(`${origin}/metrics`, TOKEN)).status).toBe(200);
      expectEnvelope(await main.get('/metrics', { key: TOKEN }), 404);
    });

    it('is answered 200 until the service stops', async () => {
      await start({ METRICS_PORT: '0' });
      const origin = await open();
      expect((await scrape(`${origin}/metrics`)).status).toBe(200);

      await app.stop();

      await expect(scrape(`${origin}/metrics`)).rejects.toThrow('fetch failed');
      app = await TestApplication.start();
    });
  });
});
