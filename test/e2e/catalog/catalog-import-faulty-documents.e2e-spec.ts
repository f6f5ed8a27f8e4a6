import { InvalidCatalog } from '../../../src/modules/catalog/import/invalid-catalog.js';
import {
  imageModelEntry,
  importCatalog,
  listedImageModel,
  modelEntry,
} from '../../support/resources/catalog-entries.js';
import { catalogImports } from './catalog-imports.js';

describe('the catalog import', () => {
  const { app, faultsOf } = catalogImports();

  describe('of faulty documents', () => {
    beforeEach(() => importCatalog(app, { data: [modelEntry('acme/before')] }));

    it('names every issue of every entry of every document', async () => {
      const faults = await faultsOf(
        {
          data: [
            modelEntry('acme/fine'),
            { ...modelEntry('acme/broken'), name: 1, created: 'today', pricing: { prompt: '0' } },
            'a string',
            null,
            { name: 'A model without an id' },
          ],
        },
        {
          data: [
            listedImageModel('acme/painter', {}),
            listedImageModel('acme/wrong', { n: { type: 'range', min: 1 } as never }),
          ],
        },
        {
          providers: [{ slug: 'Acme!', name: '' }],
          aliases: [{ alias: 'no-author', model: 1 }],
          image_models: [imageModelEntry('acme/empty', [])],
        },
      );

      const expected = [
        'document-1.json: data[1].name must be string',
        'document-1.json: data[1].created must be integer',
        'document-1.json: data[1].pricing.completion is required',
        'document-1.json: data[2] must be object',
        'document-1.json: data[3] must be object',
        'document-1.json: data[4].id is required',
        'document-2.json: data[1].supported_parameters.n.max is required',
      ];
      expect(faults).toEqual(expect.arrayContaining(expected));
      for (const place of [
        'providers[0].slug',
        'providers[0].name',
        'aliases[0].alias',
        'aliases[0].model',
        'image_models[0].endpoints',
      ]) {
        expect(faults.filter((fault) => fault.startsWith(`document-3.json: ${place} `))).toHaveLength(1);
      }
      expect(faults.filter((fault) => fault.includes('data[0]'))).toEqual([]);
    });

    it('lists all issues in the message of its error', () => {
      expect(new InvalidCatalog(['one', 'two']).message).toBe('The catalog has 2 issues:\n- one\n- two');
      expect(new InvalidCatalog(['one']).message).toBe('The catalog has 1 issue:\n- one');
    });

    it.each([
      ['a list', []],
      ['a text', 'models'],
      ['null', null],
    ])('reports an issue for a document that is not an object: %s', async (_, content) => {
      expect(await faultsOf(content)).toEqual(['document-1.json: must be a JSON object']);
    });

    it('reports an issue for an empty import, and for a document without a list', async () => {
      expect(await faultsOf({})).toEqual([
        'document-1.json: has none of data, providers, aliases, models, image_models, endpoints, image_endpoints, zdr_endpoints',
      ]);
      expect(await faultsOf({ data: {} }, { models: 1 })).toEqual([
        'document-1.json: data.id is required',
        'document-1.json: data.endpoints is required',
        'document-2.json: models must be a list',
      ]);
    });

    it('reports an issue for an entry that is given more than once, in any case and in any document', async () => {
      expect(
        await faultsOf(
          { data: [modelEntry('acme/one'), modelEntry('acme/other'), modelEntry('acme/one')] },
          { data: [modelEntry('ACME/Other')] },
          { data: [listedImageModel('acme/painter', {})] },
          { own: false, image_models: [imageModelEntry('acme/painter', [{}])] },
        ),
      ).toEqual([
        'model acme/one is given more than once',
        'model ACME/Other is given more than once',
        'image model acme/painter is given more than once',
      ]);
      expect(
        await faultsOf({
          models: [modelEntry('acme/one'), modelEntry('acme/other')],
          providers: [
            { slug: 'acme', name: 'Acme' },
            { slug: 'acme', name: 'Acme Inc.' },
          ],
          aliases: [
            { alias: 'acme/a', model: 'acme/one' },
            { alias: 'ACME/a', model: 'acme/other' },
          ],
        }),
      ).toEqual(['provider acme is given more than once', 'alias ACME/a is given more than once']);
    });

    it.each([
      ['id', 'no-author'],
      ['id', 'a/b/c'],
      ['id', 'acme/with space'],
      ['canonical_slug', 'no-author'],
      ['created', -1],
      ['created', 2 ** 31],
      ['created', 1.5],
      ['context_length', 2 ** 31],
      ['description', null],
      ['supported_parameters', ['nonsense']],
      ['supported_voices', 'alloy'],
      ['per_request_limits', {}],
      ['reasoning', { mandatory: 'yes' }],
      ['architecture', { modality: null, input_modalities: ['smell'], output_modalities: [] }],
      ['architecture', { modality: null, input_modalities: [], output_modalities: [], tokenizer: 'Unheard of' }],
      ['pricing', { prompt: 0, completion: '0' }],
      ['top_provider', null],
      ['alias_target', {}],
      ['name', 'a\u0000b'],
      ['description', '\ud800'],
    ])('reports an issue for the %s %j', async (field, value) => {
      const faults = await faultsOf({ data: [modelEntry('acme/fine'), modelEntry('acme/model', { [field]: value })] });

      expect(faults).not.toEqual([]);
      for (const fault of faults) expect(fault).toMatch(new RegExp(`^document-1\\.json: data\\[1\\]\\.${field}`));
    });
  });
});
