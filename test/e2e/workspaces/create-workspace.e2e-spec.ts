import { sharedApplication } from '../../support/application/shared-application.js';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { CreateWorkspaceResponse } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { someMalformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import {
  EVERY_WORKSPACE_SETTING,
  newWorkspace,
  WORKSPACE_DEFAULTS,
  workspaceRow,
} from '../../support/resources/workspaces.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { digestOfRows } from '../../support/database/digest-of-rows.js';

/** One code point, two UTF-16 code units, four bytes. */
const ASTRAL = '\u{1f512}';

describe('createWorkspace', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const post = (json: unknown): Promise<Answer<CreateWorkspaceResponse>> =>
    app.api.post('/workspaces', { key: organization.managementKey, json });

  const workspaces = (): Promise<unknown[]> => app.rows('SELECT * FROM workspaces ORDER BY id');

  /** Refused, and nothing stored or recorded. */
  const expectRefused = async (json: unknown, reason: string, ...paths: string[]): Promise<void> => {
    const state = (): Promise<unknown> => digestOfRows(app, 'SELECT * FROM workspaces', 'SELECT id FROM audit_events');
    const before = await state();
    const answer = await post(json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('createWorkspace', 400, answer.body);
    expect(await state()).toEqual(before);
  };

  it('answers 201 with default settings for a name and a slug', async () => {
    const workspace = await newWorkspace(app, organization, 'plain', { name: 'Plain' });

    expect(workspace).toEqual({
      id: expect.stringMatching(UUID_V7),
      default_guardrail_id: defaultGuardrailIdOf(workspace.id),
      name: 'Plain',
      slug: 'plain',
      ...WORKSPACE_DEFAULTS,
      include_byok_in_budgets: false,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      created_by: organization.userId,
    });
    expect(await workspaceRow(app, workspace.id)).toMatchObject({
      organization_id: organization.organizationId,
      name: 'Plain',
      slug: 'plain',
      ...WORKSPACE_DEFAULTS,
      is_default: false,
      created_at: new Date(workspace.created_at),
      updated_at: null,
      created_by: organization.userId,
    });
  });

  it('answers 201 with every field of the request, and stores it', async () => {
    const workspace = await newWorkspace(app, organization, 'everything', EVERY_WORKSPACE_SETTING);

    expect(workspace).toMatchObject(EVERY_WORKSPACE_SETTING);
    expect(await workspaceRow(app, workspace.id)).toMatchObject(EVERY_WORKSPACE_SETTING);
    expect(
      (await app.api.get<CreateWorkspaceResponse>('/workspaces/everything', { key: organization.managementKey })).body
        .data,
    ).toEqual(workspace);
  });

  it('answers 201 with null for nullable fields, and keeps an empty list empty', async () => {
    const nothing = {
      description: null,
      default_text_model: null,
      default_image_model: null,
      default_provider_sort: null,
    };
    const workspace = await newWorkspace(app, organization, 'nulls', {
      ...nothing,
      io_logging_api_key_ids: [],
      disabled_server_tools: [],
    });

    const expected = { ...nothing, io_logging_api_key_ids: [], disabled_server_tools: [] };
    expect(workspace).toMatchObject(expected);
    expect(await workspaceRow(app, workspace.id)).toMatchObject(expected);
  });

  it('answers 201 and records the creation, without absent fields', async () => {
    const { id } = await newWorkspace(app, organization, 'recorded', { description: 'Recorded' });

    expect(await auditEventsOf(app, id)).toEqual([
      {
        action: 'workspace.create',
        target_type: 'workspace',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          name: { after: 'recorded' },
          slug: { after: 'recorded' },
          description: { after: 'Recorded' },
          is_observability_io_logging_enabled: { after: false },
          is_observability_broadcast_enabled: { after: false },
          is_data_discount_logging_enabled: { after: false },
          io_logging_sampling_rate: { after: 1 },
        },
      },
    ]);
  });

  it('answers 201 without adding members, not even the creator', async () => {
    const { id } = await newWorkspace(app, organization, 'empty');

    const { body } = await app.api.get(`/workspaces/${id}/members`, { key: organization.managementKey });

    expect(body).toEqual({ data: [], total_count: 0 });
  });

  it('answers 201 with a workspace in which guardrails can be created at once (201), its default guardrail included', async () => {
    const { id, default_guardrail_id: guardrail } = await newWorkspace(app, organization, 'placed');

    const placed = await app.api.post('/guardrails', {
      key: organization.managementKey,
      json: { name: 'Placed', workspace_id: id },
    });

    expect(placed.status).toBe(201);
    expect((await app.api.get(`/guardrails/${guardrail}`, { key: organization.managementKey })).body).toMatchObject({
      data: { name: `Workspace ${id} Default`, workspace_id: id },
    });
  });

  it.each([
    ['a', 'a'],
    ['0', '0'],
    ['a-b', 'with a dash'],
    ['a1-2b-3', 'with several'],
    ['a'.repeat(50), 'of 50 characters'],
    ['019aa3f05b1e7c409d0e000000000000', 'of 32 hexadecimal digits'],
    ['019aa3f0-5b1e-7c40-9d0e', 'that begins like a UUID'],
  ])('answers 201 for the slug %s, which is found by it (200)', async (slug) => {
    const other = await app.factory.organization();

    expect((await newWorkspace(app, other, slug)).slug).toBe(slug);
    expect((await app.api.get(`/workspaces/${slug}`, { key: other.managementKey })).status).toBe(200);
  });

  it.each(['', 'A', 'a_b', 'a--b', '-a', 'a-', 'a b', 'ä', 'a/b', 'a\n', 'a'.repeat(51)])(
    'answers 400 for the slug %j',
    (slug) => {
      const isTooShort = slug === '';
      return expectRefused({ name: 'x', slug }, 'invalid_parameters', ...(isTooShort ? ['slug', 'slug'] : ['slug']));
    },
  );

  it('answers 400 for a slug in the form of a UUID, which a path would read as an id', async () => {
    await expectRefused({ name: 'x', slug: UNKNOWN_UUID }, 'slug_is_uuid', 'slug');
    await expectRefused({ name: 'x', slug: organization.workspaceId }, 'slug_is_uuid', 'slug');
    // In capitals it is no slug at all, and no other fault beside that.
    const capitals = await post({ name: 'x', slug: UNKNOWN_UUID.toUpperCase() });
    expect(capitals.status).toBe(400);
  });

  it('answers 400 beyond maximum lengths, measured in code points, and 201 at the maximum', async () => {
    const workspace = await newWorkspace(app, organization, 'lengths', {
      name: ASTRAL.repeat(100),
      description: ASTRAL.repeat(500),
    });
    expect(workspace).toMatchObject({ name: ASTRAL.repeat(100), description: ASTRAL.repeat(500) });
    await expectRefused({ name: ASTRAL.repeat(101), slug: 'longer' }, 'invalid_parameters', 'name');
    await expectRefused(
      { name: 'x', slug: 'longer', description: ASTRAL.repeat(501) },
      'invalid_parameters',
      'description',
    );
  });

  it.each([
    [{}, ['name', 'slug']],
    [{ name: 'x' }, ['slug']],
    [{ slug: 'x' }, ['name']],
    [{ name: '', slug: 'x' }, ['name']],
    [{ name: null, slug: null }, ['name', 'slug']],
    [{ io_logging_sampling_rate: 1.01 }, ['io_logging_sampling_rate']],
    [{ io_logging_sampling_rate: -0.01 }, ['io_logging_sampling_rate']],
    [{ io_logging_sampling_rate: null }, ['io_logging_sampling_rate']],
    [{ io_logging_api_key_ids: [1.5] }, ['io_logging_api_key_ids[0]']],
    [{ io_logging_api_key_ids: [1, -1, 2 ** 53] }, ['io_logging_api_key_ids[1]', 'io_logging_api_key_ids[2]']],
    [{ io_logging_api_key_ids: ['1'] }, ['io_logging_api_key_ids[0]']],
    [{ disabled_server_tools: 'web_search' }, ['disabled_server_tools']],
    [{ disabled_server_tools: ['', 7, 'x'.repeat(129)] }, [0, 1, 2].map((index) => `disabled_server_tools[${index}]`)],
    [{ disabled_server_tools: Array.from({ length: 101 }, () => 'web_search') }, ['disabled_server_tools']],
    [{ rate_limits: 5 }, ['rate_limits']],
    [
      { rate_limits: { requests_per_minute: 1.5, tokens_per_minute: 1_000_000_001, days: 1 } },
      ['rate_limits.requests_per_minute', 'rate_limits.tokens_per_minute', 'rate_limits.days'],
    ],
    [{ is_observability_io_logging_enabled: null }, ['is_observability_io_logging_enabled']],
    [{ is_observability_broadcast_enabled: 'true' }, ['is_observability_broadcast_enabled']],
    [{ is_data_discount_logging_enabled: 1 }, ['is_data_discount_logging_enabled']],
    [
      { default_text_model: 7, default_image_model: [], default_provider_sort: {} },
      ['default_text_model', 'default_image_model', 'default_provider_sort'],
    ],
    // What only answers have, and what is set elsewhere.
    [
      { id: UNKNOWN_UUID, is_default: true, include_byok_in_budgets: true, created_by: 'user_x' },
      ['id', 'is_default', 'include_byok_in_budgets', 'created_by'],
    ],
  ])('answers 400 for %j, and names every issue', (fields, paths) => {
    const isWhole = 'name' in fields || 'slug' in fields || Object.keys(fields).length === 0;
    return expectRefused(isWhole ? fields : { name: 'x', slug: 'x', ...fields }, 'invalid_parameters', ...paths);
  });

  it('answers 409 for the slug of another workspace of the organization, and 201 for one of another organization', async () => {
    const other = await app.factory.organization();
    await newWorkspace(app, organization, 'taken');

    for (const slug of ['taken', 'default']) {
      const before = await workspaces();
      const answer = await post({ name: 'Another name', slug });
      expectRefusal(answer, { status: 409, reason: 'workspace_slug_taken', userId: organization.userId });
      expectToFitContract('createWorkspace', 409, answer.body);
      expect(await workspaces()).toEqual(before);
    }
    expect((await newWorkspace(app, other, 'taken')).slug).toBe('taken');
  });

  it('answers 201 to one of several requests for a slug at the same time, and 409 to the others', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const replicas = [app, replica];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        replicas[index % 2]!.api.post('/workspaces', {
          key: organization.managementKey,
          json: { name: `${index}`, slug: 'wanted' },
        }),
      ),
    );

    await replica.stop();
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
    const rows = await app.rows<{ id: string }>(`SELECT id FROM workspaces WHERE slug = 'wanted'`);
    expect(rows).toHaveLength(1);
    expect(await auditEventsOf(app, rows[0]!.id)).toHaveLength(1);
  });

  it.each(someMalformedBodies({ name: 'x', slug: 'x' }, MEDIUM_BODY))(
    'answers 400, 413 or 415 for %s',
    async (_name, request, refusal) => {
      const before = await workspaces();
      expectRefusal(await app.api.post('/workspaces', { key: organization.managementKey, ...request }), {
        ...refusal,
        userId: organization.userId,
      });
      expect(await workspaces()).toEqual(before);
    },
  );
});
