import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  CreateScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  ScimGroupMapping,
} from '../../../src/modules/scim/dto/scim-group-mapping.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { PAGE_QUERY_FAULTS } from '../../support/page-query-faults.js';
import { expectEveryWindow, walkPages } from '../../support/page-walk.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

const PATH = '/scim/group-mappings';

describe('GET /scim/group-mappings', () => {
  let app: TestApplication;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  afterAll(() => app.stop());

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

  it('answers an empty page at first', async () => {
    const answer = await list(await newOrganization());

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [], total_count: 0 });
    expectToFitContract('listScimGroupMappings', 200, answer.body);
  });

  it('answers each mapping as it was answered when it was made, oldest first', async () => {
    const organization = await newOrganization();
    const made = [await map(organization), await map(organization, 'admin'), await map(organization, 'member')];

    const answer = await list(organization);

    expect(answer.body).toEqual({ data: made, total_count: 3 });
    expect(answer.body.data.map(({ role }) => role)).toEqual(['member', 'admin', 'member']);
    expectToFitContract('listScimGroupMappings', 200, answer.body);
  });

  it('answers what the rows hold, with times in UTC', async () => {
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

  it("lists the caller's organization's mappings alone", async () => {
    const [organization, other] = [await newOrganization(), await newOrganization()];
    const [ours, theirs] = [await map(organization), await map(other)];

    expect((await list(organization)).body).toEqual({ data: [ours], total_count: 1 });
    expect((await list(other)).body).toEqual({ data: [theirs], total_count: 1 });
  });

  it('lists no mapping of a group or workspace that is gone', async () => {
    const organization = await newOrganization();
    const [gone, kept] = [await map(organization), await map(organization)];
    await app.rows('DELETE FROM scim_groups WHERE id = $1', [gone.scim_group_id]);
    expect((await list(organization)).body).toEqual({ data: [kept], total_count: 1 });

    await app.rows('DELETE FROM workspaces WHERE id = $1', [kept.workspace_id]);
    expect((await list(organization)).body).toEqual({ data: [], total_count: 0 });
  });

  it('does not exist for an organization without SCIM, also when it has mappings', async () => {
    const organization = await newOrganization();
    await map(organization);
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [organization.organizationId]);

    const answer = await list(organization);

    expectRefusal(answer, { status: 404, reason: 'scim_not_enabled', userId: organization.userId });
    expectToFitContract('listScimGroupMappings', 404, answer.body);
  });

  it('tells an organization without SCIM first what is wrong with the form of its request', async () => {
    const organization = await app.factory.organization();

    const answer = await list(organization, '?limit=0');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit'],
      userId: organization.userId,
    });
  });

  describe('pages', () => {
    let organization: NewOrganization;
    let made: ScimGroupMapping[];

    beforeAll(async () => {
      organization = await newOrganization();
      made = await mapSeveral(organization, 103);
    });

    it('are of 50 unless the request says otherwise, and of 100 at most', async () => {
      const [byDefault, largest, smallest] = [
        await list(organization),
        await list(organization, '?limit=100'),
        await list(organization, '?limit=1'),
      ];

      expect(byDefault.body).toEqual({ data: made.slice(0, 50), total_count: 103 });
      expect(largest.body).toEqual({ data: made.slice(0, 100), total_count: 103 });
      expect(smallest.body).toEqual({ data: made.slice(0, 1), total_count: 103 });
    });

    it('start where the offset says, and are empty beyond the end', async () => {
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

    it.each([1, 7, 100])('of %i make up the whole list, each mapping once', async (limit) => {
      const pages = await walkPages<ScimGroupMapping>(app, { path: PATH, key: organization.managementKey, limit });

      expect(pages.flatMap(({ data }) => data)).toEqual(made);
      expect(new Set(pages.map((page) => page.total_count))).toEqual(new Set([103]));
    });
  });

  it.each([1, 2, 5, 6])('are right in every window of a list of %i', async (count) => {
    const organization = await newOrganization();
    const made = await mapSeveral(organization, count);

    await expectEveryWindow(app, { path: PATH, key: organization.managementKey }, made);
  });

  it('are walked without skipping or repeating a mapping while mappings are being added', async () => {
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

  it('are in the order of the times, whatever the ids say', async () => {
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

  it('are in the order of the ids where mappings were made at the same time', async () => {
    const organization = await newOrganization();
    const made = await mapSeveral(organization, 7);
    // In memory the rows lie in another order than that of their ids.
    for (const { id } of [...made].reverse()) {
      await app.rows(`UPDATE scim_group_mappings SET created_at = '2026-01-01' WHERE id = $1`, [id]);
    }

    const pages = await walkPages<ScimGroupMapping>(app, { path: PATH, key: organization.managementKey, limit: 3 });

    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(made.map(({ id }) => id).sort());
  });

  it.each([...PAGE_QUERY_FAULTS, [`workspace_id=${UNKNOWN_UUID}`, ['workspace_id']] as const])(
    'refuses ?%s',
    async (query, paths) => {
      const organization = await newOrganization();

      const answer = await list(organization, `?${query}`);

      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    },
  );

  it('names every fault of the query at once', async () => {
    const organization = await newOrganization();

    const answer = await list(organization, '?limit=0&offset=-1&skip=2');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit', 'offset', 'skip'],
      userId: organization.userId,
    });
  });

  describe('with a caller', () => {
    let organization: NewOrganization;

    beforeAll(async () => {
      organization = await newOrganization();
    });

    describeWhoMayCall(['management_key'], () => ({
      app,
      organization,
      operationId: 'listScimGroupMappings',
      method: 'GET',
      path: PATH,
    }));
  });
});
