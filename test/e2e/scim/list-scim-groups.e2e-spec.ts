import { sharedApplication } from '../../support/application/shared-application.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import type { ListScimGroupsResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';

const PATH = '/scim/groups';

describe('listScimGroups', () => {
  const app = sharedApplication({ topic: 'suite' });

  const list = ({ organization }: ScimFixture, query = ''): Promise<Answer<ListScimGroupsResponse>> =>
    app.api.get(`${PATH}${query}`, { key: organization.managementKey });

  it('answers 200 with an empty page at first', async () => {
    const answer = await list(await ScimFixture.make(app));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [], total_count: 0 });
    expectToFitContract('listScimGroups', 200, answer.body);
  });

  it('answers 200 with each group as its row stores it, oldest first', async () => {
    const fixture = await ScimFixture.make(app);
    const { organizationId } = fixture.organization;
    const groups = app.application.get(ScimGroupsService);
    const first = await groups.add(COMMAND_LINE, organizationId, { displayName: 'Engineering', externalId: 'idp-7' });
    const second = await groups.add(COMMAND_LINE, organizationId, {
      displayName: 'Ä "研究" \u{1F9EA}',
      externalId: null,
    });

    const answer = await list(fixture);

    const rows = await app.rows<{ created_at: Date; updated_at: Date }>(
      `SELECT id, organization_id, external_id, display_name, created_at, updated_at FROM scim_groups
       WHERE organization_id = $1 ORDER BY created_at, id`,
      [organizationId],
    );
    expect(answer.body).toEqual({
      data: rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      })),
      total_count: 2,
    });
    expect(answer.body.data.map(({ id, external_id, display_name }) => [id, external_id, display_name])).toEqual([
      [first, 'idp-7', 'Engineering'],
      [second, null, 'Ä "研究" \u{1F9EA}'],
    ]);
    expectToFitContract('listScimGroups', 200, answer.body);
  });

  it("answers 200 with the groups of the caller's organization only, and without deleted ones", async () => {
    const [fixture, other] = [await ScimFixture.make(app), await ScimFixture.make(app)];
    const [kept, removed] = [await fixture.group(), await fixture.group()];
    await other.group();
    await app.application.get(ScimGroupsService).remove(COMMAND_LINE, fixture.organization.organizationId, removed);

    const { data, total_count: total } = (await list(fixture)).body;

    expect([data.map(({ id }) => id), total]).toEqual([[kept], 1]);
  });

  it('answers 200 with the matching slice of the list for every offset and limit', async () => {
    const fixture = await ScimFixture.make(app);
    for (let count = 0; count < 5; count += 1) await fixture.group();
    const { data } = (await list(fixture)).body;

    await expectEveryPage(app, { path: PATH, key: fixture.organization.managementKey }, data);
  });

  it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
    const fixture = await ScimFixture.make(app);

    expectRefusal(await list(fixture, `?${query}`), {
      status: 400,
      reason: 'invalid_parameters',
      paths,
      userId: fixture.organization.userId,
    });
  });

  it('answers 404 for an organization without SCIM, also when it has groups', async () => {
    const fixture = await ScimFixture.make(app);
    await fixture.group();
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [
      fixture.organization.organizationId,
    ]);

    const answer = await list(fixture);

    expectRefusal(answer, { status: 404, reason: 'scim_not_enabled', userId: fixture.organization.userId });
    expectToFitContract('listScimGroups', 404, answer.body);
  });
});
