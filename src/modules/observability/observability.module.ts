import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigCipher } from './config-cipher.js';
import { ConfigRotationService } from './config-rotation.service.js';
import { OBSERVABILITY_ENTITIES } from './entities/index.js';
import { ObservabilityController } from './observability.controller.js';
import { ObservabilityRepository } from './observability.repository.js';
import { ObservabilityService } from './observability.service.js';

/** Destinations that generations are reported to. */
@Module({
  imports: [TypeOrmModule.forFeature(OBSERVABILITY_ENTITIES)],
  controllers: [ObservabilityController],
  providers: [ConfigCipher, ConfigRotationService, ObservabilityRepository, ObservabilityService],
  exports: [ConfigRotationService, ObservabilityService],
})
export class ObservabilityModule {}
