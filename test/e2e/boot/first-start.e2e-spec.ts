import { InstallationService } from '../../../src/modules/installation/installation.service.js';
import { ApiClient } from '../../support/network/api-client.js';
import { createTestDatabase, queryRows } from '../../support/database/test-database.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { TestApplication } from '../../support/application/test-application.js';

// Starting processes takes its time where many of them do so at once.

describe('the first start', () => {
  afterAll(() => GatehouseProcess.killAll());

  it('creates no organization when the process ends before it shows the key; the next start shows a key that is answered 200', async () => {
    const app = await TestApplication.start();
    const installation = app.application.get(InstallationService);
    const organizations = (): Promise<object[]> => queryRows(app.database.url, 'SELECT id FROM organizations');
    const shown: string[] = [];

    const interrupted = installation.ensure(() => Promise.reject(new Error('killed here')));

    await expect(interrupted).rejects.toThrow('killed here');
    expect(await organizations()).toEqual([]);
    const isCreated = await installation.ensure(async ({ managementKey }) => {
      shown.push(managementKey);
      // Nothing is committed before the key is shown: a key that is lost cannot be the only one.
      expect(await organizations()).toEqual([]);
    });
    expect([isCreated, await installation.ensure(() => Promise.reject(new Error('shown twice')))]).toEqual([
      true,
      false,
    ]);
    expect((await app.api.get('/guardrails', { key: shown[0]! })).status).toBe(200);
    await app.stop();
  });

  it('creates an organization without a management key where none is to be made', async () => {
    const app = await TestApplication.start();

    expect(await app.application.get(InstallationService).ensure(undefined)).toBe(true);

    expect(await queryRows(app.database.url, 'SELECT count(*)::int AS organizations FROM organizations')).toEqual([
      { organizations: 1 },
    ]);
    expect(await queryRows(app.database.url, 'SELECT id FROM api_keys')).toEqual([]);
    await app.stop();
  });

  it('prints the command that creates another management key, whose key is answered 200', async () => {
    const database = await createTestDatabase();
    const variables = { DATABASE_URL: database.url, ENCRYPTION_KEY: '11'.repeat(32) };
    const service = GatehouseProcess.service({ ...variables, npm_lifecycle_event: 'start' });
    const origin = await service.origin();
    const [, words] = await service.said(/another one: npm run gatehouse -- ([^)]+)\)/);
    const [, first] = await service.said(/^ {2}Management key {2}(mk-gate-v2-\w+-\w+)$/m);

    const { code, stdout } = await GatehouseProcess.command([...words!.split(' '), '--json'], variables);

    expect(code).toBe(0);
    const { management_key: another } = JSON.parse(stdout) as { management_key: string };
    const api = new ApiClient(`${origin}/api/v1`);
    const pages = await Promise.all(
      [first!, another].map((key) =>
        api.get<{ data: { organization_id: string }[] }>('/organization/members', { key }),
      ),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[1]!.body).toEqual(pages[0]!.body);
    await service.stop();
    await database.drop();
  }, 120_000);
});
