import {
  type OwnModel,
  OwnModelsService,
  InvalidOwnModel,
} from '../../../src/modules/catalog/own-models/own-models.service.js';
import type { ListEndpointsResponse } from '../../../src/modules/catalog/dto/model-endpoint.dto.js';
import { endpointEntry, endpointsList, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { TestApplication } from '../../support/application/test-application.js';
import { catalogImports } from './catalog-imports.js';

const CHAT: OwnModel = {
  id: 'own/chat',
  provider: 'my-vllm',
  contextLength: 32_768,
  promptPrice: '0.20',
  completionPrice: '0.80',
  aliases: [],
};

describe('a model of the operator’s own', () => {
  const { app, organization, model, idOf, expectNoModel, snapshot, allowed } = catalogImports();

  const service = (through: TestApplication = app): OwnModelsService => through.application.get(OwnModelsService);

  const endpoints = async (name: string): Promise<ListEndpointsResponse['data']['endpoints']> => {
    const { managementKey: key } = organization;
    const answer = await app.api.get<ListEndpointsResponse>(`/models/${name}/endpoints`, { key });
    expect(answer.status).toBe(200);
    return answer.body.data.endpoints;
  };

  it('is added with its provider and its prices for a token, and answers getModel with 200 by its alias too', async () => {
    const added = await service().add({
      ...CHAT,
      name: 'Our chat',
      longestAnswer: 4_096,
      upstreamId: 'llama-70b',
      inputs: ['text', 'image'],
      parameters: ['tools', 'temperature'],
      aliases: ['own/latest'],
      retainsNothing: true,
    });

    expect(added).toEqual({ isNewModel: true, isNewProvider: true });
    expect((await model('own/latest')).body.data).toMatchObject({
      id: 'own/chat',
      canonical_slug: 'own/chat',
      name: 'Our chat',
      context_length: 32_768,
      architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0.0000002', completion: '0.0000008' },
      top_provider: { context_length: 32_768, max_completion_tokens: 4_096, is_moderated: false },
      supported_parameters: ['tools', 'temperature'],
    });
    expect(await endpoints('own/chat')).toMatchObject([
      {
        tag: 'my-vllm',
        provider_name: 'my-vllm',
        context_length: 32_768,
        max_completion_tokens: 4_096,
        pricing: { prompt: '0.0000002', completion: '0.0000008' },
      },
    ]);
    expect(
      await app.rows('SELECT upstream_id, is_zdr, trains_on_requests, publishes_prompts FROM model_endpoints'),
    ).toEqual([{ upstream_id: 'llama-70b', is_zdr: true, trains_on_requests: false, publishes_prompts: false }]);
  });

  it('is changed where it is added again, in what is given alone, for answers with 200', async () => {
    await service().add({ ...CHAT, upstreamId: 'llama-70b' });

    const again = await service().add({ id: 'own/chat', provider: 'my-vllm', longestAnswer: 100, aliases: [] });

    expect(again).toEqual({ isNewModel: false, isNewProvider: false });
    expect(await endpoints('own/chat')).toMatchObject([
      { context_length: 32_768, max_completion_tokens: 100, pricing: { prompt: '0.0000002' } },
    ]);
    expect(await app.rows('SELECT upstream_id FROM model_endpoints')).toEqual([{ upstream_id: 'llama-70b' }]);
  });

  it('needs no price of a completion where it makes embeddings, and answers 200', async () => {
    const { completionPrice: _completionPrice, ...embedder } = { ...CHAT, outputs: ['embeddings'] };

    await service().add(embedder);

    expect((await endpoints('own/chat'))[0]!.pricing).toEqual({ prompt: '0.0000002', completion: '0' });
  });

  it('is kept with others that replicas add at the same time', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const ids = Array.from({ length: 10 }, (_, index) => `own/model-${index}`);

    await Promise.all(ids.map((id, index) => service(index % 2 === 0 ? app : replica).add({ ...CHAT, id })));

    await replica.stop();
    for (const id of ids) expect(await idOf(id)).toBe(id);
  });

  it('is removed by any of its names: no name finds it (404), and guardrails can still name it (201)', async () => {
    await importCatalog(app, { data: [modelEntry('acme/model')] });
    await service().add({ ...CHAT, aliases: ['own/latest'] });

    expect(await service().remove('OWN/latest')).toEqual({
      id: 'own/chat',
      removedEndpoints: 1,
      endpointsLeft: undefined,
    });

    for (const name of ['own/chat', 'own/latest']) await expectNoModel(name);
    expect(await allowed('own/chat')).toEqual(['own/chat']);
    expect(await idOf('acme/model')).toBe('acme/model');
    await service().add({ ...CHAT, promptPrice: undefined, completionPrice: undefined });
    expect((await endpoints('own/latest'))[0]!.pricing).toEqual({ prompt: '0.0000002', completion: '0.0000008' });
  });

  it('that others serve too keeps the endpoints of the others, for answers with 200', async () => {
    await importCatalog(
      app,
      { data: [modelEntry('acme/model')] },
      endpointsList('acme/model', endpointEntry('public')),
    );
    await service().add({ ...CHAT, id: 'acme/model' });
    await service().add({ ...CHAT, id: 'acme/model', provider: 'my-ollama' });

    const first = await service().remove('acme/model', 'my-vllm');

    expect(first).toEqual({ id: 'acme/model', removedEndpoints: 1, endpointsLeft: 2 });
    expect((await endpoints('acme/model')).map(({ tag }) => tag)).toEqual(['public', 'my-ollama']);
    expect(await service().remove('acme/model')).toEqual({ id: 'acme/model', removedEndpoints: 1, endpointsLeft: 1 });
    expect((await endpoints('acme/model')).map(({ tag }) => tag)).toEqual(['public']);
    expect(await app.rows('SELECT is_own FROM models')).toEqual([{ is_own: false }]);
  });

  it.each([
    ['acme/model', undefined, 'acme/model has nothing of your own: what public lists say is not removed.'],
    ['own/chat', 'public', 'own/chat has nothing of your own at public: what public lists say is not removed.'],
    ['own/nothing', undefined, 'The catalog has no model own/nothing.'],
    ['__proto__', undefined, 'The catalog has no model __proto__.'],
  ])('is what alone is removed: not %s at %s', async (name, provider, message) => {
    await importCatalog(
      app,
      { data: [modelEntry('acme/model')] },
      endpointsList('acme/model', endpointEntry('public')),
    );
    await service().add(CHAT);
    const before = await snapshot();

    await expect(service().remove(name, provider)).rejects.toThrow(new InvalidOwnModel(message));
    expect(await snapshot()).toEqual(before);
  });
});
