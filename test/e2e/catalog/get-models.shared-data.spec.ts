import type { ListModelsResponse } from '../../../src/modules/catalog/dto/list-models.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { importCatalog } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { readSharedCatalog } from './shared-catalog.js';
import { TestApplication } from '../../support/application/test-application.js';

/** An entry of the public list, as far as this test reads it. */
interface PublicModel {
  readonly supported_parameters: readonly string[];
  readonly context_length: number;
  readonly pricing: { readonly prompt: string };
}

describe('GET /models with the real catalogs', () => {
  const { models, imageModels } = readSharedCatalog();
  let real: TestApplication;
  let key: string;

  beforeAll(async () => {
    real = await TestApplication.start();
    key = (await real.factory.organization()).managementKey;
    await importCatalog(real, models, imageModels);
  });

  afterAll(() => real.stop());

  const ids = async (query: string): Promise<string[]> => {
    const { status, body } = await real.api.get<ListModelsResponse>(`/models?${query}`, { key });
    expect(status).toBe(200);
    expectToFitContract('getModels', 200, body);
    return body.data.map(({ id }) => id);
  };

  /** The ids of the entries that a condition holds for. */
  const having = (condition: (entry: PublicModel) => boolean): string[] =>
    models.data.filter((entry) => condition(entry as unknown as PublicModel)).map(({ id }) => id);

  it('answers 200 with all 364 models, in one page and in several', async () => {
    const whole = await ids('');
    expect(whole).toHaveLength(364);
    expect(whole.toSorted()).toEqual(models.data.map(({ id }) => id).sort());

    const walked: string[] = [];
    let next: string | null = '/api/v1/models?limit=100';
    while (next !== null) {
      const { body }: Answer<ListModelsResponse> = await real.api.get(next.slice('/api/v1'.length), { key });
      walked.push(...body.data.map(({ id }) => id));
      next = body.links.next;
    }
    expect(walked).toEqual(whole);
  });

  it('answers 200 with the models that a filter over the files finds', async () => {
    const sorted = async (query: string): Promise<string[]> => (await ids(query)).sort();
    expect(await sorted('supported_parameters=tools,reasoning')).toEqual(
      having(({ supported_parameters: known }) => ['tools', 'reasoning'].every((name) => known.includes(name))).sort(),
    );
    expect(await sorted('context=1000000')).toEqual(having(({ context_length: length }) => length >= 1_000_000).sort());
    expect(await sorted('max_price=0')).toEqual(having(({ pricing }) => Number(pricing.prompt) === 0).sort());
    expect(await sorted('model_authors=openai')).toEqual(
      models.data
        .map(({ id }) => id)
        .filter((id) => id.startsWith('openai/'))
        .sort(),
    );
    expect(await ids('zdr=true')).toEqual([]);
  });
});
