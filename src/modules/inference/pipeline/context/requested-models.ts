import type { Catalog, CatalogModel } from '../../../catalog/catalog-model.js';
import { fullNamesOf, isVariant } from '../../../catalog/model-reference.js';
import { InvalidModel } from '../../inference.errors.js';

/** A model that a request names, and how it asks to be served. */
export interface RequestedModel {
  /** The name as the caller wrote it. */
  readonly name: string;
  readonly model: CatalogModel;
  /** The variant that orders endpoints instead of being a model of its own. */
  readonly sort: 'throughput' | 'price' | 'exacto' | null;
}

/** The name of a model, and the preset that follows it or stands in its place. */
export interface NamedPreset {
  /** The name of the model, with the variants that follow the preset. */
  readonly model: string | undefined;
  /** Its slug, which may be empty. */
  readonly preset: string | undefined;
  /** The variants of the model that the preset names, such as `:nitro`; empty without any. */
  readonly variants: string;
}

const PRESET_MARK = '@preset/';

const SORT_BY_VARIANT: Readonly<Partial<Record<string, RequestedModel['sort']>>> = {
  nitro: 'throughput',
  floor: 'price',
  exacto: 'exacto',
};

/** Takes `author/model@preset/slug` and `@preset/slug` apart. Variants may stand at the end of either, because no slug has a colon. */
export function splitPreset(name: string | undefined): NamedPreset {
  const mark = name?.indexOf(PRESET_MARK) ?? -1;
  if (name === undefined || mark === -1) return { model: name, preset: undefined, variants: '' };
  const end = name.indexOf(':', mark);
  const preset = name.slice(mark + PRESET_MARK.length, end === -1 ? undefined : end);
  const variants = end === -1 ? '' : name.slice(end);
  return mark === 0
    ? { model: undefined, preset, variants }
    : { model: `${name.slice(0, mark)}${variants}`, preset, variants: '' };
}

/**
 * Finds a model by its name (docs/interface/inference.md#models).
 *
 * @throws InvalidModel
 */
export function findModel(catalog: Catalog, name: string): RequestedModel {
  const model = knownModel(catalog, name);
  if (model === undefined) throw new InvalidModel(name, reasonAgainst(catalog, name));
  return model;
}

/** Finds the model of a name; undefined if there is none. */
export function knownModel(catalog: Catalog, name: string): RequestedModel | undefined {
  const { bases, variants } = partsOf(catalog, name);
  const [base, ...others] = bases;
  if (base === undefined || others.length > 0 || !variants.every(isVariant)) return undefined;
  const { modelsByName } = catalog;
  let [served, model] = [base, modelsByName.get(base)];
  let sort: RequestedModel['sort'] = null;
  for (const variant of variants) {
    // The name may be an alias of a model whose variant has its own entry.
    const ofModel = model && modelsByName.get(`${model.row.id.toLowerCase()}:${variant}`);
    const own = modelsByName.get(`${served}:${variant}`) ?? ofModel;
    if (own !== undefined) {
      [served, model] = [`${served}:${variant}`, own];
      continue;
    }
    const asked = SORT_BY_VARIANT[variant];
    if (asked === undefined || sort !== null) return undefined;
    sort = asked;
  }
  return model && { name, model, sort };
}

function partsOf(catalog: Catalog, name: string): { bases: readonly string[]; variants: readonly string[] } {
  const [base, ...variants] = name.toLowerCase().split(':') as [string, ...string[]];
  return { bases: fullNamesOf(catalog, base), variants };
}

/** What a caller can do about a name that leads to no model; undefined where that says it all. */
function reasonAgainst(catalog: Catalog, name: string): string | undefined {
  const { bases, variants } = partsOf(catalog, name);
  if (bases.length > 1) return `it may be ${bases.toSorted().join(' or ')}`;
  return variants.includes('online') ? 'this gateway does not search the web' : undefined;
}
