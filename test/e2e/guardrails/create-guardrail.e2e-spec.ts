import type { CreateGuardrailResponse, Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { EVERY_GUARDRAIL_SETTING } from '../../support/resources/guardrails.js';
import { LARGE_BODY, malformedBodies, bodyTooLarge } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** One code point, two UTF-16 code units, four bytes. */
const ASTRAL = '\u{1f512}';

const LISTS = ['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'] as const;

const MODEL_LISTS = ['allowed_models', 'ignored_models'] as const;

const PROVIDER_LISTS = ['allowed_providers', 'ignored_providers'] as const;

const VENDORS = ['vendor_a', 'vendor_b', 'vendor_c', 'vendor_d', 'other'] as const;

const SWITCHES = [
  'enable_free_model_publication',
  'enable_free_model_training',
  'enable_paid_model_training',
  'enforce_zdr',
  ...VENDORS.map((vendor) => `enforce_zdr_${vendor}`),
];

/** The answer's fields beside those that a request sets. */
const ALL_UNSET = {
  description: null,
  limit_usd: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  allowed_data_regions: null,
  enforce_zdr: null,
  enforce_zdr_vendor_a: null,
  enforce_zdr_vendor_b: null,
  enforce_zdr_vendor_c: null,
  enforce_zdr_vendor_d: null,
  enforce_zdr_other: null,
  enable_free_model_publication: null,
  enable_free_model_training: null,
  enable_paid_model_training: null,
  content_filter_builtins: null,
  content_filters: null,
  updated_at: null,
};

describe('createGuardrail', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const post = (json: unknown): Promise<Answer<CreateGuardrailResponse>> =>
    app.api.post('/guardrails', { key: organization.managementKey, json });

  const create = async (fields: object): Promise<Guardrail> => {
    const answer = await post({ name: 'Test', ...fields });
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(201);
    expectToFitContract('createGuardrail', 201, answer.body);
    return answer.body.data;
  };

  const row = async (id: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM guardrails WHERE id = $1', [id]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const count = async (): Promise<number> => (await app.rows('SELECT id FROM guardrails')).length;

  /** Refused, and nothing stored. */
  const expectNothingStored = async (request: () => Promise<Answer>, refusal: Refusal): Promise<Answer> => {
    const before = await count();
    const answer = await request();
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expect(await count()).toBe(before);
    return answer;
  };

  const expectRefused = (fields: object, reason: string, ...paths: string[]): Promise<Answer> =>
    expectNothingStored(() => post({ name: 'Test', ...fields }), { status: 400, reason, paths });

  const messagesOf = (answer: Answer): string[] =>
    (answer.body as ErrorBody).error.metadata.issues!.map((issue) => issue.message);

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

  describe('limit_usd and reset_interval', () => {
    it.each(['daily', 'weekly', 'monthly'])('are answered 201 and stored: a limit that resets %s', async (interval) => {
      const guardrail = await create({ limit_usd: 0.01, reset_interval: interval });

      expect(guardrail).toMatchObject({ limit_usd: 0.01, reset_interval: interval });
      expect(await row(guardrail.id)).toMatchObject({ limit_usd: 0.01, reset_interval: interval });
    });

    it.each(['0', '-0', '0.1', '1e2', '5e-324', '1.7976931348623157e308', '9007199254740993'])(
      'answer 201 for %s, as the nearest double',
      async (literal) => {
        const raw = `{"name":"Test","reset_interval":"daily","limit_usd":${literal}}`;
        const { status, body } = await app.api.post<CreateGuardrailResponse>('/guardrails', {
          key: organization.managementKey,
          raw,
        });

        expect(status).toBe(201);
        expect(body.data.limit_usd).toBe(Number(literal) + 0);
        expect(Number((await row(body.data.id))['limit_usd']) + 0).toBe(Number(literal) + 0);
      },
    );

    it.each(['-1', '-5e-324', '1e400', '-1e400', '"5"', 'true', '[]', '{}'])(
      'answers 400 for a limit of %s',
      async (literal) => {
        const raw = `{"name":"Test","reset_interval":"daily","limit_usd":${literal}}`;

        await expectNothingStored(() => app.api.post('/guardrails', { key: organization.managementKey, raw }), {
          status: 400,
          reason: 'invalid_parameters',
          paths: ['limit_usd'],
        });
      },
    );

    it.each(['', 'Daily', 'yearly', 'lifetime', 1, ['daily'], false])(
      'answers 400 for an interval of %p',
      async (interval) => {
        await expectRefused({ limit_usd: 5, reset_interval: interval }, 'invalid_parameters', 'reset_interval');
      },
    );

    it.each([
      [{ limit_usd: 5 }, 'reset_interval'],
      [{ limit_usd: 0 }, 'reset_interval'],
      [{ limit_usd: 5, reset_interval: null }, 'reset_interval'],
      [{ reset_interval: 'monthly' }, 'limit_usd'],
      [{ limit_usd: null, reset_interval: 'monthly' }, 'limit_usd'],
    ])('answers 400 for %j: the two fields go together', async (fields, path) => {
      await expectRefused(fields, 'limit_without_interval', path);
    });
  });

  describe('the boolean settings', () => {
    it.each(SWITCHES.flatMap((field) => [true, false].map((value) => [field, value] as const)))(
      'are answered 201 and stored: %s: %s',
      async (field, value) => {
        const guardrail = await create({ [field]: value });

        expect(guardrail).toHaveProperty(field, value);
        expect(await row(guardrail.id)).toHaveProperty(field, value);
      },
    );

    it.each([...SWITCHES, 'include_byok_in_budgets'])(
      'answers 400 for anything but a boolean for %s',
      async (field) => {
        for (const value of ['true', '', 0, 1, [], {}])
          await expectRefused({ [field]: value }, 'invalid_parameters', field);
      },
    );

    it('answers 400 for null for include_byok_in_budgets', async () => {
      await expectRefused({ include_byok_in_budgets: null }, 'invalid_parameters', 'include_byok_in_budgets');
    });

    it.each([
      ['is copied into every field that is absent', { enforce_zdr: true }, [true, true, true, true, true]],
      ['is copied when it is false, too', { enforce_zdr: false }, [false, false, false, false, false]],
      ['is copied when it is null', { enforce_zdr: null }, [null, null, null, null, null]],
      [
        'leaves alone what is set',
        { enforce_zdr: true, enforce_zdr_vendor_b: false, enforce_zdr_other: false },
        [true, false, true, true, false],
      ],
      [
        'leaves alone what is set to null',
        { enforce_zdr: true, enforce_zdr_vendor_a: null, enforce_zdr_vendor_d: null },
        [null, true, true, null, true],
      ],
      ['is not derived from the fields of the vendors', { enforce_zdr_vendor_c: true }, [null, null, true, null, null]],
    ])('answer 201, and enforce_zdr %s', async (_, fields, expected) => {
      const zdr = {
        enforce_zdr: 'enforce_zdr' in fields ? fields.enforce_zdr : null,
        ...Object.fromEntries(VENDORS.map((vendor, index) => [`enforce_zdr_${vendor}`, expected[index]])),
      };

      const guardrail = await create(fields);

      expect(guardrail).toMatchObject(zdr);
      expect(await row(guardrail.id)).toMatchObject(zdr);
    });
  });

  describe('models and providers', () => {
    it.each([
      ['an id', 'openai/gpt-5.5', 'openai/gpt-5.5-20260423'],
      ['a canonical slug', 'openai/gpt-5.5-20260423', 'openai/gpt-5.5-20260423'],
      ['an alias', 'openai/gpt-latest', 'openai/gpt-5.5-20260423'],
      ['any case', 'OpenAI/GPT-Latest', 'openai/gpt-5.5-20260423'],
      ['an image model', 'openai/gpt-image-2', 'openai/gpt-image-2'],
      [
        'a variant with an entry of its own',
        'deepseek/deepseek-v4-flash:free',
        'deepseek/deepseek-v4-flash-20260423:free',
      ],
      [
        'a variant of a canonical slug',
        'deepseek/deepseek-v4-flash-20260423:free',
        'deepseek/deepseek-v4-flash-20260423:free',
      ],
      ['a variant without an entry', 'openai/gpt-5.5:nitro', 'openai/gpt-5.5-20260423:nitro'],
      ['a variant of an alias', 'anthropic/claude-opus-latest:thinking', 'anthropic/claude-4.7-opus-20260416:thinking'],
      ['a variant in capitals', 'openai/gpt-oss-120b:FREE', 'openai/gpt-oss-120b:free'],
    ])('are stored (201): %s becomes the canonical slug', async (_, reference, canonical) => {
      const guardrail = await create({ allowed_models: [reference], ignored_models: [reference] });

      expect(guardrail).toMatchObject({ allowed_models: [canonical], ignored_models: [canonical] });
      expect(await row(guardrail.id)).toMatchObject({ allowed_models: [canonical], ignored_models: [canonical] });
    });

    it.each(['free', 'extended', 'thinking', 'online', 'nitro', 'floor', 'beta', 'batch'])(
      'answer 201 for the variant %s',
      async (variant) => {
        const { allowed_models: models } = await create({ allowed_models: [`openai/gpt-audio:${variant}`] });

        expect(models).toEqual([`openai/gpt-audio:${variant}`]);
      },
    );

    it.each(MODEL_LISTS)('are stored (201): %s in their order, each model once', async (list) => {
      const references = [
        'xiaomi/mimo-v2.5-pro',
        'openai/gpt-5.5',
        'openai/gpt-5.5:free',
        'OPENAI/gpt-latest',
        'openai/gpt-5.5-20260423',
        'openai/gpt-latest:free',
        'amazon/nova-2-lite-v1',
        'xiaomi/mimo-v2.5-pro',
      ];
      const expected = [
        'xiaomi/mimo-v2.5-pro-20260422',
        'openai/gpt-5.5-20260423',
        'openai/gpt-5.5-20260423:free',
        'amazon/nova-2-lite-v1',
      ];

      const guardrail = await create({ [list]: references });

      expect(guardrail[list]).toEqual(expected);
      expect((await row(guardrail.id))[list]).toEqual(expected);
    });

    it.each(PROVIDER_LISTS)('are stored (201): %s in lower case and in their order, each once', async (list) => {
      const guardrail = await create({ [list]: ['xai', 'Azure', 'AZURE', 'azure', 'google-vertex'] });

      expect(guardrail[list]).toEqual(['xai', 'azure', 'google-vertex']);
      expect((await row(guardrail.id))[list]).toEqual(['xai', 'azure', 'google-vertex']);
    });

    it.each(MODEL_LISTS)('answers 400 and names every one of %s that the catalog does not have', async (list) => {
      const references = [
        'openai/gpt-5.5',
        'openai/no-such-model',
        'gpt-5.5',
        '',
        'openai/gpt-5.5:unknown',
        'openai/gpt-5.5:',
        'openai/gpt-5.5:free:free',
        'openai/gpt-latest ',
      ];
      const unknown = references.slice(1);

      const answer = await expectRefused(
        { [list]: references },
        'unknown_model',
        ...unknown.map((_, index) => `${list}[${index + 1}]`),
      );

      for (const [index, message] of messagesOf(answer).entries()) expect(message).toContain(unknown[index]);
    });

    it.each(PROVIDER_LISTS)('answers 400 and names every unknown one of %s', async (list) => {
      const answer = await expectRefused(
        { [list]: ['no-such-provider', 'openai', 'anthropic/claude-opus-4.7', ''] },
        'unknown_provider',
        `${list}[0]`,
        `${list}[2]`,
        `${list}[3]`,
      );

      expect(messagesOf(answer)[0]).toContain('no-such-provider');
      expect(messagesOf(answer)[1]).toContain('anthropic/claude-opus-4.7');
    });

    it('answers 201 for the same model and provider as allowed and as ignored', async () => {
      const fields = {
        allowed_models: ['openai/gpt-audio'],
        ignored_models: ['openai/gpt-audio'],
        allowed_providers: ['openai'],
        ignored_providers: ['openai'],
      };

      const guardrail = await create(fields);

      expect(guardrail).toMatchObject(fields);
      expect(await row(guardrail.id)).toMatchObject(fields);
    });

    it('answers 201 for a retired model', async () => {
      await app.rows(`UPDATE models SET in_model_list = false WHERE id = 'z-ai/glm-5v-turbo'`);

      const { allowed_models: models } = await create({ allowed_models: ['z-ai/glm-5v-turbo'] });

      expect(models).toEqual(['z-ai/glm-5v-turbo-20260401']);
    });

    it.each(LISTS)('answers 400 for %s without an item', async (list) => {
      await expectRefused({ [list]: [] }, 'invalid_parameters', list);
    });

    it.each(LISTS)('answers 400 for %s that is not a list of strings', async (list) => {
      for (const value of ['openai', { 0: 'openai' }, 1, true]) {
        await expectRefused({ [list]: value }, 'invalid_parameters', list);
      }
      await expectRefused(
        { [list]: [null, 'openai', 1, ['a']] },
        'invalid_parameters',
        `${list}[0]`,
        `${list}[2]`,
        `${list}[3]`,
      );
      await expectRefused({ [list]: ['a\u0000', '\ud800'] }, 'invalid_parameters', `${list}[0]`, `${list}[1]`);
    });

    it('answers 201 for a thousand references, and 400 that names each unknown one', async () => {
      const same = await create({ allowed_models: Array.from({ length: 1_000 }, () => 'openai/gpt-audio') });
      const unknown = Array.from({ length: 1_000 }, (_, index) => `nobody/model-${index}`);

      expect(same.allowed_models).toEqual(['openai/gpt-audio']);
      await expectRefused(
        { allowed_models: unknown },
        'unknown_model',
        ...unknown.map((_, index) => `allowed_models[${index}]`),
      );
    });
  });

  describe('allowed_data_regions', () => {
    it.each([[['global']], [['europe']], [['us']], [['us', 'europe', 'global']]])(
      'answers 201 with %j in this order',
      async (regions) => {
        const guardrail = await create({ allowed_data_regions: regions });

        expect(guardrail.allowed_data_regions).toEqual(regions);
        expect((await row(guardrail.id))['allowed_data_regions']).toEqual(regions);
      },
    );

    it('answers 201 with a region once that is given twice', async () => {
      const guardrail = await create({ allowed_data_regions: ['us', 'europe', 'us', 'us'] });

      expect(guardrail.allowed_data_regions).toEqual(['us', 'europe']);
      expect((await row(guardrail.id))['allowed_data_regions']).toEqual(['us', 'europe']);
    });

    it.each([
      ['an empty list', [], 'allowed_data_regions'],
      ['a region in place of a list', 'europe', 'allowed_data_regions'],
      ['an object', {}, 'allowed_data_regions'],
      ['another region', ['europe', 'asia'], 'allowed_data_regions[1]'],
      ['the short name of a region', ['eu'], 'allowed_data_regions[0]'],
      ['a region in capitals', ['US'], 'allowed_data_regions[0]'],
      ['null in the list', [null], 'allowed_data_regions[0]'],
      ['an empty text', [''], 'allowed_data_regions[0]'],
    ])('answers 400 to %s', async (_, value, path) => {
      await expectRefused({ allowed_data_regions: value }, 'invalid_parameters', path);
    });

    it('is recorded in the audit trail (201)', async () => {
      const { id } = await create({ allowed_data_regions: ['europe'] });

      expect((await auditEventsOf(app, id))[0]).toMatchObject({
        changes: { allowed_data_regions: { after: ['europe'] } },
      });
    });
  });

  describe('content_filter_builtins', () => {
    const LABELS = {
      email: '[EMAIL]',
      phone: '[PHONE]',
      ssn: '[SSN]',
      'credit-card': '[CREDIT_CARD]',
      'ip-address': '[IP_ADDRESS]',
      secrets: '[SECRET]',
      'person-name': '[PERSON_NAME]',
      address: '[ADDRESS]',
      'regex-prompt-injection': '[PROMPT_INJECTION]',
    };

    it.each(Object.entries(LABELS))('answers 201 for %s with the label %s, with every action', async (slug, label) => {
      const scope = slug === 'regex-prompt-injection' ? { scan_scope: 'all_messages' } : {};
      for (const action of ['redact', 'block', 'flag']) {
        const guardrail = await create({ content_filter_builtins: [{ slug, action }] });

        expect(guardrail.content_filter_builtins).toEqual([{ slug, action, label, ...scope }]);
        expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug, action, ...scope }]);
      }
    });

    it.each(['user_only', 'all_messages'])(
      'answers 201 with a scan scope of %s on regex-prompt-injection',
      async (scope) => {
        const entry = { slug: 'regex-prompt-injection', action: 'block', scan_scope: scope };

        const guardrail = await create({ content_filter_builtins: [entry] });

        expect(guardrail.content_filter_builtins).toEqual([{ ...entry, label: '[PROMPT_INJECTION]' }]);
        expect((await row(guardrail.id))['content_filter_builtins']).toEqual([entry]);
      },
    );

    it('answers 201 without the scan scope of another slug', async () => {
      const guardrail = await create({
        content_filter_builtins: [{ slug: 'secrets', action: 'redact', scan_scope: 'user_only' }],
      });

      expect(guardrail.content_filter_builtins).toEqual([{ slug: 'secrets', action: 'redact', label: '[SECRET]' }]);
      expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug: 'secrets', action: 'redact' }]);
    });

    it.each([
      ['a label', 'mine'],
      ['an empty label', ''],
      ['a label of 100 characters outside the basic plane', ASTRAL.repeat(100)],
    ])('answers 201 without %s', async (_, label) => {
      const guardrail = await create({ content_filter_builtins: [{ slug: 'phone', action: 'flag', label }] });

      expect(guardrail.content_filter_builtins).toEqual([{ slug: 'phone', action: 'flag', label: '[PHONE]' }]);
      expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug: 'phone', action: 'flag' }]);
    });

    it('answers 201 with all entries in their order', async () => {
      const entries = Object.keys(LABELS)
        .reverse()
        .map((slug) => ({ slug, action: 'flag' }));

      const guardrail = await create({ content_filter_builtins: entries });

      expect(guardrail.content_filter_builtins!.map((entry) => entry.slug)).toEqual(entries.map((entry) => entry.slug));
    });

    it('answers 201 for an empty list, because the interface has no minimum', async () => {
      const guardrail = await create({ content_filter_builtins: [], content_filters: [] });

      expect(guardrail).toMatchObject({ content_filter_builtins: [], content_filters: [] });
      expect(await row(guardrail.id)).toMatchObject({ content_filter_builtins: [], content_filters: [] });
    });

    it('answers 400 and names each repeated slug', async () => {
      const entry = { slug: 'email', action: 'flag' };

      const answer = await expectRefused(
        { content_filter_builtins: [entry, { slug: 'ssn', action: 'flag' }, { ...entry, action: 'block' }, entry] },
        'duplicate_builtin_filter',
        'content_filter_builtins[2].slug',
        'content_filter_builtins[3].slug',
      );

      expect(messagesOf(answer)[0]).toContain('email');
    });

    const faultyEntries: [name: string, entry: unknown, path: string][] = [
      ['an unknown slug', { slug: 'iban', action: 'flag' }, '.slug'],
      ['a slug in capitals', { slug: 'EMAIL', action: 'flag' }, '.slug'],
      ['a slug of null', { slug: null, action: 'flag' }, '.slug'],
      ['no slug', { action: 'flag' }, '.slug'],
      ['an unknown action', { slug: 'email', action: 'log' }, '.action'],
      ['no action', { slug: 'email' }, '.action'],
      ['an unknown scope', { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'system' }, '.scan_scope'],
      ['an unknown scope that would have no effect', { slug: 'email', action: 'flag', scan_scope: '' }, '.scan_scope'],
      ['a label of 101 characters', { slug: 'email', action: 'flag', label: ASTRAL.repeat(101) }, '.label'],
      ['a label of null', { slug: 'email', action: 'flag', label: null }, '.label'],
      ['a label with NUL', { slug: 'email', action: 'flag', label: '\u0000' }, '.label'],
      ['an unknown field', { slug: 'email', action: 'flag', pattern: 'x' }, '.pattern'],
      ['a string', 'email', ''],
      ['null', null, ''],
    ];

    it.each(faultyEntries)('answers 400 for %s', async (_, entry, path) => {
      const fine = { slug: 'ssn', action: 'flag' };

      await expectRefused(
        { content_filter_builtins: [fine, entry] },
        'invalid_parameters',
        `content_filter_builtins[1]${path}`,
      );
    });

    it.each(['email', {}, true])('answers 400 for %p in place of a list', async (value) => {
      await expectRefused({ content_filter_builtins: value }, 'invalid_parameters', 'content_filter_builtins');
    });
  });

  describe('content_filters', () => {
    it.each(['redact', 'block', 'flag'])('answers 201 with a filter of the action %s', async (action) => {
      const guardrail = await create({ content_filters: [{ pattern: 'x', action }] });

      expect(guardrail.content_filters).toEqual([{ pattern: 'x', action }]);
      expect((await row(guardrail.id))['content_filters']).toEqual([{ pattern: 'x', action }]);
    });

    it('answers 201 with different bodies for an absent label, null and an empty one', async () => {
      const filters = [
        { pattern: 'a', action: 'flag' },
        { pattern: 'b', action: 'flag', label: null },
        { pattern: 'c', action: 'flag', label: '' },
        { pattern: 'd', action: 'flag', label: ASTRAL.repeat(100) },
      ];

      const guardrail = await create({ content_filters: filters });

      expect(guardrail.content_filters).toEqual(filters);
      expect((await row(guardrail.id))['content_filters']).toEqual(filters);
    });

    it('answers 201 with two filters of the same pattern', async () => {
      const filters = [
        { pattern: 'a', action: 'flag', label: 'one' },
        { pattern: 'a', action: 'block', label: 'other' },
      ];

      expect((await create({ content_filters: filters })).content_filters).toEqual(filters);
    });

    it.each([
      ['the classic of back-tracking', '(a+)+$'],
      ['nested quantifiers', '^(([a-z])+.)+[A-Z]([a-z])+$'],
      ['overlapping alternatives', '(a|aa)+$'],
      ['groups, classes and flags', '(?i)(?P<word>\\bsecret\\b)|(?:[^\\s]{2,5})'],
      ['properties of Unicode', '\\p{Greek}+\\d{3}'],
      ['a character outside the basic plane', ASTRAL],
      ['one character', '.'],
      ['100,000 characters', 'a'.repeat(100_000)],
      ['100,000 characters outside the basic plane', ASTRAL.repeat(100_000)],
    ])('answers 201 for %s as pattern', async (_, pattern) => {
      const guardrail = await create({ content_filters: [{ pattern, action: 'block' }] });

      expect(guardrail.content_filters).toEqual([{ pattern, action: 'block' }]);
      expect((await row(guardrail.id))['content_filters']).toEqual([{ pattern, action: 'block' }]);
    });

    it.each([
      ['looks ahead', 'a(?=b)'],
      ['looks ahead for what must not be', 'a(?!b)'],
      ['looks behind', '(?<=a)b'],
      ['looks behind for what must not be', '(?<!a)b'],
      ['refers back by number', '(a)\\1'],
      ['refers back by name', '(?P<x>a)\\k<x>'],
      ['is atomic', '(?>a+)b'],
      ['is possessive', 'a++'],
      ['opens a group alone', '('],
      ['closes a group alone', ')'],
      ['opens a class alone', '[a'],
      ['repeats nothing', '*'],
      ['repeats too often', 'a{1001}'],
      ['ends in a backslash', 'a\\'],
      ['repeats the other way round', 'a{2,1}'],
      ['ranges the other way round', '[z-a]'],
    ])('answers 400 for a pattern that %s', async (_, pattern) => {
      await expectRefused(
        {
          content_filters: [
            { pattern: 'fine', action: 'flag' },
            { pattern, action: 'flag' },
          ],
        },
        'invalid_regex_pattern',
        'content_filters[1].pattern',
      );
    });

    it('answers 400 and names every pattern that does not compile', async () => {
      const patterns = ['(', 'fine', '(?=a)', '[', '(a)\\1'];

      await expectRefused(
        { content_filters: patterns.map((pattern) => ({ pattern, action: 'flag' })) },
        'invalid_regex_pattern',
        ...[0, 2, 3, 4].map((index) => `content_filters[${index}].pattern`),
      );
    });

    it.each([
      ['groups within groups', `${'('.repeat(40_000)}a${')'.repeat(40_000)}`],
      ['groups that are not closed', '('.repeat(100_000)],
      ['alternatives', '|'.repeat(100_000)],
      ['repetitions of repetitions', `${'('.repeat(5)}a${'{1000})'.repeat(5)}`],
      ['stars of stars', `a${'*'.repeat(50_000)}`],
      ['classes', '[a-z]'.repeat(20_000)],
      ['counted classes of Unicode', '\\p{L}{1000}'.repeat(8_000)],
    ])('answers 201 or 400 to a pattern of very many %s, and answers 200 afterwards', async (_, pattern) => {
      const answer = await post({ name: 'Test', content_filters: [{ pattern, action: 'flag' }] });

      expect([201, 400]).toContain(answer.status);
      expect((await app.api.get('/guardrails?limit=1', { key: organization.managementKey })).status).toBe(200);
    });

    const faultyEntries: [name: string, entry: unknown, path: string][] = [
      ['an empty pattern', { pattern: '', action: 'flag' }, '.pattern'],
      ['a pattern of 100,001 characters', { pattern: 'a'.repeat(100_001), action: 'flag' }, '.pattern'],
      [
        'a pattern of 100,001 characters outside the basic plane',
        { pattern: ASTRAL.repeat(100_001), action: 'flag' },
        '.pattern',
      ],
      ['a pattern of null', { pattern: null, action: 'flag' }, '.pattern'],
      ['a pattern of a number', { pattern: 1, action: 'flag' }, '.pattern'],
      ['no pattern', { action: 'flag' }, '.pattern'],
      ['a pattern with NUL', { pattern: 'a\u0000', action: 'flag' }, '.pattern'],
      ['a pattern with a lone surrogate', { pattern: 'a\udc00', action: 'flag' }, '.pattern'],
      ['no action', { pattern: 'a' }, '.action'],
      ['an unknown action', { pattern: 'a', action: 'allow' }, '.action'],
      ['an action of null', { pattern: 'a', action: null }, '.action'],
      ['a label of 101 characters', { pattern: 'a', action: 'flag', label: 'x'.repeat(101) }, '.label'],
      [
        'a label of 101 characters outside the basic plane',
        { pattern: 'a', action: 'flag', label: ASTRAL.repeat(101) },
        '.label',
      ],
      ['a label of a number', { pattern: 'a', action: 'flag', label: 1 }, '.label'],
      ['an unknown field', { pattern: 'a', action: 'flag', flags: 'i' }, '.flags'],
      ['a string', 'a', ''],
      ['a list', ['a'], ''],
    ];

    it.each(faultyEntries)('answers 400 for %s', async (_, entry, path) => {
      await expectRefused({ content_filters: [entry] }, 'invalid_parameters', `content_filters[0]${path}`);
    });

    it('answers 201 for a thousand filters, and 400 that names every issue of each', async () => {
      const filters = Array.from({ length: 1_000 }, (_, index) => ({ pattern: `word-${index}`, action: 'flag' }));

      expect((await create({ content_filters: filters })).content_filters).toEqual(filters);
      await expectRefused(
        { content_filters: filters.map((filter) => ({ ...filter, action: 'x' })) },
        'invalid_parameters',
        ...filters.map((_, index) => `content_filters[${index}].action`),
      );
    });
  });

  describe('faulty requests', () => {
    it('are answered 400 that names every issue of form at once', async () => {
      await expectRefused(
        {
          name: '',
          description: 1,
          workspace_id: 'x',
          limit_usd: -1,
          reset_interval: 'never',
          include_byok_in_budgets: 'yes',
          allowed_models: [],
          ignored_models: [1],
          allowed_providers: 'openai',
          ignored_providers: ['\u0000'],
          enforce_zdr: 1,
          enforce_zdr_other: 'true',
          content_filter_builtins: [{ slug: 'email', action: 'flag' }, { slug: 'email' }],
          content_filters: [{ pattern: '(' }],
          surprise: true,
        },
        'invalid_parameters',
        'name',
        'description',
        'workspace_id',
        'limit_usd',
        'reset_interval',
        'include_byok_in_budgets',
        'allowed_models',
        'ignored_models[0]',
        'allowed_providers',
        'ignored_providers[0]',
        'enforce_zdr',
        'enforce_zdr_other',
        'content_filter_builtins[1].action',
        'content_filter_builtins[1].slug',
        'content_filters[0].action',
        'content_filters[0].pattern',
        'surprise',
      );
    });

    it('are answered 400 that names every unknown reference at once', async () => {
      await expectRefused(
        {
          workspace_id: UNKNOWN_UUID,
          allowed_models: ['openai/gpt-audio', 'nobody/nothing'],
          ignored_models: ['nobody/nothing'],
          allowed_providers: ['nobody'],
          ignored_providers: ['openai', 'nobody'],
        },
        'invalid_parameters',
        'workspace_id',
        'allowed_models[1]',
        'ignored_models[0]',
        'allowed_providers[0]',
        'ignored_providers[1]',
      );
    });

    it.each(malformedBodies({ name: 'Test' }, LARGE_BODY))(
      'are answered 400, 413 or 415: %s',
      async (_, request, refusal) => {
        await expectNothingStored(
          () => app.api.post('/guardrails', { key: organization.managementKey, ...request }),
          refusal,
        );
      },
    );

    it.each(['id', 'created_at', 'updated_at', 'organization_id'])(
      'are answered 400 when the body sets %s',
      async (field) => {
        await expectRefused({ [field]: organization.workspaceId }, 'invalid_parameters', field);
      },
    );

    it('are answered 400 with a query', async () => {
      await expectNothingStored(
        () =>
          app.api.post(`/guardrails?workspace_id=${organization.workspaceId}`, {
            key: organization.managementKey,
            json: { name: 'Test' },
          }),
        { status: 400, reason: 'invalid_parameters', paths: ['workspace_id'] },
      );
    });

    it('are answered 413 from 1 MiB and one byte on, and 201 up to 1 MiB', async () => {
      const body = (size: number): string => '{"name":"Test"}'.padEnd(size);

      const answer = await app.api.post('/guardrails', { key: organization.managementKey, raw: body(1_048_576) });

      expect(answer.status).toBe(201);
      await expectNothingStored(
        () => app.api.post('/guardrails', { key: organization.managementKey, raw: body(1_048_577) }),
        bodyTooLarge(LARGE_BODY),
      );
    });
  });

  describe('with API_DIALECT=public', () => {
    const PUBLIC = ['anthropic', 'openai', 'google', 'xai'];

    it('answers 201 and names the ZDR fields after the vendors, in requests and answers', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const json = { name: 'Test', enforce_zdr: true, enforce_zdr_openai: false, enforce_zdr_xai: null };

      const { status, body } = await api.post<{ data: Record<string, unknown> }>('/guardrails', {
        key: organization.managementKey,
        json,
      });

      expect(status).toBe(201);
      const { id, name, workspace_id, created_at, ...fields } = body.data;
      const { enforce_zdr_vendor_a, enforce_zdr_vendor_b, enforce_zdr_vendor_c, enforce_zdr_vendor_d, ...common } =
        ALL_UNSET;
      expect([enforce_zdr_vendor_a, enforce_zdr_vendor_b, enforce_zdr_vendor_c, enforce_zdr_vendor_d]).not.toContain(
        true,
      );
      expect(fields).toEqual({
        ...common,
        enforce_zdr: true,
        enforce_zdr_anthropic: true,
        enforce_zdr_openai: false,
        enforce_zdr_google: true,
        enforce_zdr_xai: null,
        enforce_zdr_other: true,
      });
      expect([name, workspace_id, created_at]).toEqual(['Test', organization.workspaceId, expect.any(String)]);
      expect(await row(String(id))).toMatchObject({
        enforce_zdr_vendor_a: true,
        enforce_zdr_vendor_b: false,
        enforce_zdr_vendor_c: true,
        enforce_zdr_vendor_d: null,
        enforce_zdr_other: true,
      });
    });

    it('answers 200 in one dialect with what was created (201) in the other', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const workspaceId = await app.factory.workspace(organization);
      await create({ workspace_id: workspaceId, enforce_zdr_vendor_c: true });

      const { body } = await api.get<{ data: Record<string, unknown>[] }>(`/guardrails?workspace_id=${workspaceId}`, {
        key: organization.managementKey,
      });

      const fields = Object.keys(body.data[0]!).filter((field) => field.startsWith('enforce_zdr_'));
      expect(fields.sort()).toEqual([...PUBLIC, 'other'].map((vendor) => `enforce_zdr_${vendor}`).sort());
      expect(body.data[0]!['enforce_zdr_google']).toBe(true);
    });

    it("answers 400 for the default dialect's names, and names issues as the caller wrote them", async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const json = {
        name: 'Test',
        enforce_zdr_vendor_a: true,
        enforce_zdr_vendor_d: true,
        enforce_zdr_anthropic: 'true',
        enforce_zdr_mistralai: true,
      };

      await expectNothingStored(() => api.post('/guardrails', { key: organization.managementKey, json }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['enforce_zdr_vendor_a', 'enforce_zdr_vendor_d', 'enforce_zdr_anthropic', 'enforce_zdr_mistralai'],
      });
    });

    it('answers 400 for its names in the default dialect', async () => {
      const names = PUBLIC.map((vendor) => `enforce_zdr_${vendor}`);

      await expectRefused(Object.fromEntries(names.map((name) => [name, true])), 'invalid_parameters', ...names);
    });

    it('answers 201 for the vendors of ZDR_VENDORS, and 400 for others', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public', ZDR_VENDORS: 'mistralai,meta-llama,x-ai,openai' });
      const json = { name: 'Test', enforce_zdr_metallama: true, enforce_zdr_xai: false };

      const { body } = await api.post<{ data: Record<string, unknown> }>('/guardrails', {
        key: organization.managementKey,
        json,
      });
      const refused = await api.post('/guardrails', {
        key: organization.managementKey,
        json: { name: 'Test', enforce_zdr_anthropic: true },
      });

      expect(body.data).toMatchObject({
        enforce_zdr_mistralai: null,
        enforce_zdr_metallama: true,
        enforce_zdr_xai: false,
        enforce_zdr_openai: null,
      });
      expect(body.data).not.toHaveProperty('enforce_zdr_anthropic');
      expect(await row(String(body.data['id']))).toMatchObject({
        enforce_zdr_vendor_a: null,
        enforce_zdr_vendor_b: true,
        enforce_zdr_vendor_c: false,
        enforce_zdr_vendor_d: null,
      });
      expectRefusal(refused, {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['enforce_zdr_anthropic'],
        userId: organization.userId,
      });
    });
  });
});
