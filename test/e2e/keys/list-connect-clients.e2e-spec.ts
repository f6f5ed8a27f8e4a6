import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ConnectClient } from '../../../src/modules/keys/dto/connect-client.dto.js';
import { newClient } from '../../support/connect-clients.js';
import { PAGE_QUERY_FAULTS } from '../../support/page-query-faults.js';
import { expectEveryWindow, walkPages } from '../../support/page-walk.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

const PATH = '/connect/clients';

describe('GET /connect/clients', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let key: string;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
    key = organization.managementKey;
  });

  afterAll(() => app.stop());

  it('is empty at first', async () => {
    const answer = await app.api.get(PATH, { key });

    expect([answer.status, answer.body]).toEqual([200, { data: [], total_count: 0 }]);
  });

  it('pages through the clients, oldest first and without their secrets, with the total on every page', async () => {
    const other = await app.factory.organization();
    await newClient(app, other.managementKey, 'theirs');
    const made = [];
    for (const name of ['one', 'two', 'three', 'four']) made.push((await newClient(app, key, name)).data);

    await expectEveryWindow(app, { path: PATH, key }, made);
  });

  it('counts what is made and deleted, and walks on while more are made', async () => {
    const made = [];
    for (const name of ['one', 'two', 'three']) made.push((await newClient(app, key, name)).data);
    await app.api.delete(`${PATH}/${made[1]!.id}`, { key });
    let more = 2;

    const pages = await walkPages<ConnectClient>(app, {
      path: PATH,
      key,
      limit: 1,
      betweenPages: async () => {
        if (more > 0) await newClient(app, key, `later-${more--}`);
      },
    });

    const names = pages.flatMap(({ data }) => data.map(({ name }) => name));
    expect(names).toEqual(['one', 'three', 'later-2', 'later-1']);
    expect(pages.at(-1)!.total_count).toBe(4);
  });

  it.each(PAGE_QUERY_FAULTS)('refuses ?%s', async (query, paths) => {
    const refusal = { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId };

    expectRefusal(await app.api.get(`${PATH}?${query}`, { key }), refusal);
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization,
    operationId: 'listConnectClients',
    method: 'GET',
    path: PATH,
  }));
});
