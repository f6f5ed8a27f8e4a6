import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { TestApplication } from '../../support/application/test-application.js';
import { runOnServer } from '../../support/database/test-database.js';

/** Each test breaks its application, and so has one of its own. */
async function withApplication(
  work: (app: TestApplication, organization: NewOrganization) => Promise<void>,
): Promise<void> {
  const app = await TestApplication.start();
  try {
    await work(app, await app.factory.organization());
  } finally {
    await app.stop();
  }
}

/** The log lines of a request. */
function linesOf(app: TestApplication, answer: Answer): Record<string, unknown>[] {
  const id = answer.headers.get('x-request-id');
  return app.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['request_id'] === id);
}

/** Checks that an answer is a 500 that says nothing of its cause. */
function expectBareFailure(answer: Answer, userId?: string): void {
  expectEnvelope(answer, 500);
  expect(answer.body).toEqual({
    error: { code: 500, message: 'Internal Server Error' },
    service_metadata: { request_id: answer.headers.get('x-request-id') },
    ...(userId !== undefined && { user_id: userId }),
  });
}

describe('a failure of the service itself', () => {
  it('is answered 500 without its cause, which the log has under the same request id', async () => {
    await withApplication(async (app, { managementKey: key, userId }) => {
      await app.rows('ALTER TABLE guardrails RENAME COLUMN name TO title');

      const list = await app.api.get('/guardrails', { key });
      const creation = await app.api.post('/guardrails', { key, json: { name: 'x' } });

      for (const answer of [list, creation]) {
        expectBareFailure(answer, userId);
        const [failure] = linesOf(app, answer);
        expect(failure).toMatchObject({
          level: 'error',
          failure: {
            code: '42703',
            message: expect.stringContaining('name'),
            stack: expect.stringContaining('    at '),
          },
        });
      }
    });
  });

  it('is answered 500 when a statement violates a constraint that no request should violate, and nothing is stored', async () => {
    await withApplication(async (app, { managementKey: key }) => {
      await app.rows(`ALTER TABLE guardrails ADD CONSTRAINT ck_guardrails_surprise CHECK (name <> 'surprise')`);

      const answer = await app.api.post('/guardrails', { key, json: { name: 'surprise' } });

      expectEnvelope(answer, 500);
      expect(linesOf(app, answer)[0]).toMatchObject({
        failure: { constraint: 'ck_guardrails_surprise', code: '23514' },
      });
      expect(await app.rows(`SELECT 1 FROM guardrails WHERE name = 'surprise'`)).toEqual([]);
    });
  });
});

describe('an unreachable database', () => {
  // What every operation answers is tested in database-unavailable.e2e-spec.ts.
  it('is answered 503, or 500 where the contract has no 503, while 401, 404 and the 200 of liveness stay', async () => {
    await withApplication(async (app, { managementKey: key }) => {
      await app.database.drop();

      for (const [path, has503] of [
        ['/workspaces', true],
        ['/guardrails', false],
      ] as const) {
        const answer = await app.api.get(path, { key });
        if (has503) expectEnvelope(answer, 503);
        else expectBareFailure(answer);
        expect(linesOf(app, answer)[0]).toMatchObject({
          level: 'error',
          failure: { message: expect.stringMatching(/./) },
        });
      }
      // What needs no database goes on as before.
      expectEnvelope(await app.api.get('/guardrails'), 401);
      expectEnvelope(await app.api.get('/guardrails', { key: 'not-a-key' }), 401);
      expectEnvelope(await app.api.get('/nowhere', { key }), 404);
      expect((await fetch(`${app.origin}/health/live`)).status).toBe(200);
      expect((await fetch(`${app.origin}/health/ready`)).status).toBe(503);
    });
  });

  it('is answered 500 in the middle of a request, and the next request 201', async () => {
    await withApplication(async (app, { managementKey: key, userId }) => {
      const release = await lockRows(app, 'LOCK TABLE guardrails IN ACCESS EXCLUSIVE MODE', []);
      const waiting = app.api.post('/guardrails', { key, json: { name: 'half' } });
      await untilWaitingForLock(app, 1);

      await app.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);

      expectBareFailure(await waiting, userId);
      await release();
      const next = await app.api.post('/guardrails', { key, json: { name: 'whole' } });
      expect(next.status).toBe(201);
      expect(await app.rows(`SELECT name FROM guardrails WHERE name IN ('half', 'whole')`)).toEqual([
        { name: 'whole' },
      ]);
    });
  });

  it('is answered with success again as soon as it is back after a moment: 200', async () => {
    await withApplication(async (app, { managementKey: key }) => {
      const database = new URL(app.database.url).pathname.slice(1);
      await runOnServer(
        Object.assign(new URL(app.database.url), { pathname: '/postgres' }).href,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
      );

      // A connection may be found broken by the request that wants to use it.
      let answer = await app.api.get<ErrorBody>('/guardrails', { key });
      while (answer.status !== 200) {
        expectBareFailure(answer);
        answer = await app.api.get('/guardrails', { key });
      }
    });
  });
});

describe('the messages of the frameworks', () => {
  it('are in no error answer, from 400 to 500', async () => {
    await withApplication(async (app, { managementKey: key }) => {
      const broken = '<img src=x>';
      await app.rows('ALTER TABLE guardrails RENAME TO guardrails_elsewhere');
      const targets: [string, string, RequestInit][] = [
        ['nowhere', '/nowhere', {}],
        ['nowhere below the prefix', '/api/v1/nowhere', {}],
        ['HTML in a path', `/api/v1/${broken}`, {}],
        ['a path that is not UTF-8', '/api/v1/model/%ff/%ff', {}],
        ['an unknown method', '/api/v1/guardrails', { method: 'PUT' }],
        ['no credential', '/api/v1/guardrails', { headers: {} }],
        ['a body that is not JSON', '/api/v1/guardrails', { method: 'POST', body: broken }],
        ['a broken table', '/api/v1/guardrails', {}],
        ['a file of the documentation', '/docs/nowhere.js', {}],
        ['a directory above', '/docs/%2e%2e/%2e%2e/package.json', {}],
      ];

      for (const [name, path, init] of targets) {
        const response = await fetch(`${app.origin}${path}`, {
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/html' },
          ...init,
        });
        const text = await response.text();
        expect([name, response.headers.get('content-type')]).toEqual([name, 'application/json; charset=utf-8']);
        expect(response.headers.get('x-powered-by')).toBeNull();
        expect(text).not.toMatch(
          /<|Cannot |statusCode|Express|Nest|Unexpected token|Error:|node_modules|\.ts:|relation/,
        );
        expect(Object.keys(JSON.parse(text) as object)).toEqual(expect.arrayContaining(['error', 'service_metadata']));
      }
    });
  });
});
