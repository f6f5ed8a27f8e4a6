import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ListWorkspacesResponse, Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { expectToFitContract } from '../../support/contract.js';
import { PAGE_QUERY_FAULTS } from '../../support/page-query-faults.js';
import { expectEveryWindow, walkPages } from '../../support/page-walk.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { EVERYTHING_SET, newWorkspace } from '../../support/workspace-answers.js';

describe('GET /workspaces', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const list = async (owner = organization, query = ''): Promise<ListWorkspacesResponse> => {
    const answer = await app.api.get<ListWorkspacesResponse>(`/workspaces${query}`, { key: owner.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listWorkspaces', 200, answer.body);
    return answer.body;
  };

  const slugs = ({ data }: { data: Workspace[] }): string[] => data.map(({ slug }) => slug);

  it('has the default workspace from the start', async () => {
    const { data, total_count: total } = await list();

    expect(total).toBe(1);
    expect(data).toMatchObject([{ id: organization.workspaceId, slug: 'default' }]);
  });

  it('lists each as it is by itself, oldest first, in every window', async () => {
    const made: Workspace[] = [];
    for (const slug of ['z', 'a', 'm']) made.push(await newWorkspace(app, organization, slug, EVERYTHING_SET));

    const { data } = await list();

    expect(slugs({ data })).toEqual(['default', 'z', 'a', 'm']);
    expect(data.slice(1)).toEqual(made);
    await expectEveryWindow(app, { path: '/workspaces', key: organization.managementKey }, data);
  });

  it('tells those apart that were made in the same instant', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => newWorkspace(app, organization, `w-${index}`)));
    await app.rows(`UPDATE workspaces SET created_at = '2026-01-01' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);

    const walk = { path: '/workspaces', key: organization.managementKey, limit: 3 };
    const pages = await walkPages<Workspace>(app, walk);

    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(11);
  });

  it('skips nothing while others are made', async () => {
    for (const slug of ['a', 'b', 'c']) await newWorkspace(app, organization, slug);
    let count = 0;

    const pages = await walkPages<Workspace>(app, {
      path: '/workspaces',
      key: organization.managementKey,
      limit: 2,
      betweenPages: async () => (count < 2 ? newWorkspace(app, organization, `late-${++count}`) : undefined),
    });

    expect(pages.flatMap(slugs)).toEqual(['default', 'a', 'b', 'c', 'late-1', 'late-2']);
  });

  it('counts what is there: not what is deleted, refused or rolled back', async () => {
    const { id } = await newWorkspace(app, organization, 'doomed');
    await newWorkspace(app, organization, 'kept');
    const key = organization.managementKey;
    expect((await app.api.post('/workspaces', { key, json: { name: 'x', slug: 'kept' } })).status).toBe(409);
    expect((await list()).total_count).toBe(3);

    expect((await app.api.delete(`/workspaces/${id}`, { key })).status).toBe(200);

    const body = await list();
    expect(slugs(body)).toEqual(['default', 'kept']);
    expect(body.total_count).toBe(2);
    expect(await list(organization, '?offset=5')).toEqual({ data: [], total_count: 2 });
  });

  it("does not list another organization's", async () => {
    const other = await app.factory.organization();
    await newWorkspace(app, other, 'theirs');

    expect(slugs(await list())).toEqual(['default']);
    expect((await list(other)).data.map(({ id }) => id)).not.toContain(organization.workspaceId);
  });

  it('is empty once the default workspace is deleted, too', async () => {
    const path = `/workspaces/default?confirm_default_workspace_deletion=true`;
    expect((await app.api.delete(path, { key: organization.managementKey })).status).toBe(200);

    expect(await list()).toEqual({ data: [], total_count: 0 });
  });

  it.each(PAGE_QUERY_FAULTS)('does not take ?%s', async (query, paths) => {
    const answer = await app.api.get(`/workspaces?${query}`, { key: organization.managementKey });

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths,
      userId: organization.userId,
    });
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization,
    operationId: 'listWorkspaces',
    method: 'GET',
    path: '/workspaces',
  }));
});
