import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { PRESETS_CONSTRAINT_ERRORS } from './presets.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { PresetsConfiguration } from './presets.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../catalog/catalog.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PresetEntity, PresetVersionEntity } from './entities/preset.entity.js';
import { PresetsController } from './presets.controller.js';
import { PresetsRepository } from './presets.repository.js';
import { PresetsInForce } from './presets-in-force.service.js';
import { PresetsService } from './presets.service.js';

/** Presets. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([PresetEntity, PresetVersionEntity]),
    CatalogModule,
    WorkspacesModule,
  ],
  controllers: [PresetsController],
  providers: [PresetsConfiguration, PresetsInForce, PresetsRepository, PresetsService],
  exports: [PresetsInForce, PresetsService],
})
export class PresetsModule {
  constructor(errors: ConstraintErrors) {
    errors.add(PRESETS_CONSTRAINT_ERRORS);
  }
}
