import { ModelEntity } from './model.entity.js';
import { ModelNameEntity } from './model-name.entity.js';
import { ImageEndpointEntity } from './image-endpoint.entity.js';
import { ProviderEntity } from './provider.entity.js';

/** Every entity of this module. */
export const CATALOG_ENTITIES = [ModelEntity, ModelNameEntity, ImageEndpointEntity, ProviderEntity];
