import type { UpdateWorkspaceResponse } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { newWorkspace } from '../../support/resources/workspaces.js';
import { workspaceUpdate } from './workspace-update.js';

describe('updateWorkspace', () => {
  const { app, organization, make, patch, changed, expectRefused } = workspaceUpdate();

  it('answers 200 for the default workspace, which stays the default one under another slug', async () => {
    const owner = await app.factory.organization();
    const key = owner.managementKey;

    expect((await patch('default', { name: 'Main', slug: 'main' }, owner)).body.data).toMatchObject({
      id: owner.workspaceId,
      slug: 'main',
    });
    const other = await newWorkspace(app, owner, 'default');

    const { body } = await app.api.post<{ data: { workspace_id: string } }>('/guardrails', {
      key,
      json: { name: 'x' },
    });
    expect(body.data.workspace_id).toBe(owner.workspaceId);
    expect((await app.api.get<UpdateWorkspaceResponse>('/workspaces/default', { key })).body.data.id).toBe(other.id);
  });

  it('answers 200 for the new slug, 404 for the old one, and 200 for the slug that it has already', async () => {
    const { id, slug } = await make();

    await changed(slug, { slug: 'moved' });

    expectRefusal(await patch(slug, { name: 'x' }), {
      status: 404,
      reason: 'workspace_not_found',
      userId: organization.userId,
    });
    expect((await changed('moved', { slug: 'moved', name: 'Same slug' })).id).toBe(id);
  });

  it('answers 409 for the slug of another workspace, and 400 for a slug in the form of a UUID', async () => {
    const [one, other] = [await make(), await make()];

    await expectRefused(one, { slug: other.slug, name: 'x' }, { status: 409, reason: 'workspace_slug_taken' });
    await expectRefused(one, { slug: 'default' }, { status: 409, reason: 'workspace_slug_taken' });
    await expectRefused(one, { slug: UNKNOWN_UUID }, { status: 400, reason: 'slug_is_uuid', paths: ['slug'] });
  });

  it('answers 200 to one of several requests for a slug at the same time, and 409 to the others', async () => {
    const several = await Promise.all(Array.from({ length: 10 }, () => make()));

    const answers = await Promise.all(several.map(({ id }) => patch(id, { slug: 'only-one' })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await app.rows(`SELECT id FROM workspaces WHERE slug = 'only-one'`)).toHaveLength(1);
  });
});
