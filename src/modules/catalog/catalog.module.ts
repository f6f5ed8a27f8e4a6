import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogService } from './catalog.service.js';
import { CurrentCatalog, RepresentationCache } from './current-catalog.js';
import { ImageEndpointEntity, ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import { CatalogEditionEntity, ModelEntity, ModelNameEntity } from './entities/model.entity.js';
import { ProviderEntity } from './entities/provider.entity.js';
import { EmbeddingModelsController } from './embedding-models.controller.js';
import { EndpointsController } from './endpoints.controller.js';
import { ImagesController } from './images.controller.js';
import { CatalogImportRepository } from './import/catalog-import.repository.js';
import { CatalogImportService } from './import/catalog-import.service.js';
import { ModelController, ModelsController } from './models.controller.js';
import { ProvidersController } from './providers.controller.js';

/** The catalog of models and its import. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      CatalogEditionEntity,
      ImageEndpointEntity,
      ModelEndpointEntity,
      ModelEntity,
      ModelNameEntity,
      ProviderEntity,
    ]),
  ],
  controllers: [
    EmbeddingModelsController,
    EndpointsController,
    ImagesController,
    ModelController,
    ModelsController,
    ProvidersController,
  ],
  providers: [
    CatalogRepository,
    CatalogService,
    CurrentCatalog,
    RepresentationCache,
    CatalogImportRepository,
    CatalogImportService,
  ],
  exports: [CatalogService, CatalogImportService],
})
export class CatalogModule {}
