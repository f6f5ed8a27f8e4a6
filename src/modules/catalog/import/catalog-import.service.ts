import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UNHURRIED } from '../../../database/unhurried.js';
import { ImageEndpointEntity } from '../entities/image-endpoint.entity.js';
import { ModelNameEntity } from '../entities/model-name.entity.js';
import { ModelEntity } from '../entities/model.entity.js';
import { ProviderEntity } from '../entities/provider.entity.js';
import { type CatalogDocument, type CatalogEntries, readCatalogDocuments } from './catalog-document.js';
import { toImageEndpointRows, toImageModelRow, toModelRow } from './entry-mapper.js';
import type { ImportReport, ListReport } from './import-report.js';
import { InvalidCatalog } from './invalid-catalog.js';
import { type Alias, modelNamesOf } from './model-names.js';

/** How many rows one INSERT carries: PostgreSQL takes 65,535 parameters at most. */
const BATCH_SIZE = 500;

/** The catalog as it is while an import works on it. */
interface CatalogState {
  readonly models: Map<string, ModelEntity>;
  readonly endpoints: Map<string, ImageEndpointEntity[]>;
  readonly aliases: Map<string, Alias>;
}

/** Brings the catalog to what documents say: all of it or, at the first fault, none. */
@Injectable()
export class CatalogImportService {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether there is no catalog yet. */
  async isEmpty(): Promise<boolean> {
    return !(await this.dataSource.manager.exists(ModelEntity));
  }

