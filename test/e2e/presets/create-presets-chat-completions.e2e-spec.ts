import type { CreatePresetFromInferenceResponse } from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('createPresetsChatCompletions', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => importCatalog(app, { data: [modelEntry('acme/model'), modelEntry('acme/other')] }));

  const send = (json: unknown, slug = 'bot', query = ''): Promise<Answer<CreatePresetFromInferenceResponse>> =>
    app.api.post(`/presets/${slug}/chat/completions${query}`, { key: organization.managementKey, json });

  const made = async (
    json: unknown,
    slug?: string,
    query?: string,
  ): Promise<CreatePresetFromInferenceResponse['data']> => {
    const answer = await send(json, slug, query);
    expect(answer.status).toBe(200);
    expectToFitContract('createPresetsChatCompletions', 200, answer.body);
    return answer.body.data;
  };

  const versions = (): Promise<{ version: number; config: object; system_prompt: string | null }[]> =>
    app.rows(
      `SELECT v.version, v.config, v.system_prompt FROM preset_versions v JOIN presets p ON p.id = v.preset_id
       WHERE p.organization_id = $1 ORDER BY p.created_at, v.version`,
      [organization.organizationId],
    );

  const expectRefused = (answer: Answer, status: number, reason: string, paths?: string[]): void => {
    expectRefusal(answer, { status, reason, userId: organization.userId, ...(paths && { paths }) });
    expectToFitContract('createPresetsChatCompletions', status, answer.body);
  };

  it('answers 200 with a preset of the configuration of the inference, without its messages', async () => {
    const config = {
      model: 'ACME/Model:nitro',
      models: ['acme/other'],
      temperature: 0.2,
      max_tokens: null,
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      provider: { order: ['x'], data_collection: 'deny' },
      slug: 'not the one of the path',
      workspace_id: 'not the one of the query',
      __proto__field: { '': 1 },
    };
    const content = { messages: [{ role: 'user', content: 'Hello' }], stream: true, prompt: 'x', input: ['y'] };

    const preset = await made({ ...config, ...content });

    const version = {
      id: expect.stringMatching(UUID_V7) as string,
      preset_id: preset.id,
      version: 1,
      config,
      system_prompt: null,
      creator_id: organization.userId,
      created_at: preset.created_at,
      updated_at: preset.created_at,
    };
    expect(preset).toEqual({
      id: expect.stringMatching(UUID_V7) as string,
      workspace_id: organization.workspaceId,
      slug: 'bot',
      name: 'bot',
      description: null,
      status: 'active',
      status_updated_at: null,
      designated_version_id: preset.designated_version!.id,
      creator_user_id: organization.userId,
      created_at: expect.stringMatching(TIMESTAMP) as string,
      updated_at: preset.created_at,
      designated_version: version,
    });
    expect(await versions()).toEqual([{ version: 1, config, system_prompt: null }]);
  });

  it('answers 200 with the next version of an existing preset, and records the author of each', async () => {
    const first = await made({ temperature: 0 });
    const second = await made({ temperature: 1 });

    expect(second).toMatchObject({ id: first.id, created_at: first.created_at, slug: 'bot' });
    expect(second.updated_at >= first.updated_at).toBe(true);
    expect(second.designated_version).toMatchObject({ version: 2, config: { temperature: 1 } });
    expect(second.designated_version_id).not.toBe(first.designated_version_id);
    expect((await versions()).map(({ config }) => config)).toEqual([{ temperature: 0 }, { temperature: 1 }]);
    expect(
      await app.rows(
        `SELECT action, target_type, target_id, changes, actor_id FROM audit_events WHERE organization_id = $1 AND target_type = 'preset' ORDER BY created_at, id`,
        [organization.organizationId],
      ),
    ).toEqual([
      {
        action: 'preset.create',
        target_type: 'preset',
        target_id: first.id,
        changes: {
          slug: { after: 'bot' },
          name: { after: 'bot' },
          workspace_id: { after: organization.workspaceId },
          version: { after: 1 },
        },
        actor_id: organization.userId,
      },
      {
        action: 'preset.update',
        target_type: 'preset',
        target_id: first.id,
        changes: { version: { before: 1, after: 2 } },
        actor_id: organization.userId,
      },
    ]);
  });

  it.each([
    [[{ role: 'system', content: 'Be brief.' }], 'Be brief.'],
    [
      [
        { role: 'user', content: 'x' },
        { role: 'system', content: 'Be brief.' },
      ],
      'Be brief.',
    ],
    [
      [
        { role: 'system', content: 'One.' },
        { role: 'system', content: 'Two.' },
      ],
      'One.\n\nTwo.',
    ],
    [
      [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'In ' },
            { type: 'text', text: 'parts.' },
          ],
        },
      ],
      'In parts.',
    ],
    [
      [
        { role: 'developer', content: 'Be brief.' },
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be right.' }] },
      ],
      'Be brief.\n\nBe kind.\n\nBe right.',
    ],
    [[{ role: 'system', content: '' }], null],
    [[{ role: 'system', content: [] }], null],
    [
      [
        { role: 'user', content: [{ type: 'image_url' }] },
        { role: 'System', content: 'x' },
      ],
      null,
    ],
    [[], null],
  ])('answers 200 with a system prompt from %j', async (messages, prompt) => {
    expect((await made({ messages })).designated_version).toMatchObject({ config: {}, system_prompt: prompt });
  });

  it('answers 200 for an empty body and for fields of any name', async () => {
    expect((await made({})).designated_version!.config).toEqual({});
    const answer = await app.api.post<CreatePresetFromInferenceResponse>('/presets/bot/chat/completions', {
      key: organization.managementKey,
      raw: '{"__proto__": {"a": 1}, "constructor": 2, "": 3}',
    });
    expect(answer.text).toContain('"__proto__":{"a":1}');
    expect((await versions())[1]!.config).toEqual(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "": 3}'));
  });

  it('answers 200 for the default workspace, or for the one in the query', async () => {
    const workspaceId = await app.factory.workspace(organization);

    const here = await made({});
    const there = await made({}, 'bot', `?workspace_id=${workspaceId.toUpperCase()}`);

    expect([here.workspace_id, there.workspace_id]).toEqual([organization.workspaceId, workspaceId]);
    expect(there.id).not.toBe(here.id);
    expect(there.designated_version!.version).toBe(1);
  });

  it('answers 200 to 50 requests at once on two replicas, and numbers versions without gaps', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, temperature) =>
        (temperature % 2 === 0 ? app : replica).api.post<CreatePresetFromInferenceResponse>(
          '/presets/bot/chat/completions',
          {
            key: organization.managementKey,
            json: { temperature },
          },
        ),
      ),
    );
    await replica.stop();

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const numbers = answers.map(({ body }) => body.data.designated_version!.version);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await versions()).map(({ version }) => version)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    const events = await app.rows<{ action: string }>(
      `SELECT action FROM audit_events WHERE organization_id = $1 AND target_type = 'preset' ORDER BY changes -> 'version' -> 'before'`,
      [organization.organizationId],
    );
    expect(events.filter(({ action }) => action === 'preset.create')).toHaveLength(1);
    expect(events).toHaveLength(50);
  });

  it('answers 200 for a model that is no longer listed, as guardrails do', async () => {
    await importCatalog(app, { data: [modelEntry('acme/other')] });
    expect((await made({ model: 'acme/model' })).designated_version!.config).toEqual({ model: 'acme/model' });
    await importCatalog(app, { data: [modelEntry('acme/model'), modelEntry('acme/other')] });
  });

  describe('answers 4xx and stores nothing for', () => {
    afterEach(async () => {
      expect(await versions()).toEqual([]);
      expect(
        await app.rows('SELECT id FROM presets WHERE organization_id = $1', [organization.organizationId]),
      ).toEqual([]);
    });

    it('unknown models, each of them named: 400', async () => {
      const answer = await send({ model: 'acme/none', models: ['acme/model', 'nobody', 'acme/model:surprise'] });

      expectRefused(answer, 400, 'unknown_model', ['model', 'models[1]', 'models[2]']);
    });

    it.each<[unknown, string[]]>([
      [[], ['']],
      ['text', ['']],
      [null, ['']],
      [{ model: 1, models: 'acme/model', messages: {} }, ['model', 'models', 'messages']],
      [{ models: [1], messages: ['x', null] }, ['models[0]', 'messages[0]', 'messages[1]']],
      [
        { messages: [{ role: 'system' }, { role: 'system', content: 1 }, { role: 'developer', content: {} }] },
        ['messages[0].content', 'messages[1].content', 'messages[2].content'],
      ],
      [{ messages: [{ role: 'system', content: [{ type: 'image_url' }] }] }, ['messages[0].content']],
      [{ a: { b: ['\u0000'] }, c: '\ud800' }, ['a.b[0]', 'c']],
    ])('%j: 400', async (json, paths) => {
      expectRefused(await send(json), 400, 'invalid_parameters', paths);
    });

    it('infinite numbers and nesting without limit: 400', async () => {
      const raw = (text: string): Promise<Answer> =>
        app.api.post('/presets/bot/chat/completions', { key: organization.managementKey, raw: text });

      expectRefused(await raw('{"a": [1e999], "b": {"c": -1e999}}'), 400, 'invalid_parameters', ['a[0]', 'b.c']);
      expectRefused(await raw(`{"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 400, 'invalid_parameters', ['']);
    });

    it.each(['Bot', 'a--b', '-a', 'a_b', 'a'.repeat(101), '%20'])('the slug %s: 400', async (slug) => {
      expectRefused(await send({}, slug), 400, 'invalid_parameters', ['slug']);
    });

    it('an unknown workspace (404) and unknown query parameters (400)', async () => {
      expectRefused(await send({}, 'bot', `?workspace_id=${UNKNOWN_UUID}`), 404, 'workspace_not_found');
      expectRefused(await send({}, 'bot', '?workspace_id=x&limit=1'), 400, 'invalid_parameters', [
        'workspace_id',
        'limit',
      ]);
    });

    it('a request without a workspace once the default workspace is deleted: 400', async () => {
      await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

      const answer = await send({ model: 'acme/model' });

      expectRefused(answer, 400, 'default_workspace_deleted', ['workspace_id']);
    });
  });

  it('answers 413 beyond the maximum size of a body', async () => {
    expect((await send({ a: 'x'.repeat(1024 * 1024) })).status).toBe(413);
    const messages = [{ role: 'user', content: 'x'.repeat(1_000_000) }];
    expect((await made({ messages })).designated_version!.version).toBe(1);
  });
});
