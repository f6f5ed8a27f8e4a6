import { CatalogEditionEntity } from './catalog-edition.entity.js';
import { ImageEndpointEntity } from './image-endpoint.entity.js';
import { ModelEndpointEntity } from './model-endpoint.entity.js';
import { ModelNameEntity } from './model-name.entity.js';
import { ModelEntity } from './model.entity.js';
import { ProviderEntity } from './provider.entity.js';

/** Every entity of this module. */
export const CATALOG_ENTITIES = [
  CatalogEditionEntity,
  ImageEndpointEntity,
  ModelEndpointEntity,
  ModelEntity,
  ModelNameEntity,
  ProviderEntity,
];
