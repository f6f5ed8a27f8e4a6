import { Module } from '@nestjs/common';
import { CatalogModule } from './catalog.module.js';
import { ModelObjectsController } from './model-objects.controller.js';

/** Single models below `/models`, a module by itself because its routes have to be registered behind all others there. */
@Module({ imports: [CatalogModule], controllers: [ModelObjectsController] })
export class ModelObjectsModule {}
