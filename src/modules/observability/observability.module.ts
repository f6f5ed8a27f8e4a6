import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { OBSERVABILITY_CONSTRAINT_ERRORS } from './observability.errors.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { EncryptionModule } from '../encryption/index.js';
import { KeyRotationListeners, KeysModule } from '../keys/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { ConfigCipher, EncryptedConfigs } from './encrypted-configs.js';
import { DestinationAddresses } from './addresses/destination-addresses.js';
import { DestinationEntity } from './entities/destination.entity.js';
import { HostResolver } from './addresses/host-resolver.js';
import { ObservabilityController } from './observability.controller.js';
import { ObservabilityRepository } from './observability.repository.js';
import { ObservabilityService } from './observability.service.js';

/** Destinations that generations are reported to. */
@Module({
  imports: [TypeOrmModule.forFeature([DestinationEntity]), AuditModule, EncryptionModule, KeysModule, WorkspacesModule],
  controllers: [ObservabilityController],
  providers: [
    ConfigCipher,
    DestinationAddresses,
    EncryptedConfigs,
    HostResolver,
    ObservabilityRepository,
    ObservabilityService,
  ],
  exports: [ObservabilityService],
})
export class ObservabilityModule {
  constructor(errors: ConstraintErrors, rotations: KeyRotationListeners, repository: ObservabilityRepository) {
    errors.add(OBSERVABILITY_CONSTRAINT_ERRORS);
    rotations.register(repository);
  }
}
