import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { someMalformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { EVERY_WORKSPACE_SETTING, newWorkspace, workspaceRow } from '../../support/resources/workspaces.js';
import { workspaceUpdate } from './workspace-update.js';

const NULLABLE = [
  'description',
  'default_text_model',
  'default_image_model',
  'default_provider_sort',
  'io_logging_api_key_ids',
  'disabled_server_tools',
  'rate_limits',
] as const;

/** What answers have and requests do not: the rest can be sent back. */
const READ_ONLY = ['id', 'default_guardrail_id', 'include_byok_in_budgets', 'created_at', 'updated_at', 'created_by'];

describe('updateWorkspace', () => {
  const { app, organization, make, patch, changed, expectRefused } = workspaceUpdate();

  const settingsOf = (workspace: Workspace): object =>
    Object.fromEntries(Object.entries(workspace).filter(([field]) => !READ_ONLY.includes(field)));

  it('answers 200 to a change of every field, and sets updated_at', async () => {
    const before = await make();

    const after = await changed(before.id, { name: 'New', slug: 'new', ...EVERY_WORKSPACE_SETTING });

    expect(after).toEqual({
      ...before,
      name: 'New',
      slug: 'new',
      ...EVERY_WORKSPACE_SETTING,
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(await workspaceRow(app, before.id)).toMatchObject({
      name: 'New',
      slug: 'new',
      ...EVERY_WORKSPACE_SETTING,
      updated_at: new Date(after.updated_at!),
    });
    expect((await app.api.get('/workspaces/new', { key: organization.managementKey })).body).toEqual({ data: after });
  });

  it.each(Object.entries({ name: 'New', ...EVERY_WORKSPACE_SETTING }))(
    'answers 200 and changes %s alone',
    async (field, value) => {
      const before = await make();

      const after = await changed(before.slug, { [field]: value });

      expect(after).toEqual({ ...before, [field]: value, updated_at: expect.stringMatching(TIMESTAMP) });
    },
  );

  it.each(NULLABLE)('answers 200 and keeps %s when it is absent, and clears it for null', async (field) => {
    const before = await make(EVERY_WORKSPACE_SETTING);

    const kept = await changed(before.id, { name: 'Kept' });
    expect(kept[field]).toEqual(EVERY_WORKSPACE_SETTING[field]);

    const cleared = await changed(before.id, { [field]: null });
    expect(cleared).toEqual({ ...kept, [field]: null, updated_at: cleared.updated_at });
    expect((await workspaceRow(app, before.id))[field]).toBeNull();
  });

  it('answers 200 and replaces a list, which may be empty or null', async () => {
    const { id } = await make({ io_logging_api_key_ids: [1, 2] });

    expect((await changed(id, { io_logging_api_key_ids: [3] })).io_logging_api_key_ids).toEqual([3]);
    expect((await changed(id, { io_logging_api_key_ids: [] })).io_logging_api_key_ids).toEqual([]);
    expect((await changed(id, { io_logging_api_key_ids: null })).io_logging_api_key_ids).toBeNull();
  });

  it('answers 200 and replaces, empties and clears the list of disabled server tools', async () => {
    const { id } = await make({ disabled_server_tools: ['web_search', 'datetime'] });

    expect((await changed(id, { disabled_server_tools: ['datetime'] })).disabled_server_tools).toEqual(['datetime']);
    expect((await changed(id, { disabled_server_tools: [] })).disabled_server_tools).toEqual([]);
    expect((await changed(id, { disabled_server_tools: null })).disabled_server_tools).toBeNull();
    expect((await auditEventsOf(app, id)).slice(1).map(({ changes }) => changes)).toEqual([
      { disabled_server_tools: { before: ['web_search', 'datetime'], after: ['datetime'] } },
      { disabled_server_tools: { before: ['datetime'], after: [] } },
      { disabled_server_tools: { before: [], after: null } },
    ]);
  });

  it('answers 200 and changes the limits per minute that it names', async () => {
    const { id } = await make({ rate_limits: { requests_per_minute: 5, tokens_per_minute: 1_000_000_000 } });
    const limitsAfter = async (rate_limits: object): Promise<unknown> =>
      (await changed(id, { rate_limits })).rate_limits;

    const both = { requests_per_minute: 6, tokens_per_minute: 1_000_000_000 };
    expect(await limitsAfter({ requests_per_minute: 6 })).toEqual(both);
    expect(await limitsAfter({})).toEqual(both);
    expect(await limitsAfter({ tokens_per_minute: null })).toEqual({ ...both, tokens_per_minute: null });
    expect(await limitsAfter({ requests_per_minute: null })).toBeNull();
    expect((await auditEventsOf(app, id)).slice(1).map(({ changes }) => changes)).toEqual([
      { rate_limits: { before: { ...both, requests_per_minute: 5 }, after: both } },
      { rate_limits: { before: both, after: { ...both, tokens_per_minute: null } } },
      { rate_limits: { before: { ...both, tokens_per_minute: null }, after: null } },
    ]);
  });

  it.each([
    ['everything', EVERY_WORKSPACE_SETTING],
    ['nothing', {}],
  ])('answers 200 and changes nothing for the body that it answered with %s', async (_name, fields) => {
    const before = await make(fields);
    const row = await workspaceRow(app, before.id);
    await sleep(2);

    expect(await changed(before.id, settingsOf(before))).toEqual(before);
    expect(await changed(before.id, {})).toEqual(before);

    expect(await workspaceRow(app, before.id)).toEqual(row);
    expect(await auditEventsOf(app, before.id)).toHaveLength(1);
  });

  it('answers 200 and records the changed fields with both values, and nothing else', async () => {
    const { id, name } = await make({ description: 'Before' });

    await changed(id, { name, description: null, io_logging_sampling_rate: 0.5, io_logging_api_key_ids: [1] });

    expect((await auditEventsOf(app, id)).slice(1)).toEqual([
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
    [{ rate_limits: { requests_per_minute: 0 } }, ['rate_limits.requests_per_minute']],
    [{ is_default: true, organization_id: 'org_x', surprise: 1 }, ['is_default', 'organization_id', 'surprise']],
    [Object.fromEntries(READ_ONLY.map((field) => [field, null])), READ_ONLY],
  ])('answers 400 for %j, and names every issue', async (fields, paths) => {
    await expectRefused(await make(), fields, { status: 400, reason: 'invalid_parameters', paths });
  });

  it('answers 200 to several changes at the same time on two replicas, and keeps all', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const workspace = await make();
    const fields = Object.entries(EVERY_WORKSPACE_SETTING);

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
    expect(await workspaceRow(app, workspace.id)).toMatchObject(EVERY_WORKSPACE_SETTING);
    expect(await auditEventsOf(app, workspace.id)).toHaveLength(1 + fields.length);
  });

  it('answers 200 and changes no other workspace, also of another organization with the same slug (404)', async () => {
    const other = await app.factory.organization();
    const theirs = await newWorkspace(app, other, 'same');
    const ours = await newWorkspace(app, organization, 'same');
    const others = (): Promise<unknown[]> => app.rows('SELECT * FROM workspaces WHERE id <> $1 ORDER BY id', [ours.id]);
    const before = await others();

    await changed('same', EVERY_WORKSPACE_SETTING);

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

  it('answers 200 and keeps include_byok_in_budgets, which budgets set', async () => {
    const { id, include_byok_in_budgets: before } = await make();
    const json = { limit_usd: 1, include_byok_in_budgets: true };
    expect(before).toBe(false);
    await app.api.put(`/workspaces/${id}/budgets/daily`, { key: organization.managementKey, json });

    expect((await changed(id, { name: 'x' })).include_byok_in_budgets).toBe(true);
  });

  it.each(someMalformedBodies({ name: 'x' }, MEDIUM_BODY))(
    'answers 400, 413 or 415 for %s',
    async (_name, request, refusal) => {
      const { id } = await make();
      const answer = await app.api.patch(`/workspaces/${id}`, { key: organization.managementKey, ...request });
      expectRefusal(answer, { ...refusal, userId: organization.userId });
    },
  );
});
