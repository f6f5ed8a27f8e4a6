import type { ImageEndpointEntity, ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
import type { ProviderEntity } from '../entities/provider.entity.js';
import type { CatalogEntries, ImportedEntries } from './catalog-document.js';
import { InvalidCatalog } from './invalid-catalog.js';
import type { ModelEndpointEntry } from './catalog-entry.dto.js';
import { providerSlugOf, toListedImageEndpointRows, toModelEndpointRow, toProviderRow } from './endpoint-mapper.js';
import { toImageEndpointRows, toImageModelRow, toModelRow } from './entry-mapper.js';
import { parseModelReference } from '../model-reference.js';
import { type Alias, modelNamesOf } from './model-aliases.js';
import { numbered } from './repeated-names.js';
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

/** Lists of an import that are treated alike. */
interface TakenLists {
  readonly entries: CatalogEntries;
  /** Whether they are the operator's own. */
  readonly areOwn: boolean;
  /** Whether they are complete: what they lack is retired. */
  readonly areComplete: boolean;
}

/**
 * Computes the catalog after an import of entries (docs/interface/catalog-import.md#what-an-import-does).
 *
 * @param replace whether the lists of the import are complete, so that what they lack is retired
 * @throws InvalidCatalog with every reference to a missing entry
 */
export function stateAfter(before: CatalogState, { listed, own }: ImportedEntries, replace: boolean): CatalogState {
  const after: CatalogState = {
    providers: new Map(before.providers),
    models: new Map(before.models),
    endpoints: new Map(before.endpoints),
    imageEndpoints: new Map(before.imageEndpoints),
    aliases: new Map(before.aliases),
  };
  // What the operator states comes last, and so goes before what public lists say.
  const groups: readonly TakenLists[] = [
    { entries: listed, areOwn: false, areComplete: replace },
    { entries: own, areOwn: true, areComplete: replace },
  ];
  const issues = groups.flatMap((lists) => {
    for (const provider of lists.entries.providers ?? []) after.providers.set(provider.slug, toProviderRow(provider));
    return [...takeModels(after, lists), ...takeImageModels(after, lists)];
  });
  const ids = new Map([
    // A model that cannot be taken has an issue of its own: what refers to it has none.
    ...groups.flatMap(({ entries }) => (entries.models ?? []).map(({ id }) => [id.toLowerCase(), id] as const)),
    ...modelNamesOf([...after.models.values()], []).map(({ name, modelId }) => [name, modelId] as const),
  ]);
  issues.push(
    ...groups.flatMap((lists) => [
      ...takeAliases(after, lists.entries, ids),
      ...takeEndpoints(after, lists, ids),
      ...takeImageEndpoints(after, lists.entries.image_endpoints, ids),
      ...takeZdrEndpoints(after, lists.entries.zdr_endpoints, ids),
    ]),
  );
  if (issues.length > 0) throw new InvalidCatalog(issues);
  return after;
}

/** The id of a model, by its names in lower case. */
type Ids = ReadonlyMap<string, string>;

function takeModels({ models }: CatalogState, lists: TakenLists): string[] {
  if (lists.entries.models === undefined) return [];
  if (lists.areComplete) retire(models, 'inModelList', lists.areOwn);
  return lists.entries.models.flatMap((entry) => {
    const known = models.get(entry.id);
    if (entry.alias_target !== undefined) {
      // An alias now, and no model any more. One of the operator's own stays one.
      if (known?.isOwn === false) models.set(entry.id, { ...known, inModelList: false });
      return [];
    }
    if (lists.areOwn && parseModelReference(entry.id) === undefined) return [unknownVariant(entry.id)];
    // What is known from the list of image models alone has no prices.
    const isListed = known !== undefined && (known.inModelList || !known.inImageModelList);
    const row = toModelRow(entry, { known, isPartial: lists.areOwn && isListed });
    if (row === undefined) return [`model ${entry.id} needs pricing, with prompt and completion`];
    const inImageModelList = known?.inImageModelList ?? false;
    const isOwn = lists.areOwn || (known?.isOwn ?? false);
    models.set(entry.id, { ...row, inModelList: true, inImageModelList, isOwn });
    return [];
  });
}

/** No request could name such a model. */
function unknownVariant(id: string): string {
  const [name, suffix] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
  return `model ${id}: ${suffix} is no variant of a model; its id could be ${name}-${suffix.replaceAll(':', '-')}, with --upstream-id, in a file upstream_id, for the provider's own name`;
}

/** Takes models off a list. Public lists do not speak of the operator's own models. */
function retire(
  models: Map<string, ModelEntity>,
  list: 'inModelList' | 'inImageModelList',
  areOwnRetired: boolean,
): void {
  for (const [id, model] of models) {
    if (areOwnRetired || !model.isOwn) models.set(id, { ...model, [list]: false });
  }
}

function takeImageModels({ models, imageEndpoints }: CatalogState, lists: TakenLists): string[] {
  if (lists.entries.image_models === undefined) return [];
  if (lists.areComplete) retire(models, 'inImageModelList', lists.areOwn);
  for (const entry of lists.entries.image_models) {
    const known = models.get(entry.id);
    const inModelList = known?.inModelList === true;
    const row = toImageModelRow(entry, inModelList ? known : undefined);
    const isOwn = lists.areOwn || (known?.isOwn ?? false);
    models.set(entry.id, { ...row, inModelList, inImageModelList: true, isOwn });
    imageEndpoints.set(entry.id, toImageEndpointRows(entry));
  }
  return [];
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

function takeEndpoints(after: CatalogState, { entries, areOwn, areComplete }: TakenLists, ids: Ids): string[] {
  return (entries.endpoints ?? []).flatMap(({ id, endpoints }) => {
    const modelId = ids.get(id.toLowerCase());
    if (modelId === undefined) return [`there are endpoints of ${id}, which is not in the catalog`];
    const model = after.models.get(modelId);
    if (model === undefined) return [];
    const known = after.endpoints.get(model.id) ?? [];
    const issues: string[] = [];
    const rows = endpoints.flatMap((entry, position) => {
      const stored = known.find(({ tag, isOwn }) => tag === entry.tag && (areOwn || !isOwn));
      const provider = takeProvider(after, entry);
      const row = toModelEndpointRow(entry, { model, position, provider, isOwn: areOwn, known: stored });
      if (row === undefined) issues.push(missingContext(entry, id));
      return row ?? [];
    });
    const merged = areOwn ? withOwnEndpoints(known, rows, areComplete) : withListedEndpoints(known, rows, areComplete);
    after.endpoints.set(
      model.id,
      merged.map((row, position) => ({ ...row, position })),
    );
    if (areOwn) after.models.set(model.id, { ...model, isOwn: true });
    return issues;
  });
}

/** The endpoints of a model with those of a public list, which does not speak of the operator's own: these stay as they are. */
function withListedEndpoints(
  known: readonly ModelEndpointEntity[],
  listed: readonly ModelEndpointEntity[],
  areComplete: boolean,
): ModelEndpointEntity[] {
  const own = known.filter(({ isOwn }) => isOwn);
  const taken = listed.filter((row) => !own.some(({ tag }) => tag === row.tag));
  const names = numbered(taken, ({ tag }) => tag);
  const others = numbered(
    known.filter(({ isOwn }) => !isOwn),
    ({ tag }) => tag,
  );
  const kept = areComplete ? [] : [...others].filter(([name]) => !names.has(name)).map(([, row]) => row);
  return [...own, ...taken, ...kept];
}

/** The endpoints of a model with those that the operator states, each in the place of one of the same tag. */
function withOwnEndpoints(
  known: readonly ModelEndpointEntity[],
  stated: readonly ModelEndpointEntity[],
  areComplete: boolean,
): ModelEndpointEntity[] {
  if (areComplete) return [...stated];
  const merged = numbered(known, ({ tag }) => tag);
  for (const [name, row] of numbered(stated, ({ tag }) => tag)) merged.set(name, row);
  return [...merged.values()];
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

/** The list of endpoints with zero data retention is complete: all others that public lists have retain data. */
function takeZdrEndpoints(after: CatalogState, entries: CatalogEntries['zdr_endpoints'], ids: Ids): string[] {
  if (entries === undefined) return [];
  for (const [modelId, rows] of after.endpoints) {
    after.endpoints.set(
      modelId,
      rows.map((row) => (row.isOwn ? row : { ...row, isZdr: false })),
    );
  }
  return entries.flatMap((entry) => {
    const model = after.models.get(ids.get(entry.model_id.toLowerCase()) ?? '');
    if (model === undefined) return [`there is an endpoint of ${entry.model_id}, which is not in the catalog`];
    const rows = after.endpoints.get(model.id) ?? [];
    const provider = takeProvider(after, entry);
    const isKnown = rows.some(({ tag }) => tag === entry.tag);
    const place = { model, position: rows.length, provider, isOwn: false, known: undefined };
    const added = isKnown ? [] : [toModelEndpointRow(entry, place)];
    if (added.includes(undefined)) return [missingContext(entry, entry.model_id)];
    const isMarked = ({ tag, isOwn }: ModelEndpointEntity): boolean => tag === entry.tag && !isOwn;
    after.endpoints.set(
      model.id,
      [...rows, ...added].flatMap((row) => (row && isMarked(row) ? { ...row, isZdr: true } : (row ?? []))),
    );
    return [];
  });
}

function missingContext({ tag }: ModelEndpointEntry, model: string): string {
  return `endpoint ${tag} of ${model} needs context_length, because the model has none`;
}

/** The provider of an endpoint. One that only an endpoint names is also stored. */
function takeProvider({ providers }: CatalogState, endpoint: ModelEndpointEntry): ProviderEntity {
  const slug = providerSlugOf(endpoint);
  const provider = providers.get(slug) ?? toProviderRow({ slug, name: endpoint.provider_name ?? slug });
  providers.set(slug, provider);
  return provider;
}

/** Compares as JSON: the database stores neither undefined members nor the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toJson(one), toJson(other));
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
