import type { ModelsCountResponse } from '../../../src/modules/catalog/dto/list-models.dto.js';
import { replaceCatalog, listedImageModel, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('listModelsCount', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(async () => {
    await replaceCatalog(app, { data: [modelEntry('acme/one'), modelEntry('acme/two'), modelEntry('acme/three')] });
    await replaceCatalog(app, { data: [listedImageModel('acme/painter', {})] });
    await replaceCatalog(app, { data: [modelEntry('acme/one'), modelEntry('acme/two')] });
  });

  it.each([
    ['', 2],
    ['?output_modalities=text', 2],
    ['?output_modalities=image', 0],
    ['?output_modalities=text,image', 2],
    ['?output_modalities=all', 2],
    ['?output_modalities=speech', 0],
  ])('answers 200 with the number of models that getModels lists: %s', async (query, count) => {
    const key = organization.managementKey;
    const answer = await app.api.get<ModelsCountResponse>(`/models/count${query}`, { key });
    const list = await app.api.get<{ total_count: number }>(`/models${query}`, { key });

    expect([answer.status, answer.body, list.body.total_count]).toEqual([200, { data: { count } }, count]);
    expectToFitContract('listModelsCount', 200, answer.body);
  });

  it.each([
    ['output_modalities=smell', ['output_modalities']],
    ['limit=1', ['limit']],
  ])('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/models/count?${query}`, { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    expectToFitContract('listModelsCount', 400, answer.body);
  });
});
