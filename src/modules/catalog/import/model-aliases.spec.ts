import type { ModelNameEntity } from '../entities/model.entity.js';
import { modelNamesOf } from './model-aliases.js';

type NamedModel = Parameters<typeof modelNamesOf>[0][number];

function current(id: string, canonicalSlug = `${id}-1`): NamedModel {
  return { id, canonicalSlug, inModelList: true, inImageModelList: false };
}

function retired(id: string, canonicalSlug = `${id}-1`): NamedModel {
  return { ...current(id, canonicalSlug), inModelList: false };
}

/** The id of the model that each name leads to. */
function targets(names: readonly ModelNameEntity[]): Record<string, string> {
  return Object.fromEntries(names.map(({ name, modelId }) => [name, modelId]));
}

describe('modelNamesOf', () => {
  it('names a model by its id and by its canonical slug', () => {
    expect(modelNamesOf([current('a/m', 'a/m-2026')], [])).toEqual([
      { name: 'a/m', modelId: 'a/m', kind: 'id' },
      { name: 'a/m-2026', modelId: 'a/m', kind: 'canonical_slug' },
    ]);
  });

  it('names a model once when the two are the same', () => {
    expect(modelNamesOf([current('a/m', 'a/m')], [])).toEqual([{ name: 'a/m', modelId: 'a/m', kind: 'id' }]);
  });

  it('has names in lower case for ids in their own case', () => {
    const names = modelNamesOf([current('A/M', 'A/M-2026')], [{ alias: 'A/Latest', modelId: 'A/M' }]);

    expect(targets(names)).toEqual({ 'a/m': 'A/M', 'a/m-2026': 'A/M', 'a/latest': 'A/M' });
  });

  it('names aliases as well', () => {
    expect(modelNamesOf([current('a/m', 'a/m')], [{ alias: 'a/latest', modelId: 'a/m' }])).toContainEqual({
      name: 'a/latest',
      modelId: 'a/m',
      kind: 'alias',
    });
  });

  it('omits an alias without a target', () => {
    expect(modelNamesOf([], [{ alias: 'a/latest', modelId: 'a/m' }])).toEqual([]);
  });

  describe('of variants', () => {
    it('resolve the shared canonical slug to the base model, in any order', () => {
      const [base, variant] = [current('a/m', 'a/m-2026'), current('a/m:free', 'a/m-2026')];
      const expected = { 'a/m': 'a/m', 'a/m:free': 'a/m:free', 'a/m-2026': 'a/m', 'a/m-2026:free': 'a/m:free' };

      expect(targets(modelNamesOf([base, variant], []))).toEqual(expected);
      expect(targets(modelNamesOf([variant, base], []))).toEqual(expected);
    });

    it('resolve the canonical slug to a variant without base model', () => {
      expect(targets(modelNamesOf([current('a/m:free', 'a/m-2026')], []))).toEqual({
        'a/m:free': 'a/m:free',
        'a/m-2026:free': 'a/m:free',
        'a/m-2026': 'a/m:free',
      });
    });
  });

  describe('when several models claim one name', () => {
    it('prefer an id over a canonical slug, and both over an alias', () => {
      const models = [current('a/one', 'a/other'), current('a/other', 'a/shared'), current('a/third', 'a/third')];
      const aliases = ['a/one', 'a/other', 'a/shared'].map((alias) => ({ alias, modelId: 'a/third' }));

      expect(targets(modelNamesOf(models, aliases))).toEqual({
        'a/one': 'a/one',
        'a/other': 'a/other',
        'a/shared': 'a/other',
        'a/third': 'a/third',
      });
    });

    it('prefer a current model over a retired one, whatever the name is to each', () => {
      const models = [retired('a/id', 'a/slug'), retired('a/both', 'a/both'), current('a/m', 'a/id')];
      const aliases = [
        { alias: 'a/slug', modelId: 'a/m' },
        { alias: 'a/both', modelId: 'a/m' },
      ];

      expect(targets(modelNamesOf(models, aliases))).toEqual({
        'a/m': 'a/m',
        'a/id': 'a/m',
        'a/slug': 'a/m',
        'a/both': 'a/m',
      });
    });

    it('prefer a retired model over an alias of another one', () => {
      const models = [retired('a/one', 'a/one'), retired('a/other', 'a/other')];

      expect(targets(modelNamesOf(models, [{ alias: 'a/one', modelId: 'a/other' }]))).toEqual({
        'a/one': 'a/one',
        'a/other': 'a/other',
      });
    });

    it('resolve the canonical slug to the base model rather than to a retired variant', () => {
      const models = [retired('a/m:free', 'a/m-2026'), current('a/m', 'a/m-2026')];

      expect(targets(modelNamesOf(models, []))['a/m-2026']).toBe('a/m');
    });

    it('treat a pure image model as current', () => {
      const image = { ...retired('a/image', 'a/image'), inImageModelList: true };

      expect(targets(modelNamesOf([retired('a/old', 'a/image'), image], []))['a/image']).toBe('a/image');
    });

    it('ignore case', () => {
      const names = modelNamesOf([current('a/m', 'A/M'), current('A/other', 'a/M')], []);

      expect(names.filter(({ name }) => name === 'a/m')).toEqual([{ name: 'a/m', modelId: 'a/m', kind: 'id' }]);
    });
  });

  it('contain every name once', () => {
    const models = ['a/m', 'a/m:free', 'a/m:thinking', 'b/m'].flatMap((id) => [
      current(id, 'a/m'),
      retired(`${id}-old`, 'a/m'),
    ]);
    const names = modelNamesOf(models, [
      { alias: 'x/y', modelId: 'a/m' },
      { alias: 'X/Y', modelId: 'b/m' },
    ]).map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });
});
