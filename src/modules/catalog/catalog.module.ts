import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogService } from './catalog.service.js';
import { CurrentCatalog } from './current-catalog.js';
import { CATALOG_ENTITIES } from './entities/index.js';
import { EndpointsController } from './endpoints.controller.js';
import { ImagesController } from './images.controller.js';
import { CatalogImportService } from './import/catalog-import.service.js';
import { KeptRenditions } from './kept-renditions.js';
import { ModelController } from './model.controller.js';
import { ModelsController } from './models.controller.js';
import { ProvidersController } from './providers.controller.js';

/** The models that there are, and where they come from. */
@Module({
  imports: [TypeOrmModule.forFeature(CATALOG_ENTITIES)],
  controllers: [EndpointsController, ImagesController, ModelController, ModelsController, ProvidersController],
  providers: [CatalogRepository, CatalogService, CurrentCatalog, KeptRenditions, CatalogImportService],
  exports: [CatalogService, CatalogImportService],
})
export class CatalogModule {}