  /**
   * Imports documents. A list replaces the one before it: what it does not have any more is retired, which hides it from
   * callers but not from guardrails that name it. Importing the same again changes nothing.
   *
   * @param dryRun find out what would happen, and change nothing
   * @throws InvalidCatalog that names every fault
   */
  async import(documents: readonly CatalogDocument[], dryRun = false): Promise<ImportReport> {
    const entries = readCatalogDocuments(documents);
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    try {
      await runner.query(UNHURRIED);
      // Imports wait for each other; readers go on reading what was there before.
      await runner.query('LOCK TABLE models IN SHARE ROW EXCLUSIVE MODE');
      const report = await this.apply(runner.manager, entries);
      if (dryRun) await runner.rollbackTransaction();
      else await runner.commitTransaction();
      return report;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  private async apply(manager: EntityManager, entries: CatalogEntries): Promise<ImportReport> {
    const before = await loadState(manager);
    const after = stateAfter(before, entries);
    if (entries.providers?.length) await manager.upsert(ProviderEntity, entries.providers, ['slug']);
    await saveModels(manager, before, after);
    await saveEndpoints(manager, before, after);
    await saveNames(manager, after);
    return {
      ...(entries.models && { models: reportOn('inModelList', before, after) }),
      ...(entries.imageModels && { imageModels: reportOn('inImageModelList', before, after) }),
      aliases: after.aliases.size,
    };
  }
}

async function loadState(manager: EntityManager): Promise<CatalogState> {
  const models = await manager.find(ModelEntity);
  const endpoints = await manager.find(ImageEndpointEntity, { order: { modelId: 'ASC', position: 'ASC' } });
  const names = await manager.find(ModelNameEntity, { where: { kind: 'alias' } });
  const endpointsByModel = new Map<string, ImageEndpointEntity[]>();
  for (const endpoint of endpoints) {
    endpointsByModel.set(endpoint.modelId, [...(endpointsByModel.get(endpoint.modelId) ?? []), endpoint]);
  }
  return {
    models: new Map(models.map((model) => [model.id, model])),
    endpoints: endpointsByModel,
    aliases: new Map(names.map(({ name, modelId }) => [name, { alias: name, modelId }])),
  };
}

function stateAfter(before: CatalogState, entries: CatalogEntries): CatalogState {
  const models = new Map(before.models);
  const endpoints = new Map(before.endpoints);
  const aliases = new Map(before.aliases);
  if (entries.models) {
    for (const [id, model] of models) models.set(id, { ...model, inModelList: false });
    for (const entry of entries.models.filter(({ alias_target }) => alias_target === undefined)) {
      const inImageModelList = models.get(entry.id)?.inImageModelList ?? false;
      models.set(entry.id, { ...toModelRow(entry), inModelList: true, inImageModelList });
    }
  }
  if (entries.imageModels) {
    for (const [id, model] of models) models.set(id, { ...model, inImageModelList: false });
    for (const entry of entries.imageModels) {
      const known = models.get(entry.id);
      const listed = known?.inModelList === true;
      models.set(entry.id, {
        ...toImageModelRow(entry, listed ? known : undefined),
        inModelList: listed,
        inImageModelList: true,
      });
      endpoints.set(entry.id, toImageEndpointRows(entry));
    }
  }
  for (const alias of aliasesOf(entries, models)) aliases.set(alias.alias, alias);
  return { models, endpoints, aliases };
}

function aliasesOf(entries: CatalogEntries, models: ReadonlyMap<string, ModelEntity>): Alias[] {
  const listed = (entries.models ?? []).flatMap(({ id, alias_target }) =>
    alias_target === undefined ? [] : [{ alias: id, target: alias_target.slug }],
  );
  const own = (entries.aliases ?? []).map(({ alias, model }) => ({ alias, target: model }));
  const ids = new Map(modelNamesOf([...models.values()], []).map(({ name, modelId }) => [name, modelId]));
  const faults: string[] = [];
  const aliases = [...listed, ...own].flatMap(({ alias, target }) => {
    const modelId = ids.get(target.toLowerCase());
    if (modelId !== undefined) return [{ alias: alias.toLowerCase(), modelId }];
    faults.push(`alias ${alias} stands for ${target}, which is not in the catalog`);
    return [];
  });
  if (faults.length > 0) throw new InvalidCatalog(faults);
  return aliases;
}

async function saveModels(manager: EntityManager, before: CatalogState, after: CatalogState): Promise<void> {
  const changed = [...after.models.values()].filter((model) => !sameJson(model, before.models.get(model.id)));
  for (const batch of batches(changed)) await manager.upsert(ModelEntity, batch, ['id']);
}

async function saveEndpoints(manager: EntityManager, before: CatalogState, after: CatalogState): Promise<void> {
  for (const [modelId, endpoints] of after.endpoints) {
    if (sameJson(endpoints, before.endpoints.get(modelId))) continue;
    await manager.delete(ImageEndpointEntity, { modelId });
    await manager.insert(ImageEndpointEntity, endpoints);
  }
}

async function saveNames(manager: EntityManager, after: CatalogState): Promise<void> {
  const names = modelNamesOf([...after.models.values()], [...after.aliases.values()]);
  await manager.deleteAll(ModelNameEntity);
  for (const batch of batches(names)) await manager.insert(ModelNameEntity, batch);
}

function reportOn(list: 'inModelList' | 'inImageModelList', before: CatalogState, after: CatalogState): ListReport {
  const report = { added: [] as string[], changed: [] as string[], retired: [] as string[], unchanged: 0 };
  for (const [id, model] of after.models) {
    const known = before.models.get(id);
    const wasListed = known?.[list] === true;
    if (!model[list]) {
      if (wasListed) report.retired.push(id);
    } else if (!wasListed) report.added.push(id);
    else if (sameFacts(model, known) && sameEndpoints(id, before, after)) report.unchanged += 1;
    else report.changed.push(id);
  }
  return report;
}

function sameFacts(model: ModelEntity, known: ModelEntity): boolean {
  const { inModelList, inImageModelList } = model;
  return sameJson(model, { ...known, inModelList, inImageModelList });
}

function sameEndpoints(id: string, before: CatalogState, after: CatalogState): boolean {
  return sameJson(after.endpoints.get(id), before.endpoints.get(id));
}

/** Compares as JSON: the database does not keep members that are undefined, nor their order. */
function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toJson(one), toJson(other));
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
