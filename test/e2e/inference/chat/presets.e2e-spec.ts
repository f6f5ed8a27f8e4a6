import type { ErrorBody } from '../../../support/network/api-client.js';
import { QUESTION } from '../test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const tool = (name: string, description: string): object => ({ type: 'function', function: { name, description } });

describe('sendChatCompletionRequest with a name of a model', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  const preset = (config: object, slug = 'bot'): Promise<string> =>
    gateway.app.factory.preset(organization, organization.workspaceId, slug, [config]);

  it.each([
    ['a preset in its place', { model: '@preset/bot' }],
    ['a preset behind it', { model: 'acme/writer@preset/bot' }],
    ['a preset and a variant in its place', { model: '@preset/bot:nitro' }],
    ['a preset and variants behind it', { model: 'acme/writer:nitro@preset/bot' }],
    ['a variant behind the preset behind it', { model: 'acme/writer@preset/bot:floor' }],
    ['a preset in a field of its own', { model: 'acme/writer', preset: 'bot' }],
  ])('answers 200 with %s, whose settings apply where the request has none', async (_, fields) => {
    const id = await preset({ model: 'acme/writer', temperature: 0.5, max_tokens: 9 });
    const answer = await gateway.ask(key, { ...fields, max_tokens: 7 });

    expect(answer.status).toBe(200);
    expect(answer.body.model).toBe('acme/writer');
    expect(sent()).toMatchObject({ model: 'writer', temperature: 0.5, max_tokens: 7 });
    expect(sent()).not.toHaveProperty('preset');
    expect(await gateway.record(answer, key)).toMatchObject({ preset_id: id });
  });

  it('answers 200 with a preset that names another, which has no effect', async () => {
    await preset({ temperature: 0.5 }, 'named');
    await preset({ model: 'acme/writer', preset: 'named', max_tokens: 9 });
    const answer = await gateway.ask(key, { model: '@preset/bot' });

    expect(answer.status).toBe(200);
    expect(sent()).toMatchObject({ model: 'writer', max_tokens: 9 });
    expect(sent()).not.toHaveProperty('temperature');
    expect(sent()).not.toHaveProperty('preset');
  });

  it('answers 200 with the tools of both, of which the request replaces those of the same name', async () => {
    await preset({ tools: [tool('first', 'preset'), tool('second', 'preset')] });
    const tools = [tool('third', 'request'), tool('first', 'request')];
    const answer = await gateway.ask(key, { preset: 'bot', tools });

    expect(answer.status).toBe(200);
    expect(sent()['tools']).toEqual([tool('first', 'request'), tool('second', 'preset'), tool('third', 'request')]);
  });

  it('answers 200 with the system prompt of the preset first, unless the request has one', async () => {
    const json = { model: 'acme/writer', messages: [{ role: 'system', content: 'Be brief.' }] };
    const made = await gateway.app.api.post('/presets/brief/chat/completions', {
      key: organization.managementKey,
      json,
    });
    expect(made.status).toBe(200);
    const own = [{ role: 'system', content: 'Be long.' }, ...QUESTION];

    expect((await gateway.ask(key, { preset: 'brief' })).status).toBe(200);
    expect(sent()['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, ...QUESTION]);
    expect((await gateway.ask(key, { preset: 'brief', messages: own })).status).toBe(200);
    expect(sent()['messages']).toEqual(own);
  });

  it.each([
    ['messages', { system: [{ type: 'text', text: 'Be brief.' }], stop_sequences: ['END'], max_tokens: 9 }],
    ['responses', { instructions: 'Be brief.', max_output_tokens: 9 }],
  ])('answers 200 to requests of every form under a preset that was made from %s', async (form, body) => {
    const json = { model: 'acme/writer', ...body };
    const made = await gateway.app.api.post(`/presets/of-${form}/${form}`, { key: organization.managementKey, json });
    expect(made.status).toBe(200);
    const model = `@preset/of-${form}`;
    const send = (path: string, fields: object): Promise<{ readonly status: number }> =>
      gateway.app.api.post(path, { key: key.plaintext, json: { model, provider: { order: ['alpha'] }, ...fields } });

    for (const [path, fields] of [
      ['/chat/completions', { messages: QUESTION }],
      ['/messages', { messages: QUESTION }],
      ['/responses', { input: QUESTION }],
    ] as const) {
      expect({ path, status: (await send(path, fields)).status }).toEqual({ path, status: 200 });
      expect(sent()).toMatchObject({ model: 'writer', max_tokens: 9 });
      expect(sent()['messages']).toEqual([{ role: 'system', content: 'Be brief.' }, ...QUESTION]);
    }
  });

  it('answers 400 for a preset whose settings no request may have, and records it', async () => {
    await preset({ model: 'acme/writer', temperature: 9 });
    const answer = await gateway.ask<ErrorBody>(key, { model: '@preset/bot' });

    expect(answer.status).toBe(400);
    expect(answer.body.error.metadata.issues).toEqual([
      { path: 'temperature', message: expect.stringMatching(/2/) as string },
    ]);
    expect(gateway.alpha.received).toEqual([]);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 400 });
  });

  it('answers 404 for a preset that there is not, and 400 where neither preset nor workspace names a model', async () => {
    await preset({ temperature: 1 });
    const missing = await gateway.ask<ErrorBody>(key, { preset: 'other' });
    const unnamed = await gateway.ask<ErrorBody>(key, { model: '@preset/bot' });

    expect(missing.status).toBe(404);
    expect(missing.body.error.message).toBe('Preset other not found');
    expect(await gateway.record(missing, key)).toMatchObject({ status: 404, refusal: 'preset_not_found' });
    expect(unnamed.status).toBe(400);
    expect(await gateway.record(unnamed, key)).toMatchObject({ status: 400, refusal: 'model_missing' });
  });

  it.each([
    ['@preset/', '@preset/ is not a valid model ID: no preset is named'],
    ['acme/writer@preset/', 'acme/writer@preset/ is not a valid model ID: no preset is named'],
    ['@preset/bot:nitro', '@preset/bot:nitro is not a valid model ID: the preset names no model'],
    ['acme/writer:nitro@preset/bot:floor', 'acme/writer:nitro:floor is not a valid model ID'],
  ])('answers 400 for %s', async (model, message) => {
    await preset({ temperature: 1 });
    const answer = await gateway.ask<ErrorBody>(key, { model });

    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe(message);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 400, refusal: 'model_not_found' });
  });

  it.each(['acme/nothing', 'acme/writer:free', 'nonsense', 'acme/writer:thinking'])(
    'answers 400 for %s, which names no model, and records it',
    async (model) => {
      const answer = await gateway.ask<ErrorBody>(key, { model });

      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toBe(`${model} is not a valid model ID`);
      expect(answer.body.error).toMatchObject({
        availability: { code: 'model_not_found', retryable: false, requested_models: [model] },
      });
      expect(await gateway.record(answer, key)).toMatchObject({ status: 400, refusal: 'model_not_found', model });
    },
  );

  it.each(['acme/writer-20260102', 'ACME/Writer', 'acme/writer-latest', 'acme/writer:nitro'])(
    'answers 200 for %s, and says the id of the model that answered',
    async (model) => {
      const answer = await gateway.ask(key, { model });

      expect(answer.status).toBe(200);
      expect(answer.body.model).toBe('acme/writer');
      expect(sent()['model']).toBe('writer');
    },
  );

  it('answers 200 by the cheapest endpoint for the variant floor, and by the one that the request sorts first', async () => {
    for (const model of Array<string>(3).fill('acme/writer:floor')) {
      const answer = await gateway.ask(key, { model, provider: {} });
      expect(answer.status).toBe(200);
      expect(answer.body.provider).toBe('Alpha Cloud');
    }
  });

  it('answers 200 by the default model of the workspace, and 400 where it has none', async () => {
    expect((await gateway.ask(key, { model: undefined })).status).toBe(400);
    const path = `/workspaces/${organization.workspaceId}`;
    const json = { default_text_model: 'acme/writer' };
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    const answer = await gateway.ask(key, { model: undefined });

    expect(answer.status).toBe(200);
    expect(answer.body.model).toBe('acme/writer');
  });

  it('answers 200 by the first of several models without a model, and 400 where one of them is unknown', async () => {
    const answer = await gateway.ask(key, { model: undefined, models: ['acme/spare', 'acme/writer'] });

    expect(answer.status).toBe(200);
    expect(answer.body.model).toBe('acme/spare');
    expect((await gateway.ask(key, { models: ['acme/nothing'] })).status).toBe(400);
  });
});
