import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { TestApplication } from '../../support/application/test-application.js';
import { launchBrowser } from '../../support/browser/launch-browser.js';

const S256 = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

describe('the consent page in a browser', () => {
  let browser: Browser;
  let app: TestApplication;
  let server: Server;
  let callback: string;
  /** The queries with which people came back to the application. */
  const returns: URLSearchParams[] = [];

  beforeAll(async () => {
    // First: without a browser nothing is left open that would keep the tests from ending.
    browser = await launchBrowser();
    app = await TestApplication.start({ variables: { ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey' } });
    server = http.createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      if (pathname === '/callback') returns.push(searchParams);
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Application</title><p id="back">Back in the application</p>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await app.stop();
  });

  it('answers 200 as it signs in, allows and denies with the keyboard, goes back each time, and breaks no rule of its policy', async () => {
    const organization = await app.factory.organization();
    const page = await browser.newPage();
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted Type|Refused to/i.test(message.text())) violations.push(message.text());
    });
    page.on('pageerror', (error) => violations.push(error.message));
    const { organizationId, userId } = organization;
    await page.goto(
      app.origin + (await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId)),
    );
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/console/);

    const query = new URLSearchParams({ callback_url: callback, state: 'the state', key_label: 'My tool', ...S256 });
    // As a link on the page of the application, which is another site.
    const lead = async (): Promise<void> => {
      await page.goto(callback.replace('/callback', '/'));
      await page.evaluate(`location.href = ${JSON.stringify(`${app.origin}/auth?${query.toString()}`)}`);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    };
    await lead();
    await page.getByLabel(/^Limit/).fill('5');
    await page.getByRole('button', { name: 'Allow' }).dblclick();
    await page.locator('#back').waitFor();
    await lead();
    await page.getByRole('button', { name: 'Deny' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#back').waitFor();

    expect(returns.map((parameters) => [...parameters.keys()])).toEqual([
      ['code', 'state'],
      ['error', 'state'],
    ]);
    const json = { code: returns[0]!.get('code'), code_verifier: VERIFIER };
    const { status, body } = await app.api.post<{ key: string }>('/auth/keys', { json });
    expect(status).toBe(200);
    const current = await app.api.get<{ data: { limit: number } }>('/key', { key: body.key });
    expect(current.body.data.limit).toBe(5);
    expect(violations).toEqual([]);
  });

  it('cannot be framed', async () => {
    const page = await browser.newPage();
    await page.goto(callback.replace('/callback', '/'));
    const query = new URLSearchParams({ callback_url: callback, ...S256 });
    const address = JSON.stringify(`${app.origin}/auth?${query.toString()}`);
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.src = ${address};
      frame.addEventListener('load', resolve);
      document.body.append(frame);
    })`);

    const framed = page.frames()[1]!;
    expect(framed.url()).toBe('chrome-error://chromewebdata/');
    await page.goto(`${app.origin}/auth?${query.toString()}`);
    expect(await page.getByRole('heading').textContent()).toBe('Sign in first');
  });
});
