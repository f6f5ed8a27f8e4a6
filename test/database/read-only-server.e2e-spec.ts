import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { TestApplication } from '../support/application/test-application.js';
import { until } from '../support/time/until.js';
import { runOnServer, TEST_SERVER_VARIABLE } from '../support/database/test-database.js';

const POOL_SIZE = 4;

/** Connections that are opened from now on are read only or not, as those to a standby are; open ones stay as they are. */
async function setReadOnly(app: TestApplication, isReadOnly: boolean): Promise<void> {
  const name = new URL(app.database.url).pathname.slice(1);
  await runOnServer(
    process.env[TEST_SERVER_VARIABLE]!,
    `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
}

describe('a database address of a read-only server', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeEach(async () => {
    app = await TestApplication.start({ variables: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
    organization = await app.factory.organization();
    await setReadOnly(app, true);
    const name = new URL(app.database.url).pathname.slice(1);
    await runOnServer(
      process.env[TEST_SERVER_VARIABLE]!,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await openPool();
  });

  afterEach(() => app.stop());

  /** Reads at once until each connection of the pool is a new one. */
  const openPool = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 4 * POOL_SIZE }, read));
  };

  const read = async (): Promise<number> =>
    (await app.api.get('/workspaces', { key: organization.managementKey })).status;

  const write = async (path: string, json: object): Promise<number> =>
    (await app.api.post(path, { key: organization.managementKey, json })).status;

  const ready = async (): Promise<[number, unknown]> => {
    const response = await fetch(`${app.origin}/health/ready`);
    return [response.status, await response.json()];
  };

  const warnings = (): string[] => app.logLines.filter((line) => line.includes('accepts no writes.'));

  it('makes the readiness check answer 503, with one log line, while reads are answered 200', async () => {
    const answer = [503, { status: 'not_ready', checks: { service: 'running', database: 'read_only' } }];
    expect(await ready()).toEqual(answer);
    expect(await ready()).toEqual(answer);
    expect(warnings()).toHaveLength(1);
    expect(await read()).toBe(200);
    expect(await write('/guardrails', { name: 'Refused' })).toBe(500);
  });

  it.each([
    ['a write of one statement', '/guardrails', { name: 'Kept' }],
    ['a transaction', '/workspaces', { name: 'Kept', slug: 'kept' }],
  ])('is reconnected at the first request when it points to the primary again: 201 for %s', async (_, path, json) => {
    await ready();
    await openPool();
    await setReadOnly(app, false);

    expect(await write(path, json)).toBe(201);
  });

  it('lets the readiness check answer 200 when it points to the primary again', async () => {
    await ready();
    await openPool();
    await setReadOnly(app, false);

    // What the database has answered holds for a second.
    await until(async () => (await ready())[0] === 200);
    expect(await ready()).toEqual([200, { status: 'ready', checks: { service: 'running', database: 'up' } }]);
    expect(app.logLines.filter((line) => line.includes('ready again'))).toHaveLength(1);
    const writes = Array.from({ length: 2 * POOL_SIZE }, (_, index) => write('/guardrails', { name: `Kept ${index}` }));
    expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
  });
});
