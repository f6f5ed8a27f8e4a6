import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogController, ModelObjectsController } from './catalog.controller.js';
import { CatalogRepository } from './catalog.repository.js';
import { CatalogLookup } from './catalog-lookup.service.js';
import { CatalogService } from './catalog.service.js';
import { CurrentCatalog, RepresentationCache } from './current-catalog.js';
import { ImageEndpointEntity, ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import { CatalogEditionEntity, ModelEntity, ModelNameEntity } from './entities/model.entity.js';
import { PrivateEndpointEntity } from './entities/private-endpoint.entity.js';
import { PrivateProviderEntity } from './entities/private-provider.entity.js';
import { ProviderEntity } from './entities/provider.entity.js';
import { CatalogImportRepository } from './import/catalog-import.repository.js';
import { CatalogImportService } from './import/catalog-import.service.js';
import { OwnModelsService } from './own-models/own-models.service.js';
import { PrivateCatalogRepository } from './private/private-catalog.repository.js';
import { ModelListFilters } from './list/model-list-filters.js';
import { ReferenceForms } from './reference-forms.js';
import { PrivateCatalog } from './private/private-catalog.js';

/** The catalog of models and its import. */
@Module({
  imports: [
    AuditModule,
    TypeOrmModule.forFeature([
      CatalogEditionEntity,
      ImageEndpointEntity,
      ModelEndpointEntity,
      ModelEntity,
      ModelNameEntity,
      PrivateEndpointEntity,
      PrivateProviderEntity,
      ProviderEntity,
    ]),
  ],
  controllers: [CatalogController],
  providers: [
    CatalogLookup,
    CatalogRepository,
    CatalogService,
    CurrentCatalog,
    RepresentationCache,
    CatalogImportRepository,
    CatalogImportService,
    OwnModelsService,
    PrivateCatalog,
    PrivateCatalogRepository,
    ModelListFilters,
    ReferenceForms,
  ],
  exports: [
    CatalogLookup,
    CatalogService,
    CatalogImportService,
    OwnModelsService,
    PrivateCatalog,
    ModelListFilters,
    ReferenceForms,
  ],
})
export class CatalogModule {}

/** Single models below `/models`, a module by itself because its routes have to be registered behind all others there. */
@Module({ imports: [CatalogModule], controllers: [ModelObjectsController] })
export class ModelObjectsModule {}
