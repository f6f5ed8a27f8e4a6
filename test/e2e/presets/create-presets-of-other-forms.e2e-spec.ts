import type {
  CreatePresetFromInferenceResponse,
  Preset,
  PresetVersion,
} from '../../../src/modules/presets/dto/preset.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const LONG_NAME = 'n'.repeat(65);

/** A tool as a chat completion has it. */
const CHAT_TOOL = {
  type: 'function',
  function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } },
};

describe('presets of requests that are no chat completions', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => importCatalog(app, { data: [modelEntry('acme/model'), modelEntry('acme/other')] }));

  const send = (form: string, json: unknown, query = ''): Promise<Answer<CreatePresetFromInferenceResponse>> =>
    app.api.post(`/presets/bot/${form}${query}`, { key: organization.managementKey, json });

  const made = async (form: 'messages' | 'responses', json: unknown, query?: string): Promise<Made> => {
    const answer = await send(form, json, query);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    expectToFitContract(OPERATION_OF[form], 200, answer.body);
    return answer.body.data as Made;
  };

  const expectNothingStored = async (): Promise<void> => {
    const rows = await app.rows('SELECT id FROM presets WHERE organization_id = $1', [organization.organizationId]);
    expect(rows).toEqual([]);
  };

  describe('createPresetsMessages', () => {
    it('answers 200 with the configuration of a chat completion, and every instruction as the system prompt', async () => {
      const preset = await made('messages', {
        model: 'acme/model',
        fallbacks: [{ model: 'acme/other' }],
        max_tokens: 9_000,
        temperature: 0.5,
        stop_sequences: ['END'],
        system: [
          { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'Be kind.' },
        ],
        messages: [
          { role: 'system', content: 'Be right.' },
          { role: 'user', content: 'jane.doe@example.com' },
        ],
        thinking: { type: 'enabled', budget_tokens: 2_000 },
        output_config: { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
        tools: [
          {
            name: 'look',
            description: 'Looks.',
            input_schema: { type: 'object', properties: {} },
            cache_control: { type: 'ephemeral' },
          },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        metadata: { user_id: 'user-4711' },
        service_tier: 'standard_only',
        context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
        provider: { order: ['alpha'] },
        stream: true,
        unknown: 1,
      });

      const config = {
        model: 'acme/model',
        models: ['acme/other'],
        max_tokens: 9_000,
        temperature: 0.5,
        stop: ['END'],
        reasoning: { effort: 'high', max_tokens: 2_000 },
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
        tools: [CHAT_TOOL],
        tool_choice: 'required',
        parallel_tool_calls: false,
        user: 'user-4711',
        service_tier: 'default',
        provider: { order: ['alpha'] },
      };
      const systemPrompt = 'Be brief.\n\nBe kind.\n\nBe right.';
      expect(preset.designated_version).toMatchObject({ version: 1, config, system_prompt: systemPrompt });
      expect(preset.designated_version.config).toEqual(config);
      expect(
        await app.rows('SELECT config, system_prompt FROM preset_versions WHERE preset_id = $1', [preset.id]),
      ).toEqual([{ config, system_prompt: systemPrompt }]);
    });

    it.each<[unknown, string[]]>([
      [{ messages: [{ role: 'tool', content: 'x' }] }, ['messages[0].role']],
      [{ system: [{ type: 'image' }] }, ['system[0].type']],
      [{ thinking: { type: 'enabled' } }, ['thinking.budget_tokens']],
      [{ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, ['stop_sequences']],
      [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, ['tools[0].type']],
      [{ tools: [{ name: LONG_NAME, input_schema: {} }] }, ['tools[0].name']],
      [{ tool_choice: { type: 'tool', name: LONG_NAME } }, ['tool_choice.name']],
      [{ service_tier: 'batch' }, ['service_tier']],
      [{ model: '' }, ['model']],
      [[], ['']],
    ])('answers 400 for %j, and stores nothing', async (json, paths) => {
      expectRefusal(await send('messages', json), {
        status: 400,
        reason: 'invalid_parameters',
        userId: organization.userId,
        paths,
      });
      await expectNothingStored();
    });

    it('answers 400 for unknown models, each of them named as the body has it', async () => {
      const named = { model: 'acme/none', fallbacks: [{ model: 'acme/other' }, { model: 'nobody' }] };
      const answer = await send('messages', named);
      const paths = ['model', 'fallbacks[1].model'];
      expectRefusal(answer, { status: 400, reason: 'unknown_model', userId: organization.userId, paths });
      await expectNothingStored();
    });
  });

  describe('createPresetsResponses', () => {
    it('answers 200 with the configuration of a chat completion, and every instruction as the system prompt', async () => {
      const preset = await made('responses', {
        model: 'acme/model',
        models: ['acme/other'],
        instructions: 'Be brief.',
        input: [
          {
            role: 'system',
            content: [
              { type: 'input_text', text: 'Be ' },
              { type: 'input_text', text: 'kind.' },
            ],
          },
          { role: 'developer', content: 'Be right.' },
          { role: 'user', content: 'jane.doe@example.com' },
        ],
        max_output_tokens: 90,
        temperature: 0.5,
        reasoning: { effort: 'low', summary: null },
        text: { format: { type: 'json_object' }, verbosity: 'low' },
        tools: [{ type: 'function', ...CHAT_TOOL.function }],
        tool_choice: { type: 'function', name: 'look' },
        store: false,
        stream: true,
        unknown: 1,
      });

      const config = {
        model: 'acme/model',
        models: ['acme/other'],
        temperature: 0.5,
        max_tokens: 90,
        reasoning: { effort: 'low' },
        response_format: { type: 'json_object' },
        verbosity: 'low',
        tools: [CHAT_TOOL],
        tool_choice: { type: 'function', function: { name: 'look' } },
      };
      expect(preset.designated_version.config).toEqual(config);
      expect(preset.designated_version.system_prompt).toBe('Be brief.\n\nBe kind.\n\nBe right.');
    });

    it.each<[unknown, string[]]>([
      [{ store: true }, ['store']],
      [{ previous_response_id: 'resp_1' }, ['previous_response_id']],
      [{ input: [] }, ['input']],
      [{ input: [{ role: 'nobody', content: 'x' }] }, ['input[0].role']],
      [
        { input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }] }] },
        ['input[0].content'],
      ],
      [
        { input: [{ role: 'developer', content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }] }] },
        ['input[0].content'],
      ],
      [{ tools: [{ type: 'custom', name: 'patch' }] }, ['tools[0].type']],
      [{ temperature: 3 }, ['temperature']],
      [null, ['']],
    ])('answers 400 for %j, and stores nothing', async (json, paths) => {
      expectRefusal(await send('responses', json), {
        status: 400,
        reason: 'invalid_parameters',
        userId: organization.userId,
        paths,
      });
      await expectNothingStored();
    });

    it('answers 400 for unknown models, each of them named', async () => {
      const answer = await send('responses', { model: 'acme/none', models: ['acme/model', 'nobody'] });
      const paths = ['model', 'models[1]'];
      expectRefusal(answer, { status: 400, reason: 'unknown_model', userId: organization.userId, paths });
      await expectNothingStored();
    });
  });

  describe.each(['messages', 'responses'] as const)('%s', (form) => {
    it('answers 200 for an empty body, with the next version of a preset of any form', async () => {
      const first = await made(form, {});
      expect(first.designated_version).toMatchObject({ version: 1, config: {}, system_prompt: null });
      expect((await send('chat/completions', { temperature: 1 })).status).toBe(200);
      const third = await made(form, { temperature: 0 });

      expect(third).toMatchObject({ id: first.id, designated_version: { version: 3, config: { temperature: 0 } } });
    });

    it('answers 200 for a workspace in the query, and 404 for one that there is not', async () => {
      const workspaceId = await app.factory.workspace(organization);
      expect((await made(form, {}, `?workspace_id=${workspaceId}`)).workspace_id).toBe(workspaceId);
      const answer = await send(form, {}, `?workspace_id=${UNKNOWN_UUID}`);
      expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    });

    it('answers 400 for a number that is not finite, and 413 beyond the maximum size of a body', async () => {
      const raw =
        '{"provider": {"max_price": {"prompt": "1"}}, "tools": [{"type": "function", "name": "a", "input_schema": {"a": 1e999}}]}';
      const infinite = await app.api.post(`/presets/bot/${form}`, { key: organization.managementKey, raw });
      expectRefusal(infinite, {
        status: 400,
        reason: 'invalid_parameters',
        userId: organization.userId,
        paths: form === 'messages' ? ['tools[0].input_schema.a', 'tools[0].type'] : ['tools[0].input_schema.a'],
      });
      expect((await send(form, { user: 'x'.repeat(1024 * 1024) })).status).toBe(413);
      await expectNothingStored();
    });
  });
});

const OPERATION_OF = { messages: 'createPresetsMessages', responses: 'createPresetsResponses' } as const;

/** A preset whose version in force has just been made. */
type Made = Preset & { readonly designated_version: PresetVersion };
