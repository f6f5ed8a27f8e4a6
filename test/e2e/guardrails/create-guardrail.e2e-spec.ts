import type { CreateGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { EVERY_GUARDRAIL_SETTING } from '../../support/resources/guardrails.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { guardrailCreation, ALL_UNSET, LISTS, SWITCHES, ASTRAL } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { app, organization, post, create, row, expectNothingStored, expectRefused, messagesOf } = guardrailCreation();

  describe('the created guardrail', () => {
    it('is answered 201 in the default workspace for a name alone', async () => {
      const before = Date.now();
      const answer = await post({ name: 'Only a name' });
      const after = Date.now();

      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual(['data']);
      const { id, created_at: createdAt, ...rest } = answer.body.data;
      expect(id).toMatch(UUID_V7);
      expect(createdAt).toMatch(TIMESTAMP);
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(after);
      expect(rest).toEqual({ ...ALL_UNSET, name: 'Only a name', workspace_id: organization.workspaceId });
      expect(await row(id)).toEqual({
        ...ALL_UNSET,
        enforcement: 'enforce',
        inspector_ids: null,
        allowed_mcp_tools: null,
        ignored_mcp_tools: null,
        mcp_argument_rules: null,
        id,
        organization_id: organization.organizationId,
        workspace_id: organization.workspaceId,
        name: 'Only a name',
        created_at: new Date(createdAt),
      });
    });

    it('is answered 201 with every field of the request', async () => {
      const fields = { ...EVERY_GUARDRAIL_SETTING, workspace_id: await app.factory.workspace(organization) };

      const { id, created_at, updated_at, content_filter_builtins, ...kept } = await create({
        ...fields,
        content_filter_builtins: [{ slug: 'email', action: 'block' }],
      });

      expect(kept).toEqual(fields);
      expect(content_filter_builtins).toEqual([{ slug: 'email', action: 'block', label: '[EMAIL]' }]);
      expect(updated_at).toBeNull();
      expect(await row(id)).toEqual({
        ...fields,
        inspector_ids: null,
        id,
        organization_id: organization.organizationId,
        content_filter_builtins: [{ slug: 'email', action: 'block' }],
        created_at: new Date(created_at),
        updated_at: null,
      });
    });

    it('is listed with the same body as the 201', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const made = await create({
        workspace_id: workspaceId,
        limit_usd: 5,
        reset_interval: 'daily',
        allowed_models: ['anthropic/claude-opus-latest'],
        content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' }],
        content_filters: [{ pattern: 'a', action: 'flag' }],
      });

      const list = await app.api.get(`/guardrails?workspace_id=${workspaceId}`, { key: organization.managementKey });

      expect(list.body).toEqual({ data: [made], total_count: 1 });
    });

    it('is the same (201) for null as for an absent field, for every nullable field', async () => {
      const nullable = [...LISTS, ...SWITCHES, 'allowed_data_regions', 'description', 'limit_usd', 'reset_interval'];
      const nulls = Object.fromEntries(
        [...nullable, 'content_filter_builtins', 'content_filters'].map((field) => [field, null]),
      );

      const { id, ...answered } = await create(nulls);

      expect(answered).toEqual(expect.objectContaining(ALL_UNSET));
      expect(await row(id)).toEqual(expect.objectContaining(ALL_UNSET));
    });

    it('is recorded in the transaction that creates it (201)', async () => {
      const { id, ...fields } = await create({
        name: 'Recorded',
        ignored_providers: ['groq'],
        enforce_zdr_other: true,
      });

      expect(await auditEventsOf(app, id)).toEqual([
        {
          action: 'guardrail.create',
          target_type: 'guardrail',
          target_id: id,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: {
            name: { after: 'Recorded' },
            workspace_id: { after: fields.workspace_id },
            include_byok_in_budgets: { after: false },
            ignored_providers: { after: ['groq'] },
            enforce_zdr_other: { after: true },
            enforcement: { after: 'enforce' },
          },
        },
      ]);
    });

    it('is created (201) although another guardrail has the same name', async () => {
      const [one, other] = [await create({ name: 'Twice' }), await create({ name: 'Twice' })];

      expect(one.id).not.toBe(other.id);
      expect(await app.rows(`SELECT id FROM guardrails WHERE name = 'Twice'`)).toHaveLength(2);
    });
  });

  describe('name and description', () => {
    it.each([
      ['name', 'a single character', 'x'],
      ['name', '200 characters', 'x'.repeat(200)],
      ['name', '200 characters outside the basic plane', ASTRAL.repeat(200)],
      ['name', 'a space', ' '],
      ['name', 'quotes and a backslash', `'; DROP TABLE guardrails; -- "\\`],
      ['description', 'nothing', ''],
      ['description', '1000 characters', 'x'.repeat(1000)],
      ['description', '1000 characters outside the basic plane', ASTRAL.repeat(1000)],
      ['description', 'a line break and a tab', 'one\r\n\ttwo'],
    ])('are answered 201 and stored: a %s of %s', async (field, _, text) => {
      const guardrail = await create({ [field]: text });

      expect(guardrail).toHaveProperty(field, text);
      expect(await row(guardrail.id)).toHaveProperty(field, text);
    });

    it.each([
      ['name', 'no characters', ''],
      ['name', '201 characters', 'x'.repeat(201)],
      ['name', '201 characters outside the basic plane', ASTRAL.repeat(201)],
      ['name', 'null', null],
      ['name', 'a number', 1],
      ['name', 'a list', ['x']],
      ['name', 'a NUL character', 'a\u0000b'],
      ['name', 'a lone surrogate', 'a\ud83db'],
      ['description', '1001 characters', 'x'.repeat(1001)],
      ['description', '1001 characters outside the basic plane', ASTRAL.repeat(1001)],
      ['description', 'false', false],
      ['description', 'a NUL character', '\u0000'],
      ['description', 'a lone surrogate', '\udd12'],
    ])('answers 400 for a %s of %s', async (field, _, value) => {
      await expectRefused({ [field]: value }, 'invalid_parameters', field);
    });

    it('answers 400 for a request without a name', async () => {
      const answer = await expectNothingStored(() => post({}), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['name'],
      });

      expect(messagesOf(answer)).toEqual(['is required']);
    });
  });

  describe('workspace_id', () => {
    it('answers 201 for capitals, and stores lower case', async () => {
      const guardrail = await create({ workspace_id: organization.workspaceId.toUpperCase() });

      expect(guardrail.workspace_id).toBe(organization.workspaceId);
      expect((await row(guardrail.id))['workspace_id']).toBe(organization.workspaceId);
    });

    it("answers 400 with the same body for another organization's workspace and for a missing one", async () => {
      const other = await app.factory.organization();
      const headers = { 'x-request-id': 'same' };
      const attempt = (workspaceId: string) => (): Promise<Answer> =>
        app.api.post('/guardrails', {
          key: organization.managementKey,
          headers,
          json: { name: 'Test', workspace_id: workspaceId },
        });
      const refusal = { status: 400, reason: 'workspace_not_found', paths: ['workspace_id'] };

      const foreign = await expectNothingStored(attempt(other.workspaceId), refusal);
      const missing = await expectNothingStored(attempt(UNKNOWN_UUID), refusal);

      expect(foreign.text).toBe(missing.text);
    });

    it.each(['', 'default', '019aa3f0', `urn:uuid:${UNKNOWN_UUID}`, null, 7, {}])(
      'answers 400 for %p',
      async (value) => {
        await expectRefused({ workspace_id: value }, 'invalid_parameters', 'workspace_id');
      },
    );

    it('is required (400) once the default workspace is deleted, and answers 201 with another one', async () => {
      const { managementKey, workspaceId, userId, ...rest } = await app.factory.organization();
      const elsewhere = await app.factory.workspace({ managementKey, workspaceId, userId, ...rest });
      await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
      const attempt = (fields: object): Promise<Answer<CreateGuardrailResponse>> =>
        app.api.post('/guardrails', { key: managementKey, json: { name: 'Test', ...fields } });

      await expectNothingStored(() => attempt({}), {
        status: 400,
        reason: 'default_workspace_deleted',
        paths: ['workspace_id'],
        userId,
      });
      const answer = await attempt({ workspace_id: elsewhere });

      expect(answer.status).toBe(201);
      expect((await row(answer.body.data.id))['workspace_id']).toBe(elsewhere);
    });
  });
});
