import type { ListModelsResponse } from '../../../src/modules/catalog/dto/list-models.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const EMBEDDER = {
  architecture: { modality: 'text->embeddings', input_modalities: ['text'], output_modalities: ['embeddings'] },
};

describe('listEmbeddingsModels', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(async () => {
    const entries = [
      modelEntry('acme/writer'),
      ...['acme/one', 'acme/two', 'acme/three'].map((id, created) => modelEntry(id, { ...EMBEDDER, created })),
    ];
    await importCatalog(app, { data: entries });
  });

  const listed = async (query: string): Promise<ListModelsResponse> => {
    const path = `/embeddings/models${query}`;
    const answer = await app.api.get<ListModelsResponse>(path, { key: organization.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listEmbeddingsModels', 200, answer.body);
    return answer.body;
  };

  it('answers 200 with the models that create embeddings, oldest first, page by page', async () => {
    const whole = await listed('');
    const first = await listed('?limit=2');

    expect(whole.data.map(({ id }) => id)).toEqual(['acme/one', 'acme/two', 'acme/three']);
    expect([whole.total_count, whole.links.next]).toEqual([3, null]);
    expect(first.data.map(({ id }) => id)).toEqual(['acme/one', 'acme/two']);
    expect(first.links.next).toBe('/api/v1/embeddings/models?offset=2&limit=2');
    expect(
      (await listed(first.links.next!.slice('/api/v1/embeddings/models'.length))).data.map(({ id }) => id),
    ).toEqual(['acme/three']);
  });

  it.each([
    ['limit=0', ['limit']],
    ['output_modalities=text', ['output_modalities']],
  ])('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/embeddings/models?${query}`, { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
});
