import type { Pool } from 'pg';
import { Rendition } from '../../src/http/revalidation/rendition.js';
import { toCatalog } from '../../src/modules/catalog/catalog-model.js';
import {
  CATALOG_EDITION,
  CURRENT_ENDPOINTS,
  CURRENT_MODELS,
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

let kept: { readonly edition: string; readonly models: Rendition } | undefined;

/** The list of models, which the service too writes once an edition, and asks each time which edition is in force. */
export async function getModels(pool: Pool): Promise<Rendition> {
  const [current] = await rows<{ edition: string }>(pool, CATALOG_EDITION, []);
  const { edition } = current!;
  if (kept?.edition !== edition) kept = { edition, models: await render(pool) };
  return kept.models;
}

async function render(pool: Pool): Promise<Rendition> {
  const { listedModels } = toCatalog({
    models: await rows<ModelEntity>(pool, CURRENT_MODELS, []),
    endpoints: await rows<ModelEndpointEntity>(pool, CURRENT_ENDPOINTS, []),
    providers: await rows<ProviderEntity>(pool, PROVIDERS, []),
  });
  return Rendition.ofJson(toModelsPage(listedModels.filter(givesAnyOf()), {}, LOCATION));
}
