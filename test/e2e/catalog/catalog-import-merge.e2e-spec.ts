import { CatalogImportService } from '../../../src/modules/catalog/import/catalog-import.service.js';
import type { ListEndpointsResponse } from '../../../src/modules/catalog/dto/model-endpoint.dto.js';
import {
  dryRunCatalog,
  endpointEntry,
  endpointsList,
  imageModelEntry,
  importCatalog,
  listedImageModel,
  modelEntry,
  replaceCatalog,
} from '../../support/resources/catalog-entries.js';
import { catalogImports, NOTHING } from './catalog-imports.js';

const PRICING = { prompt: '0.0000002', completion: '0.0000008' };

describe('the catalog import', () => {
  const { app, organization, model, snapshot, idOf, expectNoModel, faultsOf, imageModels, allowed } = catalogImports();

  const numbers = (count: number): { id: string }[] =>
    Array.from({ length: count }, (_, index) => modelEntry(`acme/model-${index}`));

  /** The tags of the endpoints of a model, with their prices of a prompt. */
  const endpoints = async (name: string): Promise<[string, string][]> => {
    const { managementKey: key } = organization;
    const answer = await app.api.get<ListEndpointsResponse>(`/models/${name}/endpoints`, { key });
    expect(answer.status).toBe(200);
    return answer.body.data.endpoints.map(({ tag, pricing }) => [tag, pricing.prompt]);
  };

  it('adds one model to those that there are, and names those that a complete list would retire', async () => {
    await importCatalog(app, { data: numbers(57) }, { data: [listedImageModel('acme/painter', {})] });

    const report = await importCatalog(app, { models: [{ id: 'own/chat', pricing: PRICING }] });

    expect(report.models).toEqual({
      ...NOTHING,
      added: ['own/chat'],
      wouldRetire: numbers(57).map(({ id }) => id),
      unchanged: 57,
    });
    for (const { id } of numbers(57)) expect(await idOf(id)).toBe(id);
    expect(await idOf('own/chat')).toBe('own/chat');
    expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/painter']);
  });

  it('retires with a complete public list what that list lacks, but nothing of the operator’s own', async () => {
    await importCatalog(app, { data: numbers(4) }, { data: [listedImageModel('acme/painter', {})] });
    await importCatalog(app, {
      models: [{ id: 'own/chat', pricing: PRICING }],
      image_models: [imageModelEntry('own/painter', [{}])],
    });
    const lists = [{ data: numbers(3) }, { data: [listedImageModel('acme/newer', {})] }];

    const foretold = await dryRunCatalog(app, ...lists);
    const report = await replaceCatalog(app, ...lists);

    expect(foretold.models!.wouldRetire).toEqual(['acme/model-3']);
    expect(report.models).toEqual({ ...NOTHING, retired: ['acme/model-3'], unchanged: 4 });
    expect(report.imageModels).toEqual({
      ...NOTHING,
      added: ['acme/newer'],
      retired: ['acme/painter'],
      unchanged: 1,
    });
    await expectNoModel('acme/model-3');
    expect(await idOf('own/chat')).toBe('own/chat');
    expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/newer', 'own/painter']);
  });

  it('retires with a complete list of the operator’s own whatever that list lacks', async () => {
    await importCatalog(app, { data: numbers(1) }, { models: [{ id: 'own/chat', pricing: PRICING }] });

    const report = await replaceCatalog(app, { models: [{ id: 'own/other', pricing: PRICING }] });

    expect(report.models).toEqual({ ...NOTHING, added: ['own/other'], retired: ['acme/model-0', 'own/chat'] });
  });

  it('treats a file that says it is a copy of public lists as one', async () => {
    await importCatalog(app, { own: false, models: [modelEntry('acme/copied')] });

    expect((await replaceCatalog(app, { data: numbers(1) })).models!.retired).toEqual(['acme/copied']);
    expect(await faultsOf({ own: 'no', models: numbers(1) })).toEqual(['document-1.json: own must be boolean']);
  });

  it('takes a model that a public list now has as an alias off the list, unless it is the operator’s own', async () => {
    await importCatalog(app, { data: [modelEntry('acme/was'), ...numbers(1)] });
    await importCatalog(app, { models: [modelEntry('own/was')] });
    const alias = (id: string): object => modelEntry(id, { alias_target: { slug: 'acme/model-0' } });

    const report = await importCatalog(app, { data: [alias('acme/was'), alias('own/was')] });

    expect(report.models).toMatchObject({ retired: ['acme/was'] });
    expect(await idOf('acme/was')).toBe('acme/model-0');
    expect(await idOf('own/was')).toBe('own/was');
  });

  describe('of endpoints', () => {
    beforeEach(() => importCatalog(app, { data: [modelEntry('acme/model')] }));

    it('leaves the operator’s own as they are, and in front of one of the same tag in a public list, for answers with 200', async () => {
      await importCatalog(app, endpointsList('acme/model', endpointEntry('one'), endpointEntry('two')));
      await importCatalog(app, {
        endpoints: [
          {
            id: 'acme/model',
            endpoints: [
              { tag: 'mine', pricing: PRICING },
              { tag: 'two', pricing: PRICING },
            ],
          },
        ],
      });
      const own = [
        ['two', PRICING.prompt],
        ['mine', PRICING.prompt],
      ];
      expect(await endpoints('acme/model')).toEqual([['one', '0.000001'], ...own]);

      const list = endpointsList('acme/model', endpointEntry('two'), endpointEntry('three'), endpointEntry('mine'));
      expect((await importCatalog(app, list)).endpoints).toEqual({
        ...NOTHING,
        added: ['acme/model three'],
        wouldRetire: ['acme/model one'],
        unchanged: 3,
      });
      expect(await endpoints('acme/model')).toEqual([...own, ['three', '0.000001'], ['one', '0.000001']]);

      expect((await replaceCatalog(app, list)).endpoints!.retired).toEqual(['acme/model one']);
      expect(await endpoints('acme/model')).toEqual([...own, ['three', '0.000001']]);
      expect((await replaceCatalog(app, { data: numbers(1) })).models!.retired).toEqual([]);
    });

    it('keeps what an entry of the operator leaves out, and changes what it states, for answers with 200', async () => {
      const first = { tag: 'mine', pricing: PRICING, max_completion_tokens: 512, upstream_id: 'model-7b', zdr: true };
      await importCatalog(app, { endpoints: [{ id: 'acme/model', endpoints: [first] }] });

      await importCatalog(app, {
        endpoints: [{ id: 'acme/model', endpoints: [{ tag: 'mine', context_length: 4096 }] }],
      });

      expect(await app.rows('SELECT * FROM model_endpoints')).toMatchObject([
        {
          tag: 'mine',
          pricing: PRICING,
          max_completion_tokens: 512,
          upstream_id: 'model-7b',
          is_zdr: true,
          context_length: 4096,
          is_own: true,
        },
      ]);
    });

    it('does not take the mark of zero data retention from one of the operator’s own, for answers with 200', async () => {
      await importCatalog(app, {
        endpoints: [{ id: 'acme/model', endpoints: [{ tag: 'mine', zdr: true }, { tag: 'other' }] }],
      });

      await importCatalog(app, { data: [{ ...endpointEntry('other'), model_id: 'acme/model' }] });

      expect(await app.rows('SELECT tag, is_zdr FROM model_endpoints ORDER BY position')).toEqual([
        { tag: 'mine', is_zdr: true },
        { tag: 'other', is_zdr: false },
      ]);
    });

    it('reports an issue for one without a context length, where the model has none, and imports nothing, for answers with 200', async () => {
      const faults = await faultsOf({
        models: [{ id: 'own/chat', pricing: PRICING }],
        endpoints: [{ id: 'own/chat', endpoints: [{ tag: 'mine' }] }],
      });

      expect(faults).toEqual(['endpoint mine of own/chat needs context_length, because the model has none']);
    });
  });

  describe('of an entry of the operator', () => {
    it('keeps of a known model what the entry leaves out, where a public list replaces all', async () => {
      const reasoning = { mandatory: false };
      await importCatalog(app, { data: [modelEntry('acme/model', { reasoning, knowledge_cutoff: '2025-12-01' })] });

      await importCatalog(app, { models: [{ id: 'acme/model', name: 'Ours', image_tokens: 900 }] });

      const { body } = await model('acme/model');
      expect(body.data).toMatchObject({
        name: 'Ours',
        description: 'What acme/model is.',
        pricing: { prompt: '0.000001' },
        reasoning,
        knowledge_cutoff: '2025-12-01',
      });
      await importCatalog(app, { data: [modelEntry('acme/model')] });
      expect((await model('acme/model')).body.data).toMatchObject({
        name: 'The model acme/model',
        knowledge_cutoff: null,
      });
      expect((await model('acme/model')).body.data.reasoning).toBeUndefined();
      expect(await app.rows('SELECT traits, is_own FROM models')).toEqual([
        { traits: { image_tokens: 900 }, is_own: true },
      ]);
    });

    it('reports an issue for an id whose suffix is no variant, since no request could name the model', async () => {
      expect(await faultsOf({ models: [{ id: 'own/gemma4:31b', pricing: PRICING }] })).toEqual([
        "model own/gemma4:31b: 31b is no variant of a model; its id could be own/gemma4-31b, with --upstream-id, in a file upstream_id, for the provider's own name",
      ]);
    });

    it('reports one issue for a new model without prices, also if it is known as an image model alone, for answers with 200', async () => {
      await importCatalog(app, { data: [listedImageModel('acme/painter', {})] });

      const models = [{ id: 'own/chat' }, { id: 'acme/painter' }];
      const faults = await faultsOf({ models, endpoints: [{ id: 'own/chat', endpoints: [{ tag: 'mine' }] }] });

      expect(faults).toEqual([
        'model own/chat needs pricing, with prompt and completion',
        'model acme/painter needs pricing, with prompt and completion',
      ]);
    });
  });

  it('finds a model that exists only as a variant by its own entry in a guardrail that answers 201', async () => {
    await importCatalog(app, { data: [modelEntry('acme/only:free')] });

    expect(await allowed('acme/only:free')).toEqual(['acme/only-20260102:free']);
  });

  describe('of lists that are not whole', () => {
    beforeEach(() => importCatalog(app, { data: numbers(20) }, { data: [listedImageModel('acme/painter', {})] }));

    it.each([
      [{ data: [] }, 'data is an empty list'],
      [{ models: [], endpoints: [] }, 'has no entry in its lists'],
    ])('refuses an empty one: %j', async (content, issue) => {
      expect(await faultsOf(content)).toEqual([`document-1.json: ${issue}`]);
      await expect(replaceCatalog(app, content)).rejects.toThrow(issue);
    });

    it('refuses to replace a list by one of less than half of its size, unless that is confirmed', async () => {
      const before = await snapshot();
      const documents = [{ source: 'models.json', content: { data: numbers(9) } }];
      const service = app.application.get(CatalogImportService);

      for (const dryRun of [true, false]) {
        await expect(service.import(documents, { replace: true, dryRun })).rejects.toThrow(
          'the list of models has 9 of them where the catalog has 20: to retire most of these, add --retire-most',
        );
      }
      expect(await snapshot()).toEqual(before);

      const half = [{ source: 'models.json', content: { data: numbers(10) } }];
      expect((await service.import(half, { replace: true })).models!.retired).toHaveLength(10);
      const one = [{ source: 'models.json', content: { data: numbers(1) } }];
      expect((await service.import(one, { replace: true, retireMost: true })).models!.retired).toHaveLength(9);
    });
  });
});
