import { setTimeout as sleep } from 'node:timers/promises';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { UpdateWorkspaceResponse, Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import type { Answer } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { expectToFitContract } from '../../support/contract.js';
import { malformedBodies, MEDIUM_BODY } from '../../support/malformed-bodies.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/wire-forms.js';
import { EVERYTHING_SET, newWorkspace, workspaceRow } from '../../support/workspace-answers.js';

const NULLABLE = [
  'description',
  'default_text_model',
  'default_image_model',
  'default_provider_sort',
  'io_logging_api_key_ids',
  'disabled_server_tools',
] as const;

/** What answers have and requests do not: the rest can be sent back. */
const READ_ONLY = ['id', 'default_guardrail_id', 'include_byok_in_budgets', 'created_at', 'updated_at', 'created_by'];

describe('PATCH /workspaces/{id}', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let count = 0;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const make = (fields: object = {}): Promise<Workspace> => newWorkspace(app, organization, `w-${++count}`, fields);

  const patch = (reference: string, json: unknown, owner = organization): Promise<Answer<UpdateWorkspaceResponse>> =>
    app.api.patch(`/workspaces/${reference}`, { key: owner.managementKey, json });

  const changed = async (reference: string, json: object): Promise<Workspace> => {
    const answer = await patch(reference, json);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('updateWorkspace', 200, answer.body);
    return answer.body.data;
  };

  const settingsOf = (workspace: Workspace): object =>
    Object.fromEntries(Object.entries(workspace).filter(([field]) => !READ_ONLY.includes(field)));

  /** Refused, with the row as it was and nothing recorded. */
  const expectRefused = async (
    { id }: Workspace,
    json: unknown,
    refusal: { status: number; reason: string; paths?: readonly string[] },
  ): Promise<void> => {
    const state = async (): Promise<unknown> => [await workspaceRow(app, id), await eventsOf(app, id)];
    const before = await state();
    const answer = await patch(id, json);
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expectToFitContract('updateWorkspace', refusal.status, answer.body);
    expect(await state()).toEqual(before);
  };

  it('changes every field at once, and sets updated_at', async () => {
    const before = await make();

    const after = await changed(before.id, { name: 'New', slug: 'new', ...EVERYTHING_SET });

    expect(after).toEqual({
      ...before,
      name: 'New',
      slug: 'new',
      ...EVERYTHING_SET,
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(await workspaceRow(app, before.id)).toMatchObject({
      name: 'New',
      slug: 'new',
      ...EVERYTHING_SET,
      updated_at: new Date(after.updated_at!),
    });
    expect((await app.api.get('/workspaces/new', { key: organization.managementKey })).body).toEqual({ data: after });
  });

  it.each(Object.entries({ name: 'New', ...EVERYTHING_SET }))('changes %s alone', async (field, value) => {
    const before = await make();

    const after = await changed(before.slug, { [field]: value });

    expect(after).toEqual({ ...before, [field]: value, updated_at: expect.stringMatching(TIMESTAMP) });
  });

  it.each(NULLABLE)('keeps %s that is left out, and clears it by null', async (field) => {
    const before = await make(EVERYTHING_SET);

    const kept = await changed(before.id, { name: 'Kept' });
    expect(kept[field]).toEqual(EVERYTHING_SET[field]);

    const cleared = await changed(before.id, { [field]: null });
    expect(cleared).toEqual({ ...kept, [field]: null, updated_at: cleared.updated_at });
    expect((await workspaceRow(app, before.id))[field]).toBeNull();
  });

  it('replaces a list, and tells an empty one from none', async () => {
    const { id } = await make({ io_logging_api_key_ids: [1, 2] });

    expect((await changed(id, { io_logging_api_key_ids: [3] })).io_logging_api_key_ids).toEqual([3]);
    expect((await changed(id, { io_logging_api_key_ids: [] })).io_logging_api_key_ids).toEqual([]);
    expect((await changed(id, { io_logging_api_key_ids: null })).io_logging_api_key_ids).toBeNull();
  });

  it('answers 200 and replaces, empties and clears the list of server tools that are switched off', async () => {
    const { id } = await make({ disabled_server_tools: ['web_search', 'datetime'] });

    expect((await changed(id, { disabled_server_tools: ['datetime'] })).disabled_server_tools).toEqual(['datetime']);
    expect((await changed(id, { disabled_server_tools: [] })).disabled_server_tools).toEqual([]);
    expect((await changed(id, { disabled_server_tools: null })).disabled_server_tools).toBeNull();
    expect((await eventsOf(app, id)).slice(1).map(({ changes }) => changes)).toEqual([
      { disabled_server_tools: { before: ['web_search', 'datetime'], after: ['datetime'] } },
      { disabled_server_tools: { before: ['datetime'], after: [] } },
      { disabled_server_tools: { before: [], after: null } },
    ]);
  });

  it.each([
    ['everything', EVERYTHING_SET],
    ['nothing', {}],
  ])('changes nothing when what was answered of %s is sent back', async (_name, fields) => {
    const before = await make(fields);
    const row = await workspaceRow(app, before.id);
    await sleep(2);

    expect(await changed(before.id, settingsOf(before))).toEqual(before);
    expect(await changed(before.id, {})).toEqual(before);

    expect(await workspaceRow(app, before.id)).toEqual(row);
    expect(await eventsOf(app, before.id)).toHaveLength(1);
  });

  it('records what has changed, from what to what, and nothing else', async () => {
    const { id, name } = await make({ description: 'Before' });

    await changed(id, { name, description: null, io_logging_sampling_rate: 0.5, io_logging_api_key_ids: [1] });

    expect((await eventsOf(app, id)).slice(1)).toEqual([
      {
        action: 'workspace.update',
        target_type: 'workspace',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          description: { before: 'Before', after: null },
          io_logging_sampling_rate: { before: 1, after: 0.5 },
          io_logging_api_key_ids: { before: null, after: [1] },
        },
      },
    ]);
  });

  it('renames the default workspace, which stays the default one, and gives its slug away', async () => {
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

  it('finds it by its new slug and not by the old one, and takes the slug that it has already', async () => {
    const { id, slug } = await make();

    await changed(slug, { slug: 'moved' });

    expectRefusal(await patch(slug, { name: 'x' }), {
      status: 404,
      reason: 'workspace_not_found',
      userId: organization.userId,
    });
    expect((await changed('moved', { slug: 'moved', name: 'Same slug' })).id).toBe(id);
  });

  it('refuses a slug that another workspace has, and what would be an id', async () => {
    const [one, other] = [await make(), await make()];

    await expectRefused(one, { slug: other.slug, name: 'x' }, { status: 409, reason: 'workspace_slug_taken' });
    await expectRefused(one, { slug: 'default' }, { status: 409, reason: 'workspace_slug_taken' });
    await expectRefused(one, { slug: UNKNOWN_UUID }, { status: 400, reason: 'slug_is_uuid', paths: ['slug'] });
  });

  it.each([
    [{ name: '' }, ['name']],
    [{ name: null, slug: null }, ['name', 'slug']],
    [{ slug: 'Not-a-slug' }, ['slug']],
    [{ name: 'x'.repeat(101), description: 'x'.repeat(501) }, ['name', 'description']],
    [
      { io_logging_sampling_rate: 2, is_data_discount_logging_enabled: 'no' },
      ['io_logging_sampling_rate', 'is_data_discount_logging_enabled'],
    ],
    [{ io_logging_api_key_ids: [0.5, null] }, ['io_logging_api_key_ids[0]', 'io_logging_api_key_ids[1]']],
    [{ disabled_server_tools: [null, 'x'.repeat(129)] }, ['disabled_server_tools[0]', 'disabled_server_tools[1]']],
    [{ is_default: true, organization_id: 'org_x', surprise: 1 }, ['is_default', 'organization_id', 'surprise']],
    [Object.fromEntries(READ_ONLY.map((field) => [field, null])), READ_ONLY],
  ])('refuses %j, and names every fault', async (fields, paths) => {
    await expectRefused(await make(), fields, { status: 400, reason: 'invalid_parameters', paths });
  });

  it('loses nothing of several changes at the same time, on two replicas', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const workspace = await make();
    const fields = Object.entries(EVERYTHING_SET);

    const answers = await Promise.all(
      fields.map(([field, value], index) =>
        (index % 2 === 0 ? app : replica).api.patch(`/workspaces/${workspace.id}`, {
          key: organization.managementKey,
          json: { [field]: value },
        }),
      ),
    );

    await replica.stop();
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect(await workspaceRow(app, workspace.id)).toMatchObject(EVERYTHING_SET);
    expect(await eventsOf(app, workspace.id)).toHaveLength(1 + fields.length);
  });

  it('gives a slug to one of several that ask for it at the same time', async () => {
    const several = await Promise.all(Array.from({ length: 10 }, () => make()));

    const answers = await Promise.all(several.map(({ id }) => patch(id, { slug: 'only-one' })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await app.rows(`SELECT id FROM workspaces WHERE slug = 'only-one'`)).toHaveLength(1);
  });

  it('leaves all others alone, also those of another organization with the same slug', async () => {
    const other = await app.factory.organization();
    const theirs = await newWorkspace(app, other, 'same');
    const ours = await newWorkspace(app, organization, 'same');
    const others = (): Promise<unknown[]> => app.rows('SELECT * FROM workspaces WHERE id <> $1 ORDER BY id', [ours.id]);
    const before = await others();

    await changed('same', EVERYTHING_SET);

    expect(await others()).toEqual(before);
    for (const reference of [theirs.id, other.workspaceId, UNKNOWN_UUID, 'nowhere']) {
      expectRefusal(await patch(reference, { name: 'Taken' }), {
        status: 404,
        reason: 'workspace_not_found',
        userId: organization.userId,
      });
    }
    expect(await others()).toEqual(before);
  });

  it('keeps what it says of budgets, which is set elsewhere', async () => {
    const { id, include_byok_in_budgets: before } = await make();
    const json = { limit_usd: 1, include_byok_in_budgets: true };
    expect(before).toBe(false);
    await app.api.put(`/workspaces/${id}/budgets/daily`, { key: organization.managementKey, json });

    expect((await changed(id, { name: 'x' })).include_byok_in_budgets).toBe(true);
  });

  it.each(malformedBodies({ name: 'x' }, MEDIUM_BODY))('refuses %s', async (_name, request, refusal) => {
    const { id } = await make();
    const answer = await app.api.patch(`/workspaces/${id}`, { key: organization.managementKey, ...request });
    expectRefusal(answer, { ...refusal, userId: organization.userId });
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization,
    operationId: 'updateWorkspace',
    method: 'PATCH',
    path: `/workspaces/${organization.workspaceId}`,
    json: { name: `Name ${++count}` },
  }));
});
