import type { CatalogEntries, ImportedEntries } from './catalog-document.js';
import { InvalidCatalog } from './invalid-catalog.js';
import type { CatalogState } from './catalog-state.js';

/**
 * Refuses lists that would replace ones of more than twice their size: such a file was cut off, or is not meant to be complete
 * (docs/interface/catalog-import.md#replacing).
 *
 * @param before what there is
 * @throws InvalidCatalog that names each of these lists
 */
export function requireWholeLists({ listed, own }: ImportedEntries, before: CatalogState): void {
  const issues = [...shrunkenLists(listed, before, false), ...shrunkenLists(own, before, true)];
  if (issues.length > 0) throw new InvalidCatalog(issues);
}

/** @param areOwn whether the lists replace the operator's own entries too */
function shrunkenLists(entries: CatalogEntries, before: CatalogState, areOwn: boolean): string[] {
  const isReplaced = ({ isOwn }: { readonly isOwn: boolean }): boolean => areOwn || !isOwn;
  const models = [...before.models.values()].filter(isReplaced);
  const ids = new Set(entries.endpoints?.map(({ id }) => id.toLowerCase()));
  const endpoints = [...before.endpoints].flatMap(([id, rows]) => (ids.has(id.toLowerCase()) ? rows : []));
  const sizes = [
    {
      list: 'models',
      given: entries.models?.filter(({ alias_target: target }) => target === undefined).length,
      present: models.filter(({ inModelList }) => inModelList).length,
    },
    {
      list: 'image models',
      given: entries.image_models?.length,
      present: models.filter(({ inImageModelList }) => inImageModelList).length,
    },
    {
      list: 'endpoints',
      given: entries.endpoints?.reduce((sum, model) => sum + model.endpoints.length, 0),
      present: endpoints.filter(isReplaced).length,
    },
  ];
  return sizes.flatMap(({ list, given, present }) =>
    given === undefined || given * 2 >= present
      ? []
      : [
          `the list of ${list} has ${given} of them where the catalog has ${present}: to retire most of these, add --retire-most`,
        ],
  );
}
