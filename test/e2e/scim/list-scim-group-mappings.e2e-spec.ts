import { sharedApplication } from '../../support/application/shared-application.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  CreateScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  ScimGroupMapping,
} from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

const PATH = '/scim/group-mappings';

describe('listScimGroupMappings', () => {
  const app = sharedApplication({ topic: 'suite' });

  const newOrganization = async (): Promise<NewOrganization> => {
    const organization = await app.factory.organization();
    await app.factory.enableScim(organization);
    return organization;
  };

  const map = async (organization: NewOrganization, role?: string): Promise<ScimGroupMapping> => {
    const scimGroupId = await app.factory.scimGroup(organization);
    const answer = await app.api.post<CreateScimGroupMappingResponse>(PATH, {
      key: organization.managementKey,
      json: { scim_group_id: scimGroupId, workspace_id: organization.workspaceId, role },
    });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  const mapSeveral = async (organization: NewOrganization, count: number): Promise<ScimGroupMapping[]> => {
    const mappings: ScimGroupMapping[] = [];
    while (mappings.length < count) mappings.push(await map(organization));
    return mappings;
  };

  const list = (organization: NewOrganization, query = ''): Promise<Answer<ListScimGroupMappingsResponse>> =>
    app.api.get(`${PATH}${query}`, { key: organization.managementKey });

  it('answers 200 with an empty page at first', async () => {
    const answer = await list(await newOrganization());

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [], total_count: 0 });
    expectToFitContract('listScimGroupMappings', 200, answer.body);
  });

  it('answers 200 with each mapping as it was created, oldest first', async () => {
    const organization = await newOrganization();
    const made = [await map(organization), await map(organization, 'admin'), await map(organization, 'member')];

    const answer = await list(organization);

    expect(answer.body).toEqual({ data: made, total_count: 3 });
    expect(answer.body.data.map(({ role }) => role)).toEqual(['member', 'admin', 'member']);
    expectToFitContract('listScimGroupMappings', 200, answer.body);
  });

  it('answers 200 with the values of the rows, with times in UTC', async () => {
    const organization = await newOrganization();
    const { id } = await map(organization);
    await app.rows(
      `UPDATE scim_group_mappings SET role = 'admin', created_at = '2026-01-02T03:04:05.678+02:00', updated_at = '2026-06-07 08:09:10Z' WHERE id = $1`,
      [id],
    );

    const { data } = (await list(organization)).body;

    expect(data[0]).toMatchObject({
      id,
      role: 'admin',
      created_at: '2026-01-02T01:04:05.678Z',
      updated_at: '2026-06-07T08:09:10.000Z',
    });
  });

  it("answers 200 with the mappings of the caller's organization only", async () => {
    const [organization, other] = [await newOrganization(), await newOrganization()];
    const [ours, theirs] = [await map(organization), await map(other)];

    expect((await list(organization)).body).toEqual({ data: [ours], total_count: 1 });
    expect((await list(other)).body).toEqual({ data: [theirs], total_count: 1 });
  });

  it('answers 200 without mappings of a deleted group or workspace', async () => {
    const organization = await newOrganization();
    const [gone, kept] = [await map(organization), await map(organization)];
    await app.rows('DELETE FROM scim_groups WHERE id = $1', [gone.scim_group_id]);
    expect((await list(organization)).body).toEqual({ data: [kept], total_count: 1 });

    await app.rows('DELETE FROM workspaces WHERE id = $1', [kept.workspace_id]);
    expect((await list(organization)).body).toEqual({ data: [], total_count: 0 });
  });

  it('answers 404 for an organization without SCIM, also when it has mappings', async () => {
    const organization = await newOrganization();
    await map(organization);
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [organization.organizationId]);

    const answer = await list(organization);

    expectRefusal(answer, { status: 404, reason: 'scim_not_enabled', userId: organization.userId });
    expectToFitContract('listScimGroupMappings', 404, answer.body);
  });

  it('answers 400 to a faulty request ahead of 404 for an organization without SCIM', async () => {
    const organization = await app.factory.organization();

    const answer = await list(organization, '?limit=0');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit'],
      userId: organization.userId,
    });
  });

  describe('with pagination', () => {
    let organization: NewOrganization;
    let made: ScimGroupMapping[];

    beforeAll(async () => {
      organization = await newOrganization();
      made = await mapSeveral(organization, 103);
    });

    it('answers 200 with 50 mappings by default, and with 100 at most', async () => {
      const [byDefault, largest, smallest] = [
        await list(organization),
        await list(organization, '?limit=100'),
        await list(organization, '?limit=1'),
      ];

      expect(byDefault.body).toEqual({ data: made.slice(0, 50), total_count: 103 });
      expect(largest.body).toEqual({ data: made.slice(0, 100), total_count: 103 });
      expect(smallest.body).toEqual({ data: made.slice(0, 1), total_count: 103 });
    });

    it('answers 200 from the offset on, and empty beyond the end', async () => {
      const [last, end, beyond, farBeyond] = [
        await list(organization, '?offset=102'),
        await list(organization, '?offset=103&limit=100'),
        await list(organization, `?limit=5&offset=${2 ** 31}`),
        await list(organization, `?offset=${'9'.repeat(30)}`),
      ];

      expect(last.body).toEqual({ data: made.slice(102), total_count: 103 });
      for (const { status, body } of [end, beyond, farBeyond]) {
        expect(status).toBe(200);
        expect(body).toEqual({ data: [], total_count: 103 });
      }
    });

    it.each([1, 7, 100])('answers 200 with each mapping once in pages of %d', async (limit) => {
      const pages = await walkPages<ScimGroupMapping>(app, { path: PATH, key: organization.managementKey, limit });

      expect(pages.flatMap(({ data }) => data)).toEqual(made);
      expect(new Set(pages.map((page) => page.total_count))).toEqual(new Set([103]));
    });
  });

  it.each([1, 2, 5, 6])(
    'answers 200 with the matching slice of a list of %d for every offset and limit',
    async (count) => {
      const organization = await newOrganization();
      const made = await mapSeveral(organization, count);

      await expectEveryPage(app, { path: PATH, key: organization.managementKey }, made);
    },
  );

  it('answers 200 without skipping or repeating a mapping while mappings are being added', async () => {
    const organization = await newOrganization();
    const made = await mapSeveral(organization, 9);
    const added: ScimGroupMapping[] = [];

    const pages = await walkPages<ScimGroupMapping>(app, {
      path: PATH,
      key: organization.managementKey,
      limit: 2,
      betweenPages: async () => {
        if (added.length < 5) added.push(await map(organization));
      },
    });

    expect(pages.flatMap(({ data }) => data)).toEqual([...made, ...added]);
    expect(pages.map((page) => page.total_count)).toEqual([9, 10, 11, 12, 13, 14, 14, 14]);
  });

  it('answers 200 in the order of creation times, whatever the ids are', async () => {
    const organization = await newOrganization();
    const made = await mapSeveral(organization, 5);
    for (const [index, { id }] of made.entries()) {
      await app.rows(`UPDATE scim_group_mappings SET created_at = now() - $2 * interval '1 hour' WHERE id = $1`, [
        id,
        index,
      ]);
    }

    const pages = await walkPages<ScimGroupMapping>(app, { path: PATH, key: organization.managementKey, limit: 2 });

    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id).reverse());
  });

  it('answers 200 in the order of ids for mappings of the same time', async () => {
    const organization = await newOrganization();
    const made = await mapSeveral(organization, 7);
    // In memory the rows lie in another order than that of their ids.
    for (const { id } of [...made].reverse()) {
      await app.rows(`UPDATE scim_group_mappings SET created_at = '2026-01-01' WHERE id = $1`, [id]);
    }

    const pages = await walkPages<ScimGroupMapping>(app, { path: PATH, key: organization.managementKey, limit: 3 });

    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id).sort());
  });

  it.each([...SOME_INVALID_PAGE_QUERIES, [`workspace_id=${UNKNOWN_UUID}`, ['workspace_id']] as const])(
    'answers 400 for ?%s',
    async (query, paths) => {
      const organization = await newOrganization();

      const answer = await list(organization, `?${query}`);

      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    },
  );

  it('answers 400 and names every issue of the query at once', async () => {
    const organization = await newOrganization();

    const answer = await list(organization, '?limit=0&offset=-1&skip=2');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit', 'offset', 'skip'],
      userId: organization.userId,
    });
  });
});
