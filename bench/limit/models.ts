import type { Pool } from 'pg';
import { Rendition } from '../../src/http/revalidation/rendition.js';
import { toImageModelsResponse } from '../../src/modules/catalog/catalog.mapper.js';
import { toCatalog } from '../../src/modules/catalog/catalog-model.js';
import {
  CATALOG_EDITION,
  CURRENT_ENDPOINTS,
  CURRENT_MODELS,
  IMAGE_MODELS,
  type ImageModelRow,
  PROVIDERS,
} from '../../src/modules/catalog/catalog.repository.js';
import type { ModelEndpointEntity } from '../../src/modules/catalog/entities/model-endpoint.entity.js';
import type { ModelEntity } from '../../src/modules/catalog/entities/model.entity.js';
import type { ProviderEntity } from '../../src/modules/catalog/entities/provider.entity.js';
import { givesAnyOf } from '../../src/modules/catalog/list/model-filter.js';
import { toModelsPage } from '../../src/modules/catalog/list/models-page.js';
import { LIMIT_BASE_PATH } from './constants.js';
import { rows } from './rows.js';

const LOCATION = { apiBasePath: LIMIT_BASE_PATH, path: '/models', query: {} } as const;

let kept: { readonly edition: string; readonly models: Rendition; readonly imageModels: Rendition } | undefined;

/** The list of models, which the service too writes once an edition, and asks each time which edition is in force. */
export async function getModels(pool: Pool): Promise<Rendition> {
  return (await inForce(pool)).models;
}

/** The list of image models, likewise. */
export async function listImageModels(pool: Pool): Promise<Rendition> {
  return (await inForce(pool)).imageModels;
}

async function inForce(pool: Pool): Promise<NonNullable<typeof kept>> {
  const [current] = await rows<{ edition: string }>(pool, CATALOG_EDITION, []);
  const { edition } = current!;
  if (kept?.edition !== edition) kept = { edition, ...(await render(pool)) };
  return kept;
}

async function render(pool: Pool): Promise<{ models: Rendition; imageModels: Rendition }> {
  const { listedModels, imageModels } = toCatalog({
    models: await rows<ModelEntity>(pool, CURRENT_MODELS, []),
    endpoints: await rows<ModelEndpointEntity>(pool, CURRENT_ENDPOINTS, []),
    providers: await rows<ProviderEntity>(pool, PROVIDERS, []),
    imageModels: await rows<ImageModelRow>(pool, IMAGE_MODELS, []),
  });
  return {
    models: Rendition.ofJson(toModelsPage(listedModels.filter(givesAnyOf()), {}, LOCATION)),
    imageModels: Rendition.ofJson({ data: toImageModelsResponse(imageModels, LIMIT_BASE_PATH) }),
  };
}
