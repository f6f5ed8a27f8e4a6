import type { Pool } from 'pg';
import { Representation } from '../../src/http/conditional-requests.js';
import { toImageModelsResponse } from '../../src/modules/catalog/catalog.mapper.js';
import { type CatalogModel, toCatalog } from '../../src/modules/catalog/catalog-model.js';
import {
  CATALOG_EDITION,
  CURRENT_ENDPOINTS,
  CURRENT_MODELS,
  IMAGE_MODELS,
  PROVIDERS,
} from '../../src/modules/catalog/catalog.repository.js';
import { givesAnyOf } from '../../src/modules/catalog/list/model-filter.js';
import { toModelsPage } from '../../src/modules/catalog/list/models-page.js';
import { BASE_PATH } from '../support/constants.js';
import { rows } from './rows.js';

const LOCATION = { apiBasePath: BASE_PATH, path: '/models', query: {} } as const;

/** What the floor keeps of an edition of the catalog. */
interface Rendered {
  readonly models: Representation;
  readonly imageModels: Representation;
  readonly modelsById: ReadonlyMap<string, CatalogModel>;
}

let kept: (Rendered & { readonly edition: string }) | undefined;

/** The list of models, which the service too writes once an edition, and asks each time which edition is in force. */
export async function getModels(pool: Pool): Promise<Representation> {
  return (await inForce(pool)).models;
}

/** The list of image models, likewise. */
export async function listImageModels(pool: Pool): Promise<Representation> {
  return (await inForce(pool)).imageModels;
}

/** A model by its id, likewise. */
export async function modelOf(pool: Pool, id: string): Promise<CatalogModel['row']> {
  return (await inForce(pool)).modelsById.get(id)!.row;
}

async function inForce(pool: Pool): Promise<NonNullable<typeof kept>> {
  const [current] = await rows(pool, CATALOG_EDITION, []);
  const { edition } = current!;
  if (kept?.edition !== edition) kept = { edition, ...(await render(pool)) };
  return kept;
}

async function render(pool: Pool): Promise<Rendered> {
  const { listedModels, imageModels, modelsById } = toCatalog({
    models: await rows(pool, CURRENT_MODELS, []),
    names: [],
    endpoints: await rows(pool, CURRENT_ENDPOINTS, []),
    providers: await rows(pool, PROVIDERS, []),
    imageModels: await rows(pool, IMAGE_MODELS, []),
  });
  return {
    models: Representation.ofJson(toModelsPage(listedModels.filter(givesAnyOf()), {}, LOCATION)),
    imageModels: Representation.ofJson({ data: toImageModelsResponse(imageModels, BASE_PATH) }),
    modelsById,
  };
}
