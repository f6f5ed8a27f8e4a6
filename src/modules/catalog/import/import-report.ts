import type { ModelEntity } from '../entities/model.entity.js';
import { priceFaultOf } from '../price-rules.js';
import type { CatalogEntries, ImportedEntries, ListName } from './catalog-document.js';
import { knownPrices } from './entry-mapper.js';
import { type CatalogState, sameJson } from './catalog-state.js';
import { numbered } from './repeated-names.js';

/** The changes of an import to one list, by the keys of its entries. */
export interface ListReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly retired: readonly string[];
  /** What the import lacks, and `--replace` would retire. */
  readonly wouldRetire: readonly string[];
  readonly unchanged: number;
}

/** The changes of an import; lists that the import did not contain are absent. */
export interface ImportReport {
  /** By slug; also absent if endpoints name no new one. */
  readonly providers?: ListReport;
  /** By id. */
  readonly models?: ListReport;
  /** By id. */
  readonly imageModels?: ListReport;
  /** By the id of the model and the tag. */
  readonly endpoints?: ListReport;
  /** By the id of the model and the slug of the provider. */
  readonly imageEndpoints?: ListReport;
  /** The number of aliases after the import. */
  readonly aliases: number;
  /** What was imported and is listed, but is not routed to; absent for nothing. */
  readonly unchargeable?: readonly UnchargeableEntry[];
}

/** A model, or an endpoint of one, by whose price no request can be charged (docs/interface/catalog.md#prices-that-cannot-be-charged). */
export interface UnchargeableEntry {
  /** The id of the model, of an endpoint with its tag. */
  readonly entry: string;
  /** The price, as it is given. */
  readonly price: string;
}

/**
 * The changes of an import to each list.
 *
 * @param replaced the catalog as it would be if the lists of the import were complete
 */
export function reportOn(
  { listed, own }: ImportedEntries,
  before: CatalogState,
  after: CatalogState,
  replaced: CatalogState,
): ImportReport {
  const unchargeable = [...unchargeableIn(listed), ...unchargeableIn(own)];
  const has = (...names: ListName[]): boolean => names.some((name) => (listed[name] ?? own[name]) !== undefined);
  const report = (rowsOf: (state: CatalogState) => ReadonlyMap<string, unknown>): ListReport =>
    compare(rowsOf(before), rowsOf(after), rowsOf(replaced));
  return {
    ...((has('providers') || after.providers.size > before.providers.size) && {
      providers: report(({ providers }) => providers),
    }),
    ...(has('models') && { models: report(modelsOf('inModelList')) }),
    ...(has('image_models') && { imageModels: report(modelsOf('inImageModelList')) }),
    ...(has('endpoints', 'zdr_endpoints') && { endpoints: report(({ endpoints }) => byName(endpoints)) }),
    ...(has('image_endpoints') && { imageEndpoints: report(({ imageEndpoints }) => byProvider(imageEndpoints)) }),
    aliases: after.aliases.size,
    ...(unchargeable.length > 0 && { unchargeable }),
  };
}

/** The entries of an import by whose price no request can be charged. */
function unchargeableIn({ models = [], endpoints = [], zdr_endpoints: zdr = [] }: CatalogEntries): UnchargeableEntry[] {
  return [
    ...models.map(({ id, pricing }) => [id, pricing] as const),
    ...endpoints.flatMap(({ id, endpoints: ofModel }) =>
      ofModel.map(({ tag, pricing }) => [`${id} ${tag}`, pricing] as const),
    ),
    ...zdr.map(({ model_id: id, tag, pricing }) => [`${id} ${tag}`, pricing] as const),
  ].flatMap(([entry, pricing]) => {
    const price = pricing && priceFaultOf(knownPrices(pricing));
    return price === undefined ? [] : [{ entry, price }];
  });
}

function modelsOf(list: 'inModelList' | 'inImageModelList'): (state: CatalogState) => ReadonlyMap<string, unknown> {
  return ({ models, imageEndpoints }) =>
    new Map(
      [...models]
        .filter(([, model]) => model[list])
        .map(([id, model]) => [id, [factsOf(model), imageEndpoints.get(id)]]),
    );
}

function factsOf({ inModelList: _inModelList, inImageModelList: _inImageModelList, ...facts }: ModelEntity): object {
  return facts;
}

/** Endpoints by model and tag, and by how many of the same tag come before; their places are not reported. */
function byName(endpoints: CatalogState['endpoints']): Map<string, unknown> {
  const named = byModelAnd(endpoints, ({ tag }) => tag);
  return new Map([...named].map(([name, { position: _position, ...facts }]) => [name, facts]));
}

function byProvider(endpoints: CatalogState['imageEndpoints']): Map<string, unknown> {
  return byModelAnd(endpoints, ({ providerSlug }) => providerSlug);
}

function byModelAnd<Row extends object>(
  endpoints: ReadonlyMap<string, readonly Row[]>,
  nameOf: (row: Row) => string,
): Map<string, Row> {
  return new Map(
    [...endpoints].flatMap(([id, rows]) =>
      [...numbered(rows, nameOf)].map(([name, row]) => [`${id} ${name}`, row] as const),
    ),
  );
}

function compare(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  replaced: ReadonlyMap<string, unknown>,
): ListReport {
  const names = [...after.keys()];
  const known = names.filter((name) => before.has(name));
  const changed = known.filter((name) => !sameJson(before.get(name), after.get(name)));
  return {
    added: names.filter((name) => !before.has(name)),
    changed,
    retired: [...before.keys()].filter((name) => !after.has(name)),
    wouldRetire: known.filter((name) => !replaced.has(name)),
    unchanged: known.length - changed.length,
  };
}
