import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ConfigCipher } from './config-cipher.js';
import { ConfigRotationService } from './config-rotation.service.js';
import { DestinationAddresses } from './destination-addresses.js';
import { DestinationKeys } from './destination-keys.js';
import { EncryptionReadiness } from './encryption-readiness.js';
import { EncryptionState } from './encryption-state.js';
import { EncryptionStateRepository } from './encryption-state.repository.js';
import { OBSERVABILITY_ENTITIES } from './entities/index.js';
import { HostResolver } from './host-resolver.js';
import { ObservabilityController } from './observability.controller.js';
import { ObservabilityRepository } from './observability.repository.js';
import { ObservabilityService } from './observability.service.js';
import { StoredConfigs } from './stored-configs.js';

/** Destinations that generations are reported to. */
@Module({
  imports: [TypeOrmModule.forFeature(OBSERVABILITY_ENTITIES), AuditModule, KeysModule, WorkspacesModule],
  controllers: [ObservabilityController],
  providers: [
    ConfigCipher,
    ConfigRotationService,
    DestinationAddresses,
    DestinationKeys,
    EncryptionReadiness,
    EncryptionState,
    EncryptionStateRepository,
    HostResolver,
    ObservabilityRepository,
    ObservabilityService,
    StoredConfigs,
  ],
  exports: [ConfigRotationService, ObservabilityService],
})
export class ObservabilityModule {}
