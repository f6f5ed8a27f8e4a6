import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../../configuration/configuration.module.js';
import { OwnKeysConfiguration } from './own-keys.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../../http/errors/constraint-errors.js';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogModule } from '../../catalog/catalog.module.js';
import { EncryptionModule } from '../../encryption/encryption.module.js';
import { KeyRotationListeners } from '../../keys/key-rotation-listeners.js';
import { KeysModule } from '../../keys/keys.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { ProviderKeyEntity } from '../entities/provider-key.entity.js';
import { EncryptedOwnKeys } from './encrypted-own-keys.js';
import { OwnKeyRestrictions } from './own-key-restrictions.js';
import { OwnKeysController } from './own-keys.controller.js';
import { OWN_KEYS_CONSTRAINT_ERRORS } from './own-keys.errors.js';
import { OwnKeysRepository } from './own-keys.repository.js';
import { OwnKeysService } from './own-keys.service.js';
import { OwnProviderKeys } from './own-provider-keys.js';

/** The organizations' own keys for providers. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([ProviderKeyEntity]),
    AuditModule,
    CatalogModule,
    ConnectionsModule,
    EncryptionModule,
    KeysModule,
    OrganizationsModule,
    WorkspacesModule,
  ],
  controllers: [OwnKeysController],
  providers: [
    OwnKeysConfiguration,
    EncryptedOwnKeys,
    OwnKeyRestrictions,
    OwnKeysRepository,
    OwnKeysService,
    OwnProviderKeys,
  ],
  exports: [OwnKeysService, OwnProviderKeys],
})
export class OwnKeysModule {
  constructor(errors: ConstraintErrors, rotations: KeyRotationListeners, repository: OwnKeysRepository) {
    errors.add(OWN_KEYS_CONSTRAINT_ERRORS);
    rotations.register(repository);
  }
}
