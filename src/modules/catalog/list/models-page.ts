import type { CatalogModel } from '../catalog-model.js';
import { toModelObject } from '../catalog.mapper.js';
import type { ListModelsResponse, ModelsPageQuery } from '../dto/list-models.dto.js';

const DEFAULT_LIMIT = 500;

/** The location of a list of models. */
export interface ListLocation {
  readonly apiBasePath: string;
  /** Behind the base path: `/models`. */
  readonly path: string;
  /** The other query parameters, for the link to the next page. */
  readonly query: Readonly<Record<string, string | number>>;
}

/** A page of a list of models, with a link to the next one. */
export function toModelsPage(
  models: readonly CatalogModel[],
  { offset = 0, limit = DEFAULT_LIMIT }: ModelsPageQuery,
  { apiBasePath, path, query }: ListLocation,
): ListModelsResponse {
  const end = offset + limit;
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, offset: end, limit })) {
    next.set(name, String(value));
  }
  return {
    object: 'list',
    data: models.slice(offset, end).map((model) => toModelObject(model, apiBasePath)),
    total_count: models.length,
    links: { next: end < models.length ? `${apiBasePath}${path}?${next.toString()}` : null },
  };
}
