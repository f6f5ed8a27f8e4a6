import { Injectable } from '@nestjs/common';
import { BackgroundStatements } from '../../../persistence/background-statements.js';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertRowsStatement } from '../../../persistence/insert-statement.js';
import { type BoundValues, type RowsStatement, statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';
import { byModel } from '../catalog-model.js';
import { ImageEndpointEntity, ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import { ModelEntity, ModelNameEntity } from '../entities/model.entity.js';
import { ProviderEntity } from '../entities/provider.entity.js';
import { type CatalogState, sameJson } from './catalog-state.js';
import { modelNamesOf } from './model-aliases.js';

/** How many rows one statement inserts: the parameter is one JSON text of all of them. */
const BATCH_SIZE = 500;

export const ANY_MODEL = statement<{ id: string }>('catalog_any_model', 'SELECT id FROM models LIMIT 1');

/** Has imports wait for each other; readers go on reading what was there before. */
export const LOCK_MODELS = statement('models_lock', 'LOCK TABLE models IN SHARE ROW EXCLUSIVE MODE');

export const ALL_PROVIDERS = statement<ProviderEntity>(
  'providers_all',
  `SELECT ${columnsOf(ProviderEntity, 'p')} FROM providers p`,
);

/** Every model, also those that were retired. */
export const ALL_MODELS = statement<ModelEntity>('models_all', `SELECT ${columnsOf(ModelEntity, 'm')} FROM models m`);

/** Every alias of a model. */
export const ALL_ALIASES = statement<ModelNameEntity>(
  'model_aliases_all',
  `SELECT ${columnsOf(ModelNameEntity, 'n')} FROM model_names n WHERE n.kind = 'alias'`,
);

export const ALL_ENDPOINTS = statement<ModelEndpointEntity>(
  'model_endpoints_all',
  `SELECT ${columnsOf(ModelEndpointEntity, 'e')} FROM model_endpoints e ORDER BY e.model_id, e.position`,
);

/** Every endpoint of an image model. */
export const ALL_IMAGE_ENDPOINTS = statement<ImageEndpointEntity>(
  'image_endpoints_all',
  `SELECT ${columnsOf(ImageEndpointEntity, 'e')} FROM image_endpoints e ORDER BY e.model_id, e.position`,
);

/** Inserts providers, or updates those that there are. */
export const UPSERT_PROVIDERS = insertRowsStatement('providers_upsert', ProviderEntity, ['slug']);

/** Inserts models, or updates those that there are. */
export const UPSERT_MODELS = insertRowsStatement('models_upsert', ModelEntity, ['id']);

export const INSERT_ENDPOINTS = insertRowsStatement('model_endpoints_insert', ModelEndpointEntity);

/** Inserts endpoints of image models. */
export const INSERT_IMAGE_ENDPOINTS = insertRowsStatement('image_endpoints_insert', ImageEndpointEntity);

export const INSERT_MODEL_NAMES = insertRowsStatement('model_names_insert', ModelNameEntity);

export const DELETE_ENDPOINTS = statement<never, [modelIds: readonly string[]]>(
  'model_endpoints_delete',
  'DELETE FROM model_endpoints WHERE model_id = ANY ($1)',
);

export const DELETE_IMAGE_ENDPOINTS = statement<never, [modelIds: readonly string[]]>(
  'image_endpoints_delete',
  'DELETE FROM image_endpoints WHERE model_id = ANY ($1)',
);

export const DELETE_MODEL_NAMES = statement('model_names_delete', 'DELETE FROM model_names');

/** Reads and writes the whole catalog, for an import. */
@Injectable()
export class CatalogImportRepository {
  constructor(private readonly statements: BackgroundStatements) {}

  async isEmpty(): Promise<boolean> {
    return (await this.statements.first(ANY_MODEL, [])) === undefined;
  }

  /** Runs an import as one transaction, after those that have begun before. An error that it throws rolls it back. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.statements.transaction(async (tx) => {
      await tx.write(LOCK_MODELS, []);
      return work(tx);
    });
  }

  async load(tx: Transaction): Promise<CatalogState> {
    const providers = await tx.rows(ALL_PROVIDERS, []);
    const models = await tx.rows(ALL_MODELS, []);
    const aliases = await tx.rows(ALL_ALIASES, []);
    return {
      providers: new Map(providers.map((provider) => [provider.slug, provider])),
      models: new Map(models.map((model) => [model.id, model])),
      endpoints: byModel(await tx.rows(ALL_ENDPOINTS, []), ({ modelId }) => modelId),
      imageEndpoints: byModel(await tx.rows(ALL_IMAGE_ENDPOINTS, []), ({ modelId }) => modelId),
      aliases: new Map(aliases.map(({ name, modelId }) => [name, { alias: name, modelId }])),
    };
  }

  /** Writes what has changed between two states. */
  async save(tx: Transaction, before: CatalogState, after: CatalogState): Promise<void> {
    const providers = [...after.providers.values()].filter((row) => !sameJson(row, before.providers.get(row.slug)));
    await insertAll(tx, UPSERT_PROVIDERS, providers);
    const models = [...after.models.values()].filter((model) => !sameJson(model, before.models.get(model.id)));
    await insertAll(tx, UPSERT_MODELS, models);
    const endpoints = changed(before.endpoints, after.endpoints);
    await tx.write(DELETE_ENDPOINTS, [endpoints.modelIds]);
    await insertAll(tx, INSERT_ENDPOINTS, endpoints.rows);
    const imageEndpoints = changed(before.imageEndpoints, after.imageEndpoints);
    await tx.write(DELETE_IMAGE_ENDPOINTS, [imageEndpoints.modelIds]);
    await insertAll(tx, INSERT_IMAGE_ENDPOINTS, imageEndpoints.rows);
    await tx.write(DELETE_MODEL_NAMES, []);
    await insertAll(tx, INSERT_MODEL_NAMES, modelNamesOf([...after.models.values()], [...after.aliases.values()]));
  }
}

/** The models whose endpoints have changed, and all endpoints that these models have now. */
function changed<Endpoint>(
  before: ReadonlyMap<string, readonly Endpoint[]>,
  after: ReadonlyMap<string, readonly Endpoint[]>,
): { modelIds: string[]; rows: Endpoint[] } {
  const entries = [...after].filter(([modelId, endpoints]) => !sameJson(endpoints, before.get(modelId)));
  return { modelIds: entries.map(([modelId]) => modelId), rows: entries.flatMap(([, endpoints]) => endpoints) };
}

async function insertAll<Row extends object>(
  tx: Transaction,
  insert: RowsStatement<Row>,
  rows: readonly Row[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const values: BoundValues<readonly Row[]> = insert.values(rows.slice(start, start + BATCH_SIZE));
    await tx.write(insert, values);
  }
}
