import type { Catalog, CatalogModel } from '../../../catalog/catalog-model.js';
import { namesBySlug } from '../../../catalog/model-reference.js';
import { findModel } from './requested-models.js';

/** A catalog in which names, in lower case, lead to models of these ids. */
function catalogOf(idsByName: Readonly<Record<string, string>>): Catalog {
  const ids = new Set(Object.values(idsByName));
  const models = new Map([...ids].map((id) => [id, { row: { id } } as CatalogModel]));
  const modelsByName = new Map(Object.entries(idsByName).map(([name, id]) => [name, models.get(id)!]));
  return { modelsByName, namesBySlug: namesBySlug(modelsByName) } as Partial<Catalog> as Catalog;
}

const CATALOG = catalogOf({
  'acme/writer': 'Acme/Writer',
  'acme/writer-2026': 'Acme/Writer',
  'acme/latest': 'Acme/Writer',
  'acme/writer:free': 'Acme/Writer:free',
  'acme/writer-2026:free': 'Acme/Writer:free',
  'acme/twin': 'acme/twin',
  'other/twin': 'other/twin',
  'other/writer': 'Acme/Writer',
  'acme/gift:free': 'acme/gift:free',
});

describe('The name of a model in a request', () => {
  it.each([
    ['acme/writer', 'Acme/Writer', null],
    ['ACME/Latest', 'Acme/Writer', null],
    ['acme/writer:free', 'Acme/Writer:free', null],
    ['acme/latest:free', 'Acme/Writer:free', null],
    ['acme/gift:free', 'acme/gift:free', null],
    ['acme/writer:nitro', 'Acme/Writer', 'throughput'],
    ['acme/writer:free:nitro', 'Acme/Writer:free', 'throughput'],
    ['acme/writer:floor:free', 'Acme/Writer:free', 'price'],
    ['acme/latest:free:exacto', 'Acme/Writer:free', 'exacto'],
    ['acme/gift:free:floor', 'acme/gift:free', 'price'],
    ['writer', 'Acme/Writer', null],
    ['Writer-2026:free:nitro', 'Acme/Writer:free', 'throughput'],
    ['gift:free', 'acme/gift:free', null],
  ])('%s leads to %s, sorted by %s', (name, id, sort) => {
    const { model, ...found } = findModel(CATALOG, name);
    expect([model.row.id, found]).toEqual([id, { name, sort }]);
  });

  it.each([
    ['nothing', ''],
    ['acme/nothing', ''],
    ['acme/writer:cheap', ''],
    ['acme/writer:thinking', ''],
    ['acme/writer:free:free', ''],
    ['acme/writer:nitro:floor', ''],
    ['acme/gift', ''],
    ['gift', ''],
    ['', ''],
    [':free', ''],
    ['acme/writer:constructor', ''],
    ['acme/writer:online', ': this gateway does not search the web'],
    ['writer:free:online', ': this gateway does not search the web'],
    ['twin', ': it may be acme/twin or other/twin'],
    ['Twin:nitro', ': it may be acme/twin or other/twin'],
  ])('%s leads nowhere, which the message says%s', (name, why) => {
    expect(() => findModel(CATALOG, name)).toThrow(
      expect.objectContaining({ shownMessage: `${name} is not a valid model ID${why}` }),
    );
  });
});
