import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { newChallengedCode } from '../../support/resources/authorization-codes.js';
import { launchBrowser } from '../../support/browser/launch-browser.js';
import { TestApplication } from '../../support/application/test-application.js';

interface Read {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | null;
}

describe('a page of another origin in a browser', () => {
  let browser: Browser;
  let page: Page;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    // First: without a browser nothing is left open that would keep the tests from ending.
    browser = await launchBrowser();
    server = http.createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Another application</title>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    page = await browser.newPage();
    await page.goto(origin);
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  /** What the page can read of an answer. @throws when the browser does not let it */
  const fetchFromPage = (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Read> =>
    page.evaluate(
      async ([target, options]) => {
        const response = await fetch(target, options);
        return {
          status: response.status,
          body: await response.json(),
          requestId: response.headers.get('x-request-id'),
        };
      },
      [url, init] as const,
    );

  it('completes the exchange of a code (200) where the deployment opens it to anyone', async () => {
    const app = await TestApplication.start({ variables: { ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey' } });
    try {
      const { managementKey, userId } = await app.factory.organization();
      const exchange = await newChallengedCode(app, managementKey);
      const url = `${app.origin}/api/v1/auth/keys`;
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(exchange) };

      const made = await fetchFromPage(url, init);
      const again = await fetchFromPage(url, init);

      expect(made).toEqual({
        status: 200,
        body: { key: expect.stringMatching(/^sk-gate-v2-/), user_id: userId },
        requestId: expect.stringMatching(/./),
      });
      expect(again).toMatchObject({ status: 403, requestId: expect.stringMatching(/./) });
    } finally {
      await app.stop();
    }
  });

  it('calls any operation (201) with a credential where its origin is listed, and none where it is not', async () => {
    const listing = await TestApplication.start({ variables: { CORS_ORIGINS: origin } });
    const other = await TestApplication.start({ variables: { CORS_ORIGINS: 'https://app.example.com' } });
    try {
      const create = async (app: TestApplication): Promise<Read> => {
        const { managementKey } = await app.factory.organization();
        return fetchFromPage(`${app.origin}/api/v1/guardrails`, {
          method: 'POST',
          headers: { authorization: `Bearer ${managementKey}`, 'content-type': 'application/json' },
          body: '{"name":"From a page"}',
        });
      };

      expect(await create(listing)).toMatchObject({ status: 201, body: { data: { name: 'From a page' } } });
      await expect(create(other)).rejects.toThrow('Failed to fetch');
    } finally {
      await Promise.all([listing.stop(), other.stop()]);
    }
  });
});
