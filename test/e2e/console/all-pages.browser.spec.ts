import { readFileSync } from 'node:fs';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { consolePerTest } from './console-browser.js';

/** The addresses of all pages of the navigation: a page that is added is looked at by itself. */
const PATHS = [
  ...readFileSync(`${process.cwd()}/packages/console/src/pages/index.ts`, 'utf8').matchAll(/^ {4}path: '([^']+)'/gm),
].map(([, path]) => path!);

const KEYS = 500;
const REQUESTS = 10_000;

/** As long as a name may be, and without a place to break it. */
const LONG_NAME = 'w'.repeat(85);

describe('every page of the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;

  /** Keys, requests, a guardrail and a workspace with a long name, as an organization has them that is in use. */
  const fill = async (): Promise<void> => {
    const { app, organization } = context;
    const { organizationId, userId, workspaceId, managementKey } = organization;
    await app.rows(
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, workspace_id, created_at)
       SELECT gen_random_uuid(), $1, $2, 'api_key', sha256(convert_to($1 || n, 'UTF8')), n || $4, 'sk-gate-v2-0123...789', $3, now()
       FROM generate_series(1, $5::int) AS n`,
      [organizationId, userId, workspaceId, LONG_NAME, KEYS],
    );
    await app.rows(
      `INSERT INTO generations (organization_id, id, created_at, key_id, user_id, workspace_id, status, model, provider, is_byok, cost_usd, details)
       SELECT $1, format('gen-%s-%s', floor(extract(epoch FROM at)), lpad(n::text, 20, '0')), at, $2, $3, $4,
         CASE WHEN n % 8 = 0 THEN 402 ELSE 200 END, 'acme/' || $5, 'alpha', false, 0.01,
         jsonb_build_object('filters', '[]'::jsonb, 'attempts', '[]'::jsonb, 'requestId', n::text, 'labels', jsonb_build_object('team', $5), 'latencyMs', n % 900)
           || CASE WHEN n % 8 = 0 THEN '{"refusal": "insufficient_budget"}' ELSE '{}' END::jsonb
       FROM generate_series(1, $6::int) AS n, date_trunc('second', now()) AS at`,
      [organizationId, newUuid(), userId, workspaceId, LONG_NAME, REQUESTS],
    );
    const named = { key: managementKey, json: { name: LONG_NAME } };
    const guardrail = await app.api.post('/guardrails', named);
    const workspace = await app.api.post('/workspaces', {
      key: managementKey,
      json: { name: LONG_NAME, slug: 'long' },
    });
    expect([guardrail.status, workspace.status]).toEqual([201, 201]);
  };

  /** What is wrong with the page as it is: barriers, and that it is wider than a window of 320 pixels. */
  const problemsOf = async (path: string): Promise<string[]> => {
    await page().setViewportSize({ width: 1280, height: 900 });
    const barriers = await context.ui.barriers();
    await page().setViewportSize({ width: 320, height: 800 });
    const isWide = await context.ui.overflows();
    return [...barriers, ...(isWide ? ['is wider than the window'] : [])].map((problem) => `${path}: ${problem}`);
  };

  /** Opens each page, and waits for all that it asks for. */
  const problemsOfAll = async (settled: () => Promise<void>): Promise<string[]> => {
    const problems: string[] = [];
    for (const path of PATHS) {
      await context.ui.go(path);
      await settled();
      problems.push(...(await problemsOf(path)));
    }
    return problems;
  };

  /** Where SCIM is off, its lists are a 404, which the browser writes into its console. */
  const forgetScim = (): void => {
    const others = context.ui.complaints.splice(0).filter((complaint) => !/404 .*\/scim\//.test(complaint));
    context.ui.complaints.push(...others);
  };

  const answered = async (): Promise<void> => {
    await page().waitForLoadState('networkidle');
    await page().getByText('Loading …').first().waitFor({ state: 'detached' });
    expect(await page().getByRole('alert').allTextContents()).toEqual([]);
    forgetScim();
  };

  it('can be read and used where there is nothing yet, also at 320 pixels', async () => {
    expect(PATHS.length).toBeGreaterThan(14);
    expect(await problemsOfAll(answered)).toEqual([]);
  });

  it('can be read and used with 500 keys, 10,000 requests and long names, also at 320 pixels (201)', async () => {
    await fill();
    expect(await problemsOfAll(answered)).toEqual([]);
    await context.ui.go('/requests');
    await page().locator('tbody tr').nth(49).waitFor();
  });

  it('says so where the service fails (500), asks at most once more by itself, and again when that is wanted', async () => {
    const operations = /\/console\/api\/v1\/(?!session$)/;
    const calls: string[] = [];
    await context.ui.leave();
    await page().route(operations, async (route) => {
      const request = route.request();
      // What one page asks for once more late is not of the next.
      calls.push([page().url(), request.method(), request.url(), request.postData()].join(' '));
      await route.fulfill({ status: 500, json: { error: { code: 500, message: 'Internal Server Error' } } });
    });
    const silent: string[] = [];
    const failed = async (): Promise<void> => {
      await page().waitForLoadState('networkidle');
      if (calls.length === 0) return;
      const again = page().getByRole('alert').getByRole('button', { name: 'Try again' }).first();
      await again.waitFor().catch(() => silent.push(page().url()));
      // Times differ by milliseconds in what asks for the time until now.
      for (const call of new Set(calls)) {
        if (calls.filter((other) => other === call).length > 2) silent.push(call);
      }
      calls.length = 0;
    };
    const problems = await problemsOfAll(failed);
    expect(silent).toEqual([]);
    expect(problems).toEqual([]);

    await context.ui.go('/keys');
    const again = page().getByRole('button', { name: 'Try again' }).first();
    await again.waitFor();
    await page().unroute(operations);
    await again.click();
    await page().getByText('There are no keys yet').waitFor();
    expect(await page().getByRole('alert').count()).toBe(0);
    // The browser writes each of them into its console.
    expect(context.ui.complaints.splice(0).every((complaint) => complaint.includes('500'))).toBe(true);
  });
});
