import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { KEYS_CONSTRAINT_ERRORS } from './keys.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { KeysConfiguration } from './keys.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialResolver } from '../../auth/credential-resolver.js';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessTokens } from './credentials/access-tokens.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { RetiredKeyHashEntity } from './entities/retired-key-hash.entity.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { KeySpendEntity, KeySpendTotalsEntity } from './entities/key-spend.entity.js';
import { ExpiryRepository } from './credentials/expiry.repository.js';
import { KeyCredentialResolver } from './credentials/key-credential-resolver.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { KeyReferencesService } from './key-references.service.js';
import { KeyRotationListeners } from './key-rotation-listeners.js';
import { KeySpendRepository } from './key-spend.repository.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { ManagementKeysController } from './management-keys/management-keys.controller.js';
import { ManagementKeysRepository } from './management-keys/management-keys.repository.js';
import { ManagementKeysService } from './management-keys/management-keys.service.js';
import { MemberKeysHook } from './member-keys.hook.js';
import { MemberKeysRepository } from './member-keys.repository.js';
import { KeyTransfersController } from './transfer/key-transfers.controller.js';
import { MemberKeyTransfersController } from './transfer/member-key-transfers.controller.js';
import { KeyTransfersRepository } from './transfer/key-transfers.repository.js';
import { KeyTransfersService } from './transfer/key-transfers.service.js';
import { KeysOfMember } from './transfer/keys-of-member.js';
import { WorkspaceKeysHook } from './workspace-keys.hook.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

/** API keys and management keys (docs/interface/keys-and-oauth.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([ApiKeyEntity, KeySpendEntity, KeySpendTotalsEntity, RetiredKeyHashEntity]),
    AuditModule,
    OrganizationsModule,
    UsageModule,
    WorkspacesModule,
  ],
  controllers: [KeysController, KeyTransfersController, MemberKeyTransfersController, ManagementKeysController],
  providers: [
    KeysConfiguration,
    AccessTokens,
    CredentialsRepository,
    ExpiryRepository,
    KeyDeletionRateLimit,
    KeyReferencesService,
    KeyRotationListeners,
    KeysOfMember,
    KeySpendRepository,
    KeysRepository,
    KeysService,
    KeyTransfersRepository,
    KeyTransfersService,
    ManagementKeysRepository,
    ManagementKeysService,
    MemberKeysHook,
    MemberKeysRepository,
    WorkspaceKeysHook,
    WorkspaceKeysRepository,
    KeyCredentialResolver,
    { provide: CredentialResolver, useExisting: KeyCredentialResolver },
  ],
  exports: [
    AccessTokens,
    CredentialResolver,
    ExpiryRepository,
    KeyCredentialResolver,
    KeyReferencesService,
    KeyRotationListeners,
    KeysService,
    KeyTransfersService,
  ],
})
export class KeysModule {
  constructor(errors: ConstraintErrors) {
    errors.add(KEYS_CONSTRAINT_ERRORS);
  }
}
