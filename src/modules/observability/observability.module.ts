import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { OBSERVABILITY_CONSTRAINT_ERRORS } from './observability.errors.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { KeyRotationListeners } from '../keys/key-rotation-listeners.js';
import { KeysModule } from '../keys/keys.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
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
