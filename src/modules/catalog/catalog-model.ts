import { byModel } from './by-model.js';
import type { CatalogRows, ImageModelRow } from './catalog.repository.js';
import type { ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import type { ModelEntity } from './entities/model.entity.js';
import type { ProviderEntity } from './entities/provider.entity.js';

/** An endpoint beside its provider. */
export interface CatalogEndpoint {
  readonly row: ModelEndpointEntity;
  readonly provider: ProviderEntity;
  /** Whether nothing is charged for a prompt, a completion or a request. */
  readonly isFree: boolean;
}

/** A current model with its endpoints. */
export interface CatalogModel {
  readonly row: ModelEntity;
  /** What its id begins with. */
  readonly author: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

/** An edition of the catalog: what is current in it. */
export interface Catalog {
  /** Oldest first. */
  readonly models: readonly CatalogModel[];
  /** Those of the list of models: of the others, which the list of image models alone has, no prices of text are known. */
  readonly listedModels: readonly CatalogModel[];
  readonly modelsById: ReadonlyMap<string, CatalogModel>;
  /** By name. */
  readonly providers: readonly ProviderEntity[];
  /** Each image model with each of its endpoints, oldest model first. */
  readonly imageModels: readonly ImageModelRow[];
}

/** Puts the rows of an edition together. */
export function toCatalog({ models, endpoints, providers, imageModels }: CatalogRows): Catalog {
  const providersBySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  const endpointsByModel = byModel(endpoints);
  const known = models.map((row) => ({
    row,
    author: row.id.split('/')[0]!,
    endpoints: (endpointsByModel.get(row.id) ?? []).map((endpoint) => ({
      row: endpoint,
      provider: providersBySlug.get(endpoint.providerSlug)!,
      isFree: isFree(endpoint),
    })),
  }));
  return {
    models: known,
    listedModels: known.filter(({ row }) => row.inModelList),
    modelsById: new Map(known.map((model) => [model.row.id, model])),
    providers,
    imageModels,
  };
}

function isFree({ pricing: { prompt, completion, request = '0' } }: ModelEndpointEntity): boolean {
  return [prompt, completion, request].every((price) => Number(price) === 0);
}
