import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogService } from './catalog.service.js';
import { CATALOG_ENTITIES } from './entities/index.js';
import { ImagesController } from './images.controller.js';
import { CatalogImportService } from './import/catalog-import.service.js';
import { ModelsController } from './models.controller.js';

/** The models that there are, and where they come from. */
@Module({
  imports: [TypeOrmModule.forFeature(CATALOG_ENTITIES)],
  controllers: [ImagesController, ModelsController],
  providers: [CatalogRepository, CatalogService, CatalogImportService],
  exports: [CatalogService, CatalogImportService],
})
export class CatalogModule {}
