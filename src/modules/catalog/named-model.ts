import type { Catalog, CatalogModel } from './catalog-model.js';
import { fullNamesOf, parseModelReference } from './model-reference.js';

/**
 * The model that a name leads to (docs/interface/catalog.md#names-of-models). A variant without its own entry is its base model, and a
 * name without an author that of the only model with this slug.
 *
 * @returns undefined for a name that leads to none, or to several
 */
export function namedModel(catalog: Catalog, name: string): CatalogModel | undefined {
  const reference = parseModelReference(name);
  const [base, ...others] = reference === undefined ? [] : fullNamesOf(catalog, reference.base);
  if (base === undefined || others.length > 0) return undefined;
  const { modelsByName } = catalog;
  const model = modelsByName.get(base);
  const suffix = reference?.variant === undefined ? '' : `:${reference.variant}`;
  // The name may be an alias of a model whose variant has its own entry.
  const ownVariant = model && modelsByName.get(`${model.row.id.toLowerCase()}${suffix}`);
  return modelsByName.get(`${base}${suffix}`) ?? ownVariant ?? model;
}
