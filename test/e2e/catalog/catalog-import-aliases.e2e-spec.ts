import { imageModelEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { catalogImports, NOTHING } from './catalog-imports.js';

describe('the catalog import', () => {
  const { app, model, idOf, faultsOf, allowed } = catalogImports();

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
});
