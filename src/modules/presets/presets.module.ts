import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../catalog/catalog.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PRESETS_ENTITIES } from './entities/index.js';
import { PresetsController } from './presets.controller.js';
import { PresetsRepository } from './presets.repository.js';
import { PresetsService } from './presets.service.js';

/** Presets. */
@Module({
  imports: [TypeOrmModule.forFeature(PRESETS_ENTITIES), CatalogModule, WorkspacesModule],
  controllers: [PresetsController],
  providers: [PresetsRepository, PresetsService],
  exports: [PresetsService],
})
export class PresetsModule {}
