import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type {
  CreateGuardrailRequest,
  Guardrail,
  UpdateGuardrailResponse,
} from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { LARGE_BODY, malformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const VENDORS = ['vendor_a', 'vendor_b', 'vendor_c', 'vendor_d', 'other'] as const;

/** A value for every field that a request can set, none of them what it is by default. */
const EVERYTHING: Required<Omit<CreateGuardrailRequest, 'workspace_id'>> = {
  name: 'Everything',
  description: 'All that there is',
  limit_usd: 12.34,
  reset_interval: 'weekly',
  include_byok_in_budgets: true,
  allowed_models: ['openai/gpt-oss-120b'],
  ignored_models: ['meta-llama/llama-3.3-70b-instruct:free'],
  allowed_providers: ['openai', 'azure'],
  ignored_providers: ['groq'],
  allowed_data_regions: ['europe', 'us'],
  enforce_zdr: true,
  enforce_zdr_vendor_a: true,
  enforce_zdr_vendor_b: false,
  enforce_zdr_vendor_c: true,
  enforce_zdr_vendor_d: false,
  enforce_zdr_other: true,
  enable_free_model_publication: true,
  enable_free_model_training: false,
  enable_paid_model_training: true,
  content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' }],
  content_filters: [
    { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' },
    { pattern: 'x', action: 'flag' },
  ],
};

/** The same as answers show it. */
const EVERYTHING_SHOWN = {
  ...EVERYTHING,
  content_filter_builtins: [
    { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only', label: '[PROMPT_INJECTION]' },
  ],
};

const NULLABLE = Object.keys(EVERYTHING).filter(
  (field) => !['name', 'include_byok_in_budgets', 'limit_usd', 'reset_interval'].includes(field),
);

describe('updateGuardrail', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const patch = (id: string, json: unknown): Promise<Answer<UpdateGuardrailResponse>> =>
    app.api.patch(`/guardrails/${id}`, {
      key: organization.managementKey,
      json,
      headers: { 'x-request-id': 'the-same' },
    });

  const get = async (id: string): Promise<Guardrail> =>
    (await app.api.get<UpdateGuardrailResponse>(`/guardrails/${id}`, { key: organization.managementKey })).body.data;

  const changed = async (id: string, json: unknown): Promise<Guardrail> => {
    const answer = await patch(id, json);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('updateGuardrail', 200, answer.body);
    // What it answers is what there is.
    expect(await get(id)).toEqual(answer.body.data);
    return answer.body.data;
  };

  const row = async (id: string): Promise<unknown> =>
    (await app.rows('SELECT * FROM guardrails WHERE id = $1', [id]))[0];

  /** Refused, and nothing changed. */
  const expectRefused = async (
    guardrail: Guardrail,
    json: unknown,
    reason: string,
    ...paths: string[]
  ): Promise<void> => {
    const before = await row(guardrail.id);
    expectRefusal(await patch(guardrail.id, json), { status: 400, reason, paths, userId: organization.userId });
    expect(await row(guardrail.id)).toEqual(before);
  };

  const everything = (): Promise<Guardrail> => app.factory.guardrail(organization, EVERYTHING);

  describe('changes', () => {
    it.each(Object.keys(EVERYTHING).filter((field) => !['limit_usd', 'reset_interval'].includes(field)))(
      '%s alone (200) when the request has no other field',
      async (field) => {
        const before = await app.factory.guardrail(organization);
        const value = EVERYTHING[field as keyof typeof EVERYTHING];

        const after = await changed(before.id, { [field]: value });

        const shown = EVERYTHING_SHOWN[field as keyof typeof EVERYTHING_SHOWN];
        expect(after).toEqual({ ...before, [field]: shown, updated_at: after.updated_at });
        expect(after.updated_at).toMatch(TIMESTAMP);
        expect((await auditEventsOf(app, before.id)).at(-1)).toEqual({
          action: 'guardrail.update',
          target_type: 'guardrail',
          target_id: before.id,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: { [field]: { before: before[field as keyof Guardrail], after: shown } },
        });
      },
    );

    it('every field (200) when the request has every field', async () => {
      const before = await app.factory.guardrail(organization);

      const after = await changed(before.id, EVERYTHING);

      expect(after).toEqual({ ...before, ...EVERYTHING_SHOWN, updated_at: after.updated_at });
      expect(await row(before.id)).toMatchObject({
        ...EVERYTHING,
        organization_id: organization.organizationId,
        workspace_id: organization.workspaceId,
        created_at: new Date(before.created_at),
        updated_at: new Date(after.updated_at!),
      });
    });

    it.each(NULLABLE)('%s to null (200)', async (field) => {
      const before = await everything();

      const after = await changed(before.id, { [field]: null });

      expect(after).toEqual({ ...before, [field]: null, updated_at: after.updated_at });
    });

    it.each(['name', 'include_byok_in_budgets'])('nothing (400) when %s is null', async (field) => {
      await expectRefused(await everything(), { [field]: null }, 'invalid_parameters', field);
    });

    it('lists by replacing them (200)', async () => {
      const { id } = await everything();

      const after = await changed(id, {
        allowed_models: ['openai/gpt-latest'],
        ignored_providers: ['azure'],
        content_filters: [],
        content_filter_builtins: [{ slug: 'email', action: 'block' }],
      });

      expect(after).toMatchObject({
        allowed_models: ['openai/gpt-5.5-20260423'],
        ignored_providers: ['azure'],
        content_filters: [],
        content_filter_builtins: [{ slug: 'email', action: 'block', label: '[EMAIL]' }],
        ignored_models: EVERYTHING.ignored_models,
      });
    });

    it('updated_at with every change (200)', async () => {
      const { id } = await app.factory.guardrail(organization);
      const first = await changed(id, { name: 'One' });
      await sleep(5);
      const second = await changed(id, { name: 'Two' });

      expect(Date.parse(second.updated_at!)).toBeGreaterThan(Date.parse(first.updated_at!));
      expect(second.created_at).toBe(first.created_at);
    });

    it('both fields (200) of two requests at the same time', async () => {
      const { id } = await app.factory.guardrail(organization);
      const release = await lockRows(app, 'SELECT 1 FROM guardrails WHERE id = $1 FOR UPDATE', [id]);
      const both = Promise.all([patch(id, { name: 'New' }), patch(id, { description: 'New as well' })]);
      await untilWaitingForLock(app, 2);
      await release();

      expect((await both).map(({ status }) => status)).toEqual([200, 200]);
      expect(await get(id)).toMatchObject({ name: 'New', description: 'New as well' });
    });
  });

  describe('changes nothing', () => {
    it.each([
      ['an empty request', (): object => ({})],
      [
        'what GET answered, without what is read-only',
        ({ id: _, workspace_id: _w, created_at: _c, updated_at: _u, ...fields }: Guardrail): object => fields,
      ],
    ])('for %s: answers 200, writes nothing and records nothing', async (_, request) => {
      const { id } = await everything();
      await changed(id, { name: 'Changed once' });
      const [guardrail, before, events] = [await get(id), await row(id), await auditEventsOf(app, id)];

      expect(await changed(id, request(guardrail))).toEqual(guardrail);
      expect(await row(id)).toEqual(before);
      expect(await auditEventsOf(app, id)).toEqual(events);
    });

    it('for a region that is repeated (200)', async () => {
      const guardrail = await app.factory.guardrail(organization, { allowed_data_regions: ['us'] });

      expect(await changed(guardrail.id, { allowed_data_regions: ['us', 'us'] })).toEqual(guardrail);
    });

    it('for another name of the same model (200)', async () => {
      const guardrail = await app.factory.guardrail(organization, { allowed_models: ['openai/gpt-latest'] });

      expect(await changed(guardrail.id, { allowed_models: ['OpenAI/GPT-5.5'] })).toEqual(guardrail);
    });

    it.each(['id', 'workspace_id', 'created_at', 'updated_at', 'organization_id', 'surprise'])(
      'for %s, which is answered 400',
      async (field) => {
        const guardrail = await everything();
        const value = guardrail[field as keyof Guardrail] ?? null;

        await expectRefused(guardrail, { name: 'Other', [field]: value }, 'invalid_parameters', field);
      },
    );
  });

  describe('changes enforce_zdr', () => {
    it.each([true, false, null])('to %s (200) and leaves the fields of the vendors unchanged', async (value) => {
      const before = await app.factory.guardrail(organization, {
        enforce_zdr_vendor_b: true,
        enforce_zdr_other: false,
      });

      const after = await changed(before.id, { enforce_zdr: value, name: 'Other' });

      const zdr = Object.fromEntries(
        VENDORS.map((vendor) => [`enforce_zdr_${vendor}`, before[`enforce_zdr_${vendor}`]]),
      );
      expect(after).toMatchObject({ ...zdr, enforce_zdr: value });
    });
  });

  describe('checks limit_usd and reset_interval together after the change:', () => {
    it('answers 200 to a change of one of them while both are set', async () => {
      const { id } = await everything();

      expect(await changed(id, { limit_usd: 99 })).toMatchObject({ limit_usd: 99, reset_interval: 'weekly' });
      expect(await changed(id, { reset_interval: 'daily' })).toMatchObject({ limit_usd: 99, reset_interval: 'daily' });
      expect(await changed(id, { limit_usd: 0 })).toMatchObject({ limit_usd: 0, reset_interval: 'daily' });
    });

    it('answers 200 when both are set or cleared together', async () => {
      const { id } = await app.factory.guardrail(organization);
      const both = { limit_usd: 5, reset_interval: 'monthly' };

      expect(await changed(id, both)).toMatchObject(both);
      expect(await changed(id, { limit_usd: null, reset_interval: null })).toMatchObject({
        limit_usd: null,
        reset_interval: null,
      });
    });

    it.each([
      [{ limit_usd: null }, 'limit_usd'],
      [{ reset_interval: null }, 'reset_interval'],
    ])('answers 400 when one of them alone is cleared: %j', async (json, path) => {
      await expectRefused(await everything(), json, 'limit_without_interval', path);
    });

    it.each([
      [{ limit_usd: 5 }, 'reset_interval'],
      [{ reset_interval: 'daily' }, 'limit_usd'],
      [{ limit_usd: 5, reset_interval: null }, 'reset_interval'],
    ])('answers 400 when one of them alone is set: %j', async (json, path) => {
      await expectRefused(await app.factory.guardrail(organization), json, 'limit_without_interval', path);
    });
  });

  describe('for faulty requests', () => {
    it.each<[object, string, string]>([
      [{ name: '' }, 'invalid_parameters', 'name'],
      [{ name: 'x'.repeat(201) }, 'invalid_parameters', 'name'],
      [{ description: 'x'.repeat(1001) }, 'invalid_parameters', 'description'],
      [{ limit_usd: -1 }, 'invalid_parameters', 'limit_usd'],
      [{ reset_interval: 'yearly' }, 'invalid_parameters', 'reset_interval'],
      [{ allowed_models: [] }, 'invalid_parameters', 'allowed_models'],
      [{ allowed_data_regions: [] }, 'invalid_parameters', 'allowed_data_regions'],
      [{ allowed_data_regions: ['asia'] }, 'invalid_parameters', 'allowed_data_regions[0]'],
      [{ allowed_models: ['nobody/nothing'] }, 'unknown_model', 'allowed_models[0]'],
      [{ ignored_models: ['openai/gpt-latest', 'x'] }, 'unknown_model', 'ignored_models[1]'],
      [{ ignored_providers: ['nobody'] }, 'unknown_provider', 'ignored_providers[0]'],
      [{ enforce_zdr_vendor_a: 'true' }, 'invalid_parameters', 'enforce_zdr_vendor_a'],
      [{ enforce_zdr_openai: true }, 'invalid_parameters', 'enforce_zdr_openai'],
      [
        { content_filters: [{ pattern: '(?=a)', action: 'flag' }] },
        'invalid_regex_pattern',
        'content_filters[0].pattern',
      ],
      [
        {
          content_filter_builtins: [
            { slug: 'email', action: 'flag' },
            { slug: 'email', action: 'block' },
          ],
        },
        'duplicate_builtin_filter',
        'content_filter_builtins[1].slug',
      ],
    ])('answers 400 for %j', async (json, reason, path) => {
      await expectRefused(await everything(), json, reason, path);
    });

    it('answers 400 and names unknown values and fields that do not go together at once', async () => {
      await expectRefused(
        await app.factory.guardrail(organization),
        { limit_usd: 1, allowed_models: ['nobody/nothing'], allowed_providers: ['nobody'] },
        'invalid_parameters',
        'reset_interval',
        'allowed_models[0]',
        'allowed_providers[0]',
      );
    });

    it.each(malformedBodies({ name: 'Test' }, LARGE_BODY))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const { id } = await app.factory.guardrail(organization);
        const before = await row(id);

        const answer = await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, ...request });

        expectRefusal(answer, { userId: organization.userId, ...refusal });
        expect(await row(id)).toEqual(before);
      },
    );
  });

  describe('for the default guardrail of a workspace', () => {
    const newWorkspace = async (): Promise<{ workspaceId: string; id: string }> => {
      const workspaceId = await app.factory.workspace(organization);
      return { workspaceId, id: defaultGuardrailIdOf(workspaceId) };
    };

    const listed = async (workspaceId: string): Promise<unknown> =>
      (await app.api.get(`/guardrails?workspace_id=${workspaceId}`, { key: organization.managementKey })).body;

    it('answers 200 to the first change, which stores it, and lists it from then on', async () => {
      const { workspaceId, id } = await newWorkspace();
      const before = await get(id);
      expect(await listed(workspaceId)).toEqual({ data: [], total_count: 0 });

      const after = await changed(id.toUpperCase(), { ignored_models: ['openai/gpt-latest'] });

      expect(after).toEqual({
        ...before,
        ignored_models: ['openai/gpt-5.5-20260423'],
        updated_at: after.updated_at,
      });
      expect(await row(id)).toMatchObject({ workspace_id: workspaceId, ignored_models: after.ignored_models });
      expect(await listed(workspaceId)).toEqual({ data: [after], total_count: 1 });
      expect(await auditEventsOf(app, id)).toMatchObject([
        {
          action: 'guardrail.update',
          changes: { ignored_models: { before: null, after: ['openai/gpt-5.5-20260423'] } },
        },
      ]);
    });

    it('answers 200 to further changes like for any guardrail', async () => {
      const { id } = await newWorkspace();
      await changed(id, { description: 'First' });

      expect(await changed(id, { name: 'Second' })).toMatchObject({ description: 'First', name: 'Second' });
    });

    it.each([{}, { description: null }])(
      'answers 200 and stores nothing for %j, which changes nothing',
      async (json) => {
        const { id } = await newWorkspace();
        const before = await get(id);

        expect(await changed(id, json)).toEqual(before);
        expect(await row(id)).toBeUndefined();
      },
    );

    it('answers 400 and stores nothing for a faulty change', async () => {
      const { id } = await newWorkspace();

      expect((await patch(id, { limit_usd: 5 })).status).toBe(400);
      expect(await row(id)).toBeUndefined();
    });

    it('answers 200 to two first changes at the same time, and stores one row with both', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { workspaceId, id } = await newWorkspace();
        const changes = [{ name: 'New' }, { description: 'New as well' }, { enforce_zdr_other: true }];

        const answers = await Promise.all(changes.map((json) => patch(id, json)));

        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(await get(id)).toMatchObject(Object.assign({}, ...changes) as object);
        expect(await listed(workspaceId)).toMatchObject({ total_count: 1 });
        expect(await auditEventsOf(app, id)).toHaveLength(3);
      }
    });

    it('answers 200 to each of 16 first changes at the same time, and applies them all', async () => {
      const { content_filters: _, content_filter_builtins: _b, limit_usd, reset_interval, ...fields } = EVERYTHING;
      const changes = [
        ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
        { limit_usd, reset_interval },
      ];
      const resolved = { allowed_models: expect.any(Array) as unknown, ignored_models: expect.any(Array) as unknown };
      for (let round = 0; round < 5; round += 1) {
        const { id } = await newWorkspace();

        const answers = await Promise.all(changes.slice(0, 16).map((json) => patch(id, json)));

        expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
        expect(await get(id)).toMatchObject({ ...Object.assign({}, ...changes.slice(0, 16)), ...resolved });
        expect(await auditEventsOf(app, id)).toHaveLength(16);
      }
    });

    it('answers 404 once its workspace is deleted', async () => {
      const { workspaceId, id } = await newWorkspace();
      await changed(id, { name: 'Stored' });
      await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);

      expect(await row(id)).toBeUndefined();
      expectRefusal(await patch(id, { name: 'Gone' }), {
        status: 404,
        reason: 'guardrail_not_found',
        userId: organization.userId,
      });
    });
  });

  it("answers 404 with the same body for another organization's guardrails and for missing ones, and changes nothing", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.guardrail(other);
    const before = await row(theirs.id);
    const missing = await patch(UNKNOWN_UUID, { name: 'Intruder' });

    expectRefusal(missing, { status: 404, reason: 'guardrail_not_found', userId: organization.userId });
    for (const id of [theirs.id, defaultGuardrailIdOf(other.workspaceId), 'default']) {
      expect((await patch(id, { name: 'Intruder' })).text).toBe(missing.text);
    }
    expect(await row(theirs.id)).toEqual(before);
  });

  it('answers 200 in the public dialect when the deployment speaks it', async () => {
    const variables = { API_DIALECT: 'public', ZDR_VENDORS: 'anthropic,openai,google,x-ai' };
    const replica = await TestApplication.start({ variables, database: app.database });
    const { id } = await app.factory.guardrail(organization);

    const { body } = await replica.api.patch(`/guardrails/${id}`, {
      key: organization.managementKey,
      json: { enforce_zdr_xai: true },
    });

    expect(body).toMatchObject({ data: { enforce_zdr_xai: true, enforce_zdr_anthropic: null } });
    expect(await get(id)).toMatchObject({ enforce_zdr_vendor_d: true, enforce_zdr_vendor_a: null });
    await replica.stop();
  });
});
