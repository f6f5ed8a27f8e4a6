import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Statements } from '../../../src/persistence/statements.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { type Interface, interfaceOf, type Operation, pathOf } from '../../support/openapi/described-operations.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { makeOperator } from '../../support/resources/provider-connections.js';
import { exampleBody } from '../../support/openapi/example-bodies.js';
import { TestApplication } from '../../support/application/test-application.js';
import { runOnServer, TEST_SERVER_VARIABLE } from '../../support/database/test-database.js';

/** The operations whose statuses are laid down, and have a 500 but no 503. */
const WITHOUT_503 = [
  'createGuardrail',
  'createScimGroupMapping',
  'createScimSyncJob',
  'deleteKeys',
  'deleteWorkspaceBudget',
  'exchangeAuthCodeForAPIKey',
  'getModel',
  'getObservabilityDestination',
  'getScimSyncJob',
  'listGuardrails',
  'listImageModels',
  'listPresetVersions',
  'listScimGroupMappings',
  'listWorkspaceMembers',
];

describe('while the database cannot be used', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeEach(async () => {
    app = await TestApplication.start({
      // Far more than a request needs here, and little enough to wait for.
      variables: { DATABASE_POOL_SIZE: '2', DATABASE_STATEMENT_TIMEOUT_MS: '1500' },
    });
    organization = await app.factory.organization();
  });

  afterEach(() => app.stop());

  const expectRefused = (answer: Answer, status: 500 | 503, reason: string, retryAfter: string): void => {
    const { error } = expectEnvelope(answer, status);
    const expected = status === 503 ? [reason, retryAfter] : [undefined, null];
    expect([error.metadata?.reason, answer.headers.get('retry-after')]).toEqual(expected);
  };

  const send = (operation: Operation, document: Interface): Promise<Answer> =>
    app.api.send(operation.method, pathOf(operation), {
      // Any key will do: what it permits is looked up in the database, which is gone.
      key: organization.managementKey,
      ...(operation.body && { json: exampleBody(document, operation.body) }),
    });

  it('every operation answers 503 with Retry-After and documents it, but for fourteen that answer 500', async () => {
    const document = await interfaceOf(app.application);
    makeOperator(app, organization);
    await app.database.drop();

    for (const operation of document.operations) {
      const isWithout = WITHOUT_503.includes(operation.operationId);
      expect([operation.operationId, operation.answers.has(503)]).toEqual([operation.operationId, !isWithout]);
      expectRefused(await send(operation, document), isWithout ? 500 : 503, 'database_unavailable', '5');
    }
    const known = document.operations.map(({ operationId }) => operationId);
    expect(WITHOUT_503.filter((name) => !known.includes(name))).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('request failed')).length).toBe(known.length);
  });

  it('a request is answered with 503 database_unavailable when PostgreSQL accepts no connection', async () => {
    const name = new URL(app.database.url).pathname.slice(1);
    const server = process.env[TEST_SERVER_VARIABLE]!;
    await runOnServer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runOnServer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);

    const answer = await app.api.get('/workspaces', { key: organization.managementKey });

    expectRefused(answer, 503, 'database_unavailable', '5');
  });

  it.each([
    [503, 'updateWorkspace', 'PATCH', (id: string) => `/workspaces/${id}`, { name: 'Renamed' }],
    [500, 'deleteWorkspaceBudget', 'DELETE', (id: string) => `/workspaces/${id}/budgets/daily`, undefined],
  ] as const)(
    'a wait for a lock that takes too long is answered with %i by %s',
    async (status, _, method, path, json) => {
      await app.api.put(`/workspaces/${organization.workspaceId}/budgets/daily`, {
        key: organization.managementKey,
        json: { limit_usd: 10 },
      });
      const letGo = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [
        organization.workspaceId,
      ]);
      const others = await lockRows(app, 'SELECT interval FROM workspace_budgets FOR UPDATE', []);

      const answer = await app.api.send(method, path(organization.workspaceId), {
        key: organization.managementKey,
        ...(json && { json }),
      });

      expectRefused(answer, status, 'database_busy', '1');
      await letGo();
      await others();
    },
  );

  it('a wait for a lock that passes from one transaction to another is answered with 503 by updateWorkspace', async () => {
    const { managementKey: key, workspaceId } = organization;
    const lock = 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE';
    const letGo = await lockRows(app, lock, [workspaceId]);
    const next = lockRows(app, lock, [workspaceId]);
    await untilWaitingForLock(app, 1);
    const answer = app.api.patch(`/workspaces/${workspaceId}`, { key, json: { name: 'Renamed' } });
    await untilWaitingForLock(app, 2);
    // So that the limit of the statement (1.5 s) comes before the limit of the second lock (1.4 s from here on).
    await delay(700);
    await letGo();

    expectRefused(await answer, 503, 'database_busy', '1');

    await (
      await next
    )();
  });

  it.each([
    [503, 'listWorkspaces', '/workspaces'],
    [500, 'listGuardrails', '/guardrails'],
  ] as const)(
    'a wait for a connection that takes too long is answered with %i by %s, and the next one with 200',
    async (status, _, path) => {
      const statements = new Statements(app.application.get(DataSource));
      let letGo!: () => void;
      const inUse = new Promise<void>((resolve) => (letGo = resolve));
      const others = [statements.transaction(() => inUse), statements.transaction(() => inUse)];

      expectRefused(await app.api.get(path, { key: organization.managementKey }), status, 'database_busy', '1');

      letGo();
      await Promise.all(others);
      expect((await app.api.get(path, { key: organization.managementKey })).status).toBe(200);
    },
  );
});
