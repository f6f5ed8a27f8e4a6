import { InvalidCatalog } from '../../../src/modules/catalog/import/catalog-document.js';
import type { CreateGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { CATALOG_TABLES, catalogChecks } from './catalog-checks.js';
import {
  imageModelEntry,
  importCatalog,
  listedImageModel,
  modelEntry,
} from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { TestApplication } from '../../support/application/test-application.js';
import starter from '../../../catalog/starter.json' with { type: 'json' };
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const NOTHING = { added: [], changed: [], retired: [], unchanged: 0 };

describe('the catalog import', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeEach(() => app.rows(`TRUNCATE ${CATALOG_TABLES.join(', ')}`));

  const { model, idOf, expectNoModel, imageModels, snapshot, faultsOf } = catalogChecks(() => ({ app, organization }));

  /** The models of a guardrail that allows these names. */
  const allowed = async (...names: string[]): Promise<string[] | null | undefined> => {
    const json = { name: 'Guardrail', allowed_models: names };
    const answer = await app.api.post<CreateGuardrailResponse>('/guardrails', {
      key: organization.managementKey,
      json,
    });
    expect(answer.status).toBe(201);
    return answer.body.data.allowed_models;
  };

  describe('of a new, changed, unchanged or removed entry', () => {
    it('reports each entry as such', async () => {
      const names = ['acme/stays', 'acme/changes', 'acme/goes'];
      expect(await importCatalog(app, { data: names.map((name) => modelEntry(name)) })).toEqual({
        models: { ...NOTHING, added: names },
        aliases: 0,
      });

      const report = await importCatalog(app, {
        data: [
          modelEntry('acme/stays'),
          modelEntry('acme/changes', { name: 'Another name' }),
          modelEntry('acme/comes'),
        ],
      });

      expect(report).toEqual({
        models: { added: ['acme/comes'], changed: ['acme/changes'], retired: ['acme/goes'], unchanged: 1 },
        aliases: 0,
      });
      expect((await model('acme/changes')).body.data.name).toBe('Another name');
      expect(await app.rows('SELECT id, name, in_model_list, in_image_model_list FROM models ORDER BY id')).toEqual([
        { id: 'acme/changes', name: 'Another name', in_model_list: true, in_image_model_list: false },
        { id: 'acme/comes', name: 'The model acme/comes', in_model_list: true, in_image_model_list: false },
        { id: 'acme/goes', name: 'The model acme/goes', in_model_list: false, in_image_model_list: false },
        { id: 'acme/stays', name: 'The model acme/stays', in_model_list: true, in_image_model_list: false },
      ]);
    });

    it.each([
      ['a price', { pricing: { prompt: '0.1', completion: '0.000002' } }],
      ['a further price', { pricing: { prompt: '0.000001', completion: '0.000002', image: '1' } }],
      ['the context', { context_length: 1 }],
      ['the context, to none', { context_length: null }],
      ['the order of parameters', { supported_parameters: ['temperature', 'max_tokens'] }],
      ['a default', { default_parameters: { temperature: 0 } }],
      ['the canonical slug', { canonical_slug: 'acme/other-slug' }],
      [
        'the tokenizer',
        {
          architecture: {
            modality: 'text->text',
            input_modalities: ['text'],
            output_modalities: ['text'],
            tokenizer: 'GPT',
          },
        },
      ],
      ['reasoning', { reasoning: { mandatory: false } }],
      ['the end', { expiration_date: '2027-01-01' }],
      ['the voices', { supported_voices: ['alloy'] }],
    ])('reports the entry as changed when %s differs', async (_, fields) => {
      await importCatalog(app, { data: [modelEntry('acme/model')] });

      const report = await importCatalog(app, { data: [modelEntry('acme/model', fields)] });

      expect(report.models).toEqual({ ...NOTHING, changed: ['acme/model'] });
      expect((await model('acme/model')).body.data).toMatchObject(fields);
      expect((await importCatalog(app, { data: [modelEntry('acme/model', fields)] })).models).toEqual({
        ...NOTHING,
        unchanged: 1,
      });
    });

    it('reports the entry as unchanged when only members that Gatehouse does not store differ: other fields, links, member order', async () => {
      await importCatalog(app, { data: [modelEntry('acme/model')] });
      const before = await snapshot();
      const reversed = Object.fromEntries(Object.entries(modelEntry('acme/model')).reverse());

      const report = await importCatalog(app, {
        data: [{ ...reversed, links: { details: '/elsewhere' }, popularity: { any: 1 }, surprise: 'x' }],
      });

      expect(report.models).toEqual({ ...NOTHING, unchanged: 1 });
      expect(await snapshot()).toEqual(before);
    });

    it('reports image models separately', async () => {
      await importCatalog(app, {
        data: [
          listedImageModel('acme/stays', {}),
          listedImageModel('acme/changes', {}),
          listedImageModel('acme/goes', {}),
        ],
      });

      const report = await importCatalog(app, {
        data: [
          listedImageModel('acme/stays', {}),
          listedImageModel('acme/changes', { seed: { type: 'boolean' } }),
          listedImageModel('acme/comes', {}),
        ],
      });

      expect(report).toEqual({
        imageModels: { added: ['acme/comes'], changed: ['acme/changes'], retired: ['acme/goes'], unchanged: 1 },
        aliases: 0,
      });
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/changes', 'acme/comes', 'acme/stays']);
    });

    it('leaves the other list unchanged', async () => {
      const [text, image] = [modelEntry('acme/text'), listedImageModel('acme/image', {})];
      await importCatalog(app, { data: [text] }, { data: [image] });

      expect((await importCatalog(app, { data: [modelEntry('acme/new')] })).models!.retired).toEqual(['acme/text']);
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/image']);
      expect(await idOf('acme/image')).toBe('acme/image');
      expect((await importCatalog(app, { data: [listedImageModel('acme/newer', {})] })).imageModels!.retired).toEqual([
        'acme/image',
      ]);
      expect(await idOf('acme/new')).toBe('acme/new');
    });
  });

  describe('of a list that lacks a model', () => {
    beforeEach(async () => {
      await importCatalog(app, {
        models: [modelEntry('acme/old', { canonical_slug: 'acme/old-2025' }), modelEntry('acme/new')],
        aliases: [{ alias: 'acme/vintage', model: 'acme/old' }],
      });
      await importCatalog(app, { data: [modelEntry('acme/new')] });
    });

    it('retires the model, so that no name finds it (404)', async () => {
      for (const name of ['acme/old', 'acme/old-2025', 'acme/vintage', 'acme/old:free', 'acme/vintage:online']) {
        await expectNoModel(name);
      }
    });

    it('leaves every name of the retired model usable in guardrails (201)', async () => {
      expect(await allowed('acme/old', 'acme/new')).toEqual(['acme/old-2025', 'acme/new-20260102']);
      expect(await allowed('acme/vintage', 'ACME/OLD:online')).toEqual(['acme/old-2025', 'acme/old-2025:online']);
    });

    it('restores the model when a later list has it again', async () => {
      const report = await importCatalog(app, { data: [modelEntry('acme/old', { canonical_slug: 'acme/old-2025' })] });

      expect(report.models).toEqual({ ...NOTHING, added: ['acme/old'], retired: ['acme/new'] });
      expect(await idOf('acme/vintage')).toBe('acme/old');
      await expectNoModel('acme/new');
    });

    it('keeps the model while the list of image models has it', async () => {
      await importCatalog(app, { data: [modelEntry('acme/both')] }, { data: [listedImageModel('acme/both', {})] });
      await importCatalog(app, { data: [modelEntry('acme/new')] });

      expect(await idOf('acme/both')).toBe('acme/both');
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/both']);
      await importCatalog(app, { data: [listedImageModel('acme/other', {})] });
      await expectNoModel('acme/both');
    });
  });

  describe('of an alias', () => {
    const alias = (id: string, slug: string): object => modelEntry(id, { alias_target: { slug, name: 'Target' } });

    it('accepts an entry of the public list that names its target by id or canonical slug, and lets getModel answer 200', async () => {
      const report = await importCatalog(app, {
        data: [
          alias('~acme/latest', 'acme/model'),
          modelEntry('acme/model', { canonical_slug: 'acme/model-2026' }),
          alias('~acme/current', 'acme/model-2026'),
        ],
      });

      expect(report).toEqual({ models: { ...NOTHING, added: ['acme/model'] }, aliases: 2 });
      for (const name of ['~acme/latest', '~acme/current', '~ACME/Latest', '~acme/latest:online']) {
        expect((await model(name)).text).toBe((await model('acme/model')).text);
      }
      expect(await allowed('~acme/latest', '~acme/current:free')).toEqual(['acme/model-2026', 'acme/model-2026:free']);
      expect(await app.rows('SELECT id FROM models')).toEqual([{ id: 'acme/model' }]);
    });

    it('accepts a target of an earlier import, and an image model as target', async () => {
      await importCatalog(app, { image_models: [imageModelEntry('acme/painter', [{}])] });

      await importCatalog(app, { aliases: [{ alias: 'acme/paint', model: 'acme/painter' }] });

      expect(await idOf('acme/paint')).toBe('acme/painter');
    });

    it('replaces the target by the one of the last import', async () => {
      const models = [modelEntry('acme/one'), modelEntry('acme/other')];
      await importCatalog(app, { models, aliases: [{ alias: 'acme/latest', model: 'acme/one' }] });
      expect(await idOf('acme/latest')).toBe('acme/one');

      await importCatalog(app, { aliases: [{ alias: 'ACME/Latest', model: 'acme/other' }] });

      expect(await idOf('acme/latest')).toBe('acme/other');
      expect(await app.rows(`SELECT name, model_id FROM model_names WHERE kind = 'alias'`)).toEqual([
        { name: 'acme/latest', model_id: 'acme/other' },
      ]);
    });

    it('turns an alias into a model, and a model into an alias, and lets getModel answer 200', async () => {
      await importCatalog(app, { data: [modelEntry('acme/model'), alias('acme/latest', 'acme/model')] });
      expect(await idOf('acme/latest')).toBe('acme/model');

      const own = modelEntry('acme/latest', { canonical_slug: 'acme/latest-2027' });
      await importCatalog(app, { data: [modelEntry('acme/model'), own] });
      expect(await idOf('acme/latest')).toBe('acme/latest');

      const report = await importCatalog(app, { data: [modelEntry('acme/model'), alias('acme/latest', 'acme/model')] });
      expect(report.models).toEqual({ ...NOTHING, retired: ['acme/latest'], unchanged: 1 });
      expect(await idOf('acme/latest')).toBe('acme/model');
      expect(await allowed('acme/latest', 'acme/latest-2027')).toEqual(['acme/model-20260102', 'acme/latest-2027']);
    });

    it('reports an issue for an alias without a target, and imports nothing', async () => {
      const faults = await faultsOf({
        models: [modelEntry('acme/model'), alias('acme/lost', 'acme/nothing')],
        aliases: [
          { alias: 'acme/fine', model: 'acme/model' },
          { alias: 'acme/stray', model: 'nobody/model' },
        ],
      });

      expect(faults).toEqual([
        'alias acme/lost stands for acme/nothing, which is not in the catalog',
        'alias acme/stray stands for nobody/model, which is not in the catalog',
      ]);
    });
  });

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
            { id: 'acme/almost-nothing' },
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
        ...[
          'canonical_slug',
          'name',
          'created',
          'description',
          'context_length',
          'architecture',
          'pricing',
          'top_provider',
          'per_request_limits',
          'supported_parameters',
          'default_parameters',
          'supported_voices',
        ].map((field) => `document-1.json: data[4].${field} is required`),
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
          { image_models: [imageModelEntry('acme/painter', [{}])] },
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
      ['pricing', { prompt: 'free', completion: '0' }],
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

  it('keeps two imports on two replicas apart when they run at the same time', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const of = (author: string): object => ({
      data: Array.from({ length: 30 }, (_, index) => modelEntry(`${author}/model-${index}`)),
    });

    await Promise.all([
      importCatalog(app, of('one')),
      importCatalog(replica, of('other')),
      importCatalog(app, of('third')),
    ]);

    await replica.stop();
    const current = await app.rows<{ author: string; models: string }>(
      `SELECT split_part(id, '/', 1) AS author, count(*) AS models FROM models WHERE in_model_list GROUP BY 1`,
    );
    expect(current).toHaveLength(1);
    expect(current[0]!.models).toBe('30');
    expect(await app.rows('SELECT id FROM models')).toHaveLength(90);
    expect(await app.rows(`SELECT name FROM model_names WHERE kind = 'id'`)).toHaveLength(90);
    const first = `${current[0]!.author}/model-0`;
    expect(await idOf(first)).toBe(first);
  });

  describe('of the starter catalog', () => {
    beforeEach(() => app.factory.starterCatalog());

    const authorOf = (id: string): string => id.split('/')[0]!;
    const all = [...new Set([...starter.models, ...starter.image_models].map(({ id }) => id))];

    it('stores about 60 models of at least 12 authors, 10 of them image models', async () => {
      expect(all.length).toBeGreaterThanOrEqual(55);
      expect(all.length).toBeLessThanOrEqual(70);
      expect(new Set(all.map(authorOf)).size).toBeGreaterThanOrEqual(12);
      expect((await imageModels()).map(({ id }) => id).sort()).toEqual(starter.image_models.map(({ id }) => id).sort());
      expect(starter.image_models).toHaveLength(10);
    });

    it('gives models that answer 200 in the form of the contract', async () => {
      for (const id of all) {
        const answer = await model(id);
        expect(answer.body.data.id).toBe(id);
        expectToFitContract('getModel', 200, answer.body);
      }
    });

    it('stores aliases, each of which finds its target', async () => {
      expect(starter.aliases.length).toBeGreaterThanOrEqual(5);
      for (const { alias, model: target } of starter.aliases) {
        expect(await idOf(alias)).toBe(target);
        expect(await idOf(`${alias}:nitro`)).toBe(target);
      }
    });

    it('stores variants with facts of their own beside their base models', async () => {
      const variants = all.filter((id) => id.includes(':'));
      expect(variants.filter((id) => id.endsWith(':free')).length).toBeGreaterThanOrEqual(3);
      for (const id of variants) {
        const base = id.split(':')[0]!;
        expect(await idOf(id)).toBe(id);
        expect(await idOf(base)).toBe(base);
        expect((await model(id)).body.data.canonical_slug).toBe((await model(base)).body.data.canonical_slug);
      }
    });

    it('stores a provider for every author and every image endpoint', () => {
      const providers = new Set(starter.providers.map(({ slug }) => slug));
      const endpoints = starter.image_models.flatMap((item) => item.endpoints.map(({ provider }) => provider));
      expect(endpoints.filter((provider) => !providers.has(provider))).toEqual([]);
    });

    it('changes nothing when it runs again', async () => {
      const before = await snapshot();

      const report = await importCatalog(app, starter);

      expect(report).toEqual({
        providers: { ...NOTHING, unchanged: starter.providers.length },
        models: { ...NOTHING, unchanged: starter.models.length },
        endpoints: {
          ...NOTHING,
          unchanged: starter.endpoints.reduce((sum, { endpoints }) => sum + endpoints.length, 0),
        },
        imageModels: { ...NOTHING, unchanged: starter.image_models.length },
        aliases: starter.aliases.length,
      });
      expect(await snapshot()).toEqual(before);
    });
  });
});
