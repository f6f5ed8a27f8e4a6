import type { ModelEntity } from '../entities/model.entity.js';
import { priceFaultOf } from '../price-rules.js';
import type { CatalogEntries } from './catalog-document.js';
import { knownPrices } from './entry-mapper.js';
import { type CatalogState, sameJson } from './catalog-state.js';

/** The changes of an import to one list, by the keys of its entries. */
export interface ListReport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly retired: readonly string[];
  readonly unchanged: number;
}

/** The changes of an import; lists that the import did not contain are absent. */
export interface ImportReport {
  /** By slug. */
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

/** The changes of an import to each list. */
export function reportOn(entries: CatalogEntries, before: CatalogState, after: CatalogState): ImportReport {
  const unchargeable = unchargeableIn(entries);
  return {
    ...(entries.providers && { providers: compare(before.providers, after.providers) }),
    ...(entries.models && { models: reportOnModels('inModelList', before, after) }),
    ...(entries.image_models && { imageModels: reportOnModels('inImageModelList', before, after) }),
    ...((entries.endpoints ?? entries.zdr_endpoints) && {
      endpoints: compare(byName(before.endpoints), byName(after.endpoints)),
    }),
    ...(entries.image_endpoints && {
      imageEndpoints: compare(byProvider(before.imageEndpoints), byProvider(after.imageEndpoints)),
    }),
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
    const price = priceFaultOf(knownPrices(pricing));
    return price === undefined ? [] : [{ entry, price }];
  });
}

function reportOnModels(
  list: 'inModelList' | 'inImageModelList',
  before: CatalogState,
  after: CatalogState,
): ListReport {
  const listed = (state: CatalogState): Map<string, unknown> =>
    new Map(
      [...state.models]
        .filter(([, model]) => model[list])
        .map(([id, model]) => [id, [factsOf(model), state.imageEndpoints.get(id)]]),
    );
  return compare(listed(before), listed(after));
}

function factsOf({ inModelList: _inModelList, inImageModelList: _inImageModelList, ...facts }: ModelEntity): object {
  return facts;
}

/** Endpoints by model and tag, and by how many of the same tag come before. */
function byName(endpoints: CatalogState['endpoints']): Map<string, unknown> {
  return new Map([...endpoints].flatMap(([id, rows]) => numbered(id, rows, ({ tag }) => tag)));
}

function byProvider(endpoints: CatalogState['imageEndpoints']): Map<string, unknown> {
  return new Map([...endpoints].flatMap(([id, rows]) => numbered(id, rows, ({ providerSlug }) => providerSlug)));
}

function numbered<Row extends object>(
  modelId: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): [string, unknown][] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const name = nameOf(row);
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return [`${modelId} ${name}${number === 1 ? '' : ` (${number})`}`, row];
  });
}

function compare(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): ListReport {
  const names = [...after.keys()];
  const known = names.filter((name) => before.has(name));
  const changed = known.filter((name) => !sameJson(before.get(name), after.get(name)));
  return {
    added: names.filter((name) => !before.has(name)),
    changed,
    retired: [...before.keys()].filter((name) => !after.has(name)),
    unchanged: known.length - changed.length,
  };
}
