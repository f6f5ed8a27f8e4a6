import type {
  ListOrganizationMembersResponse,
  OrganizationMember,
} from '../../../src/modules/organizations/dto/organization-member.dto.js';
import { Statements } from '../../../src/persistence/statements.js';
import { OrganizationsService } from '../../../src/modules/organizations/organizations.service.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

/** What is said of every member here. */
const ACTIVE = { status: 'active', kind: 'person', scim_managed: false };

describe('listOrganizationMembers', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const list = async (owner = organization, query = ''): Promise<ListOrganizationMembersResponse> => {
    const path = `/organization/members${query}`;
    const answer = await app.api.get<ListOrganizationMembersResponse>(path, { key: owner.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listOrganizationMembers', 200, answer.body);
    return answer.body;
  };

  const add = (name: string, role: 'admin' | 'member' = 'member'): Promise<string> => {
    const member = { name, email: `${encodeURIComponent(name)}@example.com`, role };
    const organizations = app.application.get(OrganizationsService);
    const statements = app.application.get(Statements);
    return statements.transaction((tx) => organizations.addMember(tx, organization.organizationId, member));
  };

  it('answers 200 with the administrator from the start', async () => {
    const { data, total_count: total } = await list();

    expect(total).toBe(1);
    expect(data).toEqual([
      {
        id: organization.userId,
        name: expect.stringMatching(/^Administrator \d+$/),
        first_name: 'Administrator',
        last_name: expect.stringMatching(/^\d+$/),
        email: expect.stringMatching(/^administrator-\d+@example\.com$/),
        role: 'org:admin',
        ...ACTIVE,
      },
    ]);
  });

  it('answers 200 with administrators and members, oldest first, for every offset and limit', async () => {
    const ids = [await add('Ada Lovelace', 'admin'), await add('Grace Hopper'), await add('Alan Turing')];

    const { data } = await list();

    expect(data.slice(1)).toEqual([
      {
        id: ids[0],
        name: 'Ada Lovelace',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'Ada%20Lovelace@example.com',
        role: 'org:admin',
        ...ACTIVE,
      },
      {
        id: ids[1],
        name: 'Grace Hopper',
        first_name: 'Grace',
        last_name: 'Hopper',
        email: 'Grace%20Hopper@example.com',
        role: 'org:member',
        ...ACTIVE,
      },
      {
        id: ids[2],
        name: 'Alan Turing',
        first_name: 'Alan',
        last_name: 'Turing',
        email: 'Alan%20Turing@example.com',
        role: 'org:member',
        ...ACTIVE,
      },
    ]);
    await expectEveryPage(app, { path: '/organization/members', key: organization.managementKey }, data);
  });

  it.each([
    ['Plato', 'Plato', null],
    ['María José Carreño Quiñones', 'María', 'José Carreño Quiñones'],
    ['  Ada   Lovelace  ', 'Ada', 'Lovelace'],
    ['王秀英', '王秀英', null],
    ['', null, null],
    ['   ', null, null],
  ])('answers 200 with the name %j as first and last name', async (name, first, last) => {
    await add(name);

    expect((await list()).data[1]).toMatchObject({ first_name: first, last_name: last });
  });

  it('skips none (200) while others join', async () => {
    await Promise.all([add('a'), add('b'), add('c')]);
    let count = 0;

    const pages = await walkPages<OrganizationMember>(app, {
      path: '/organization/members',
      key: organization.managementKey,
      limit: 2,
      betweenPages: async () => (count < 2 ? add(`late-${++count}`) : undefined),
    });

    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(6);
    expect(ids).toHaveLength(6);
  });

  it('answers 200 in a stable order for members of the same time', async () => {
    await Promise.all(Array.from({ length: 9 }, (_, index) => add(`member ${index}`)));
    await app.rows(`UPDATE organization_members SET created_at = '2026-01-01' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);

    const walk = { path: '/organization/members', key: organization.managementKey, limit: 4 };
    const pages = await walkPages<OrganizationMember>(app, walk);

    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(10);
  });

  it("answers 200 without another organization's members, and once with a user of both", async () => {
    const other = await app.factory.organization();
    const shared = await add('Shared');
    await app.rows(
      `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
       VALUES (gen_random_uuid(), $1, $2, 'admin', now())`,
      [other.organizationId, shared],
    );

    expect((await list()).data.map(({ id, role }) => [id, role])).toEqual([
      [organization.userId, 'org:admin'],
      [shared, 'org:member'],
    ]);
    expect((await list(other)).data.map(({ id, role }) => [id, role])).toEqual([
      [other.userId, 'org:admin'],
      [shared, 'org:admin'],
    ]);
  });

  it('answers 200 with the total beyond the last page', async () => {
    expect(await list(organization, '?offset=9')).toEqual({ data: [], total_count: 1 });
  });

  it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/organization/members?${query}`, { key: organization.managementKey });

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
});
