import { sharedApplication } from '../../support/application/shared-application.js';
import type { ConnectClient } from '../../../src/modules/oauth/clients/connect-client.dto.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const PATH = '/connect/clients';

describe('listConnectClients', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  it('answers 200 with an empty page at first', async () => {
    const answer = await app.api.get(PATH, { key: organization.managementKey });

    expect([answer.status, answer.body]).toEqual([200, { data: [], total_count: 0 }]);
  });

  it('answers 200 with pages of clients, oldest first and without their secrets, each with the total', async () => {
    const other = await app.factory.organization();
    await newClient(app, other.managementKey, 'theirs');
    const made = [];
    for (const name of ['one', 'two', 'three', 'four'])
      made.push((await newClient(app, organization.managementKey, name)).data);

    await expectEveryPage(app, { path: PATH, key: organization.managementKey }, made);
  });

  it('answers 200 with totals of what is created and deleted, and skips none while more are created', async () => {
    const made = [];
    for (const name of ['one', 'two', 'three'])
      made.push((await newClient(app, organization.managementKey, name)).data);
    await app.api.delete(`${PATH}/${made[1]!.id}`, { key: organization.managementKey });
    let more = 2;

    const pages = await walkPages<ConnectClient>(app, {
      path: PATH,
      key: organization.managementKey,
      limit: 1,
      betweenPages: async () => {
        if (more > 0) await newClient(app, organization.managementKey, `later-${more--}`);
      },
    });

    const names = pages.flatMap(({ data }) => data.map(({ name }) => name));
    expect(names).toEqual(['one', 'three', 'later-2', 'later-1']);
    expect(pages.at(-1)!.total_count).toBe(4);
  });

  it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
    const refusal = { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId };

    expectRefusal(await app.api.get(`${PATH}?${query}`, { key: organization.managementKey }), refusal);
  });
});
