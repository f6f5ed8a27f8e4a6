import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListWorkspacesResponse, Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { EVERY_WORKSPACE_SETTING, newWorkspace } from '../../support/resources/workspaces.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('listWorkspaces', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const list = async (owner = organization, query = ''): Promise<ListWorkspacesResponse> => {
    const answer = await app.api.get<ListWorkspacesResponse>(`/workspaces${query}`, { key: owner.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listWorkspaces', 200, answer.body);
    return answer.body;
  };

  const slugs = ({ data }: { data: Workspace[] }): string[] => data.map(({ slug }) => slug);

  it('answers 200 with the default workspace from the start', async () => {
    const { data, total_count: total } = await list();

    expect(total).toBe(1);
    expect(data).toMatchObject([{ id: organization.workspaceId, slug: 'default' }]);
  });

  it('answers 200 with each as getWorkspace does, oldest first, for every offset and limit', async () => {
    const made: Workspace[] = [];
    for (const slug of ['z', 'a', 'm']) made.push(await newWorkspace(app, organization, slug, EVERY_WORKSPACE_SETTING));

    const { data } = await list();

    expect(slugs({ data })).toEqual(['default', 'z', 'a', 'm']);
    expect(data.slice(1)).toEqual(made);
    await expectEveryPage(app, { path: '/workspaces', key: organization.managementKey }, data);
  });

  it('answers 200 in a stable order for workspaces of the same time', async () => {
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

  it('skips none (200) while others are created', async () => {
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

  it('answers 200 with a total without deleted, refused (409) and rolled back workspaces', async () => {
    const { id } = await newWorkspace(app, organization, 'to-delete');
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

  it("answers 200 without another organization's workspaces", async () => {
    const other = await app.factory.organization();
    await newWorkspace(app, other, 'theirs');

    expect(slugs(await list())).toEqual(['default']);
    expect((await list(other)).data.map(({ id }) => id)).not.toContain(organization.workspaceId);
  });

  it('answers 200 with an empty page once the default workspace is deleted', async () => {
    const path = `/workspaces/default?confirm_default_workspace_deletion=true`;
    expect((await app.api.delete(path, { key: organization.managementKey })).status).toBe(200);

    expect(await list()).toEqual({ data: [], total_count: 0 });
  });

  it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/workspaces?${query}`, { key: organization.managementKey });

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths,
      userId: organization.userId,
    });
  });
});
