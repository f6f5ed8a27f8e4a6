import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UNHURRIED } from '../../../database/unhurried.js';
import { byModel } from '../by-model.js';
import { ImageEndpointEntity } from '../entities/image-endpoint.entity.js';
import { ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import { ModelNameEntity } from '../entities/model-name.entity.js';
import { ModelEntity } from '../entities/model.entity.js';
import { ProviderEntity } from '../entities/provider.entity.js';
import { type CatalogDocument, type CatalogEntries, readCatalogDocuments } from './catalog-document.js';
import { type CatalogState, stateAfter } from './catalog-state.js';
import type { ImportReport } from './import-report.js';
import { modelNamesOf } from './model-names.js';
import { reportOn } from './report-changes.js';
import { sameJson } from './same-json.js';

/** How many rows one INSERT carries: PostgreSQL takes 65,535 parameters at most. */
const BATCH_SIZE = 500;

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
    await saveProviders(manager, before, after);
    await saveModels(manager, before, after);
    await saveEndpoints(manager, ModelEndpointEntity, before.endpoints, after.endpoints);
    await saveEndpoints(manager, ImageEndpointEntity, before.imageEndpoints, after.imageEndpoints);
    await saveNames(manager, after);
    return reportOn(entries, before, after);
  }
}

async function loadState(manager: EntityManager): Promise<CatalogState> {
  const order = { modelId: 'ASC', position: 'ASC' } as const;
  const providers = await manager.find(ProviderEntity);
  const models = await manager.find(ModelEntity);
  const names = await manager.find(ModelNameEntity, { where: { kind: 'alias' } });
  return {
    providers: new Map(providers.map((provider) => [provider.slug, provider])),
    models: new Map(models.map((model) => [model.id, model])),
    endpoints: byModel(await manager.find(ModelEndpointEntity, { order })),
    imageEndpoints: byModel(await manager.find(ImageEndpointEntity, { order })),
    aliases: new Map(names.map(({ name, modelId }) => [name, { alias: name, modelId }])),
  };
}

async function saveProviders(manager: EntityManager, before: CatalogState, after: CatalogState): Promise<void> {
  const changed = [...after.providers.values()].filter((row) => !sameJson(row, before.providers.get(row.slug)));
  for (const batch of batches(changed)) await manager.upsert(ProviderEntity, batch, ['slug']);
}

async function saveModels(manager: EntityManager, before: CatalogState, after: CatalogState): Promise<void> {
  const changed = [...after.models.values()].filter((model) => !sameJson(model, before.models.get(model.id)));
  for (const batch of batches(changed)) await manager.upsert(ModelEntity, batch, ['id']);
}

async function saveEndpoints<Endpoint extends ModelEndpointEntity | ImageEndpointEntity>(
  manager: EntityManager,
  entity: new () => Endpoint,
  before: ReadonlyMap<string, readonly Endpoint[]>,
  after: ReadonlyMap<string, readonly Endpoint[]>,
): Promise<void> {
  const changed = [...after].filter(([modelId, endpoints]) => !sameJson(endpoints, before.get(modelId)));
  for (const [modelId] of changed) await manager.delete<ModelEndpointEntity | ImageEndpointEntity>(entity, { modelId });
  for (const batch of batches(changed.flatMap(([, endpoints]) => endpoints))) {
    await manager.insert<ModelEndpointEntity | ImageEndpointEntity>(entity, batch);
  }
}

async function saveNames(manager: EntityManager, after: CatalogState): Promise<void> {
  const names = modelNamesOf([...after.models.values()], [...after.aliases.values()]);
  await manager.deleteAll(ModelNameEntity);
  for (const batch of batches(names)) await manager.insert(ModelNameEntity, batch);
}

function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}
