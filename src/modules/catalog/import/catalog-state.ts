import type { ImageEndpointEntity, ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
import type { ProviderEntity } from '../entities/provider.entity.js';
import { type CatalogEntries, InvalidCatalog } from './catalog-document.js';
import type { ModelEndpointEntry } from './catalog-entry.dto.js';
import { providerSlugOf, toListedImageEndpointRows, toModelEndpointRow, toProviderRow } from './endpoint-mapper.js';
import { toImageEndpointRows, toImageModelRow, toModelRow } from './entry-mapper.js';
import { type Alias, modelNamesOf } from './model-names.js';
import { isDeepStrictEqual } from 'node:util';

/** A whole catalog. */
export interface CatalogState {
  /** By slug. */
  readonly providers: Map<string, ProviderEntity>;
  /** By id. */
  readonly models: Map<string, ModelEntity>;
  /** By the id of the model. */
  readonly endpoints: Map<string, readonly ModelEndpointEntity[]>;
  /** By the id of the model. */
  readonly imageEndpoints: Map<string, readonly ImageEndpointEntity[]>;
  /** By the alias. */
  readonly aliases: Map<string, Alias>;
}

/**
 * Computes the catalog after an import of entries.
 *
 * @throws InvalidCatalog with every reference to a missing entry
 */
export function stateAfter(before: CatalogState, entries: CatalogEntries): CatalogState {
  const after: CatalogState = {
    providers: new Map(before.providers),
    models: new Map(before.models),
    endpoints: new Map(before.endpoints),
    imageEndpoints: new Map(before.imageEndpoints),
    aliases: new Map(before.aliases),
  };
  for (const provider of entries.providers ?? []) after.providers.set(provider.slug, toProviderRow(provider));
  takeModels(after, entries.models);
  takeImageModels(after, entries.image_models);
  const ids = new Map(modelNamesOf([...after.models.values()], []).map(({ name, modelId }) => [name, modelId]));
  const issues = [
    ...takeAliases(after, entries, ids),
    ...takeEndpoints(after, entries.endpoints, ids),
    ...takeImageEndpoints(after, entries.image_endpoints, ids),
    ...takeZdrEndpoints(after, entries.zdr_endpoints, ids),
  ];
  if (issues.length > 0) throw new InvalidCatalog(issues);
  return after;
}

/** The id of a model, by its names in lower case. */
type Ids = ReadonlyMap<string, string>;

function takeModels({ models }: CatalogState, entries: CatalogEntries['models']): void {
  if (entries === undefined) return;
  for (const [id, model] of models) models.set(id, { ...model, inModelList: false });
  for (const entry of entries.filter(({ alias_target }) => alias_target === undefined)) {
    const known = models.get(entry.id);
    const inImageModelList = known?.inImageModelList ?? false;
    models.set(entry.id, { ...toModelRow(entry, known), inModelList: true, inImageModelList });
  }
}

function takeImageModels({ models, imageEndpoints }: CatalogState, entries: CatalogEntries['image_models']): void {
  if (entries === undefined) return;
  for (const [id, model] of models) models.set(id, { ...model, inImageModelList: false });
  for (const entry of entries) {
    const known = models.get(entry.id);
    const inModelList = known?.inModelList === true;
    const row = toImageModelRow(entry, inModelList ? known : undefined);
    models.set(entry.id, { ...row, inModelList, inImageModelList: true });
    imageEndpoints.set(entry.id, toImageEndpointRows(entry));
  }
}

function takeAliases({ aliases }: CatalogState, entries: CatalogEntries, ids: Ids): string[] {
  const listed = (entries.models ?? []).flatMap(({ id, alias_target }) =>
    alias_target === undefined ? [] : [{ alias: id, target: alias_target.slug }],
  );
  const own = (entries.aliases ?? []).map(({ alias, model }) => ({ alias, target: model }));
  return [...listed, ...own].flatMap(({ alias, target }) => {
    const modelId = ids.get(target.toLowerCase());
    if (modelId === undefined) return [`alias ${alias} stands for ${target}, which is not in the catalog`];
    aliases.set(alias.toLowerCase(), { alias: alias.toLowerCase(), modelId });
    return [];
  });
}

function takeEndpoints(after: CatalogState, entries: CatalogEntries['endpoints'] = [], ids: Ids): string[] {
  return entries.flatMap(({ id, endpoints }) => {
    const modelId = ids.get(id.toLowerCase());
    if (modelId === undefined) return [`there are endpoints of ${id}, which is not in the catalog`];
    const known = after.endpoints.get(modelId) ?? [];
    const rows = endpoints.map((entry, position) => {
      takeProvider(after, entry);
      return toModelEndpointRow(
        modelId,
        position,
        entry,
        known.find(({ tag }) => tag === entry.tag),
      );
    });
    after.endpoints.set(modelId, rows);
    return [];
  });
}

function takeImageEndpoints(after: CatalogState, entries: CatalogEntries['image_endpoints'] = [], ids: Ids): string[] {
  return entries.flatMap((entry) => {
    const modelId = ids.get(entry.id.toLowerCase());
    if (modelId === undefined || after.models.get(modelId)?.inImageModelList !== true) {
      return [`there are image endpoints of ${entry.id}, which is no image model of the catalog`];
    }
    after.imageEndpoints.set(modelId, toListedImageEndpointRows(modelId, entry));
    return [];
  });
}

/** The list of endpoints with zero data retention is complete: all other endpoints retain data. */
function takeZdrEndpoints(after: CatalogState, entries: CatalogEntries['zdr_endpoints'], ids: Ids): string[] {
  if (entries === undefined) return [];
  for (const [modelId, rows] of after.endpoints) {
    after.endpoints.set(
      modelId,
      rows.map((row) => ({ ...row, isZdr: false })),
    );
  }
  return entries.flatMap((entry) => {
    const modelId = ids.get(entry.model_id.toLowerCase());
    if (modelId === undefined) return [`there is an endpoint of ${entry.model_id}, which is not in the catalog`];
    const rows = after.endpoints.get(modelId) ?? [];
    takeProvider(after, entry);
    const added = rows.some(({ tag }) => tag === entry.tag) ? [] : [toModelEndpointRow(modelId, rows.length, entry)];
    const isListed = ({ tag }: ModelEndpointEntity): boolean => tag === entry.tag;
    after.endpoints.set(
      modelId,
      [...rows, ...added].map((row) => (isListed(row) ? { ...row, isZdr: true } : row)),
    );
    return [];
  });
}

/** A provider that only an endpoint names is also stored. */
function takeProvider({ providers }: CatalogState, endpoint: ModelEndpointEntry): void {
  const slug = providerSlugOf(endpoint);
  if (!providers.has(slug)) providers.set(slug, toProviderRow({ slug, name: endpoint.provider_name }));
}

/** Compares as JSON: the database stores neither undefined members nor the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toJson(one), toJson(other));
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
