import {
  importCatalog,
  listedImageModel,
  modelEntry,
  replaceCatalog,
} from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { TestApplication } from '../../support/application/test-application.js';
import starter from '../../../catalog/starter.json' with { type: 'json' };
import { catalogImports, NOTHING } from './catalog-imports.js';

describe('the catalog import', () => {
  const { app, model, snapshot, imageModels, idOf, expectNoModel, allowed } = catalogImports();

  describe('of a new, changed, unchanged or removed entry', () => {
    it('reports each entry as such', async () => {
      const names = ['acme/stays', 'acme/changes', 'acme/goes'];
      expect(await importCatalog(app, { data: names.map((name) => modelEntry(name)) })).toEqual({
        models: { ...NOTHING, added: names },
        aliases: 0,
      });

      const report = await replaceCatalog(app, {
        data: [
          modelEntry('acme/stays'),
          modelEntry('acme/changes', { name: 'Another name' }),
          modelEntry('acme/comes'),
        ],
      });

      expect(report).toEqual({
        models: { ...NOTHING, added: ['acme/comes'], changed: ['acme/changes'], retired: ['acme/goes'], unchanged: 1 },
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

      const report = await replaceCatalog(app, {
        data: [
          listedImageModel('acme/stays', {}),
          listedImageModel('acme/changes', { seed: { type: 'boolean' } }),
          listedImageModel('acme/comes', {}),
        ],
      });

      expect(report).toEqual({
        imageModels: {
          ...NOTHING,
          added: ['acme/comes'],
          changed: ['acme/changes'],
          retired: ['acme/goes'],
          unchanged: 1,
        },
        aliases: 0,
      });
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/changes', 'acme/comes', 'acme/stays']);
    });

    it('leaves the other list unchanged', async () => {
      const [text, image] = [modelEntry('acme/text'), listedImageModel('acme/image', {})];
      await importCatalog(app, { data: [text] }, { data: [image] });

      expect((await replaceCatalog(app, { data: [modelEntry('acme/new')] })).models!.retired).toEqual(['acme/text']);
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/image']);
      expect(await idOf('acme/image')).toBe('acme/image');
      expect((await replaceCatalog(app, { data: [listedImageModel('acme/newer', {})] })).imageModels!.retired).toEqual([
        'acme/image',
      ]);
      expect(await idOf('acme/new')).toBe('acme/new');
    });
  });

  describe('of a complete list that lacks a model', () => {
    beforeEach(async () => {
      await importCatalog(app, {
        own: false,
        models: [modelEntry('acme/old', { canonical_slug: 'acme/old-2025' }), modelEntry('acme/new')],
        aliases: [{ alias: 'acme/vintage', model: 'acme/old' }],
      });
      await replaceCatalog(app, { data: [modelEntry('acme/new')] });
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
      const report = await replaceCatalog(app, { data: [modelEntry('acme/old', { canonical_slug: 'acme/old-2025' })] });

      expect(report.models).toEqual({ ...NOTHING, added: ['acme/old'], retired: ['acme/new'] });
      expect(await idOf('acme/vintage')).toBe('acme/old');
      await expectNoModel('acme/new');
    });

    it('keeps the model while the list of image models has it', async () => {
      await importCatalog(app, { data: [modelEntry('acme/both')] }, { data: [listedImageModel('acme/both', {})] });
      await replaceCatalog(app, { data: [modelEntry('acme/new')] });

      expect(await idOf('acme/both')).toBe('acme/both');
      expect((await imageModels()).map(({ id }) => id)).toEqual(['acme/both']);
      await replaceCatalog(app, { data: [listedImageModel('acme/other', {})] });
      await expectNoModel('acme/both');
    });
  });

  it('keeps two imports on two replicas apart when they run at the same time', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const of = (author: string): object => ({
      data: Array.from({ length: 30 }, (_, index) => modelEntry(`${author}/model-${index}`)),
    });

    await Promise.all([
      replaceCatalog(app, of('one')),
      replaceCatalog(replica, of('other')),
      replaceCatalog(app, of('third')),
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

    it('stores about 110 models of at least 12 authors, 11 of them image models', async () => {
      expect(all.length).toBeGreaterThanOrEqual(100);
      expect(all.length).toBeLessThanOrEqual(140);
      expect(new Set(all.map(authorOf)).size).toBeGreaterThanOrEqual(12);
      expect((await imageModels()).map(({ id }) => id).sort()).toEqual(starter.image_models.map(({ id }) => id).sort());
      expect(starter.image_models).toHaveLength(11);
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
