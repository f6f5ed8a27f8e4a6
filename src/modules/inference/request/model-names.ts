import type { Catalog, CatalogModel } from '../../catalog/catalog-model.js';
import { parseModelReference } from '../../catalog/model-reference.js';
import { InvalidModel } from '../inference.errors.js';

/** A model that a request names, and how it asks to be served. */
export interface RequestedModel {
  /** As the caller wrote it. */
  readonly name: string;
  readonly model: CatalogModel;
  /** The variant that orders endpoints instead of being a model of its own. */
  readonly sort: 'throughput' | 'price' | 'exacto' | null;
}

/** The name of a model without the preset that stands behind or in place of it. */
export interface NamedPreset {
  readonly model: string | undefined;
  readonly preset: string | undefined;
}

const PRESET_MARK = '@preset/';

const SORT_BY_VARIANT: Readonly<Record<string, RequestedModel['sort']>> = {
  nitro: 'throughput',
  floor: 'price',
  exacto: 'exacto',
};

/** Variants that are models of their own: without an entry in the catalog there is no such model. */
const OWN_MODELS: ReadonlySet<string> = new Set(['free', 'extended', 'thinking', 'beta', 'batch']);

/** Takes `author/model@preset/slug` and `@preset/slug` apart. */
export function splitPreset(name: string | undefined): NamedPreset {
  const mark = name?.indexOf(PRESET_MARK) ?? -1;
  if (name === undefined || mark === -1) return { model: name, preset: undefined };
  return { model: mark === 0 ? undefined : name.slice(0, mark), preset: name.slice(mark + PRESET_MARK.length) };
}

/**
 * Finds a model by its name, as `GET /model/{author}/{slug}` does (docs/interface/catalog.md#names-of-models).
 *
 * @throws InvalidModel
 */
export function findModel(catalog: Catalog, name: string): RequestedModel {
  const model = knownModel(catalog, name);
  if (model === undefined) throw new InvalidModel(name);
  return model;
}

/** The same for a name that may lead nowhere. */
export function knownModel({ modelsByName }: Catalog, name: string): RequestedModel | undefined {
  const reference = parseModelReference(name);
  if (reference === undefined) return undefined;
  const { full, base, variant } = reference;
  const exact = modelsByName.get(full);
  if (exact !== undefined) return { name, model: exact, sort: null };
  const model = modelsByName.get(base);
  if (model === undefined || variant === undefined) return undefined;
  // The name may be an alias of a model whose variant has its own entry.
  const ownVariant = modelsByName.get(`${model.row.id.toLowerCase()}:${variant}`);
  if (ownVariant !== undefined) return { name, model: ownVariant, sort: null };
  if (OWN_MODELS.has(variant)) return undefined;
  return { name, model, sort: SORT_BY_VARIANT[variant] ?? null };
}
