import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { KEYS_CONSTRAINT_ERRORS } from './keys.errors.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialResolver } from '../../auth/credential-resolver.js';
import { AuditModule } from '../audit/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { UsageModule } from '../usage/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { AccessTokens } from './credentials/access-tokens.js';
import { AuthorizationCodesRepository } from './oauth/authorization-codes.repository.js';
import { AuthorizationCodesService } from './oauth/authorization-codes.service.js';
import { ConnectClientsController } from './connect-clients/connect-clients.controller.js';
import { ConnectClientsRepository } from './connect-clients/connect-clients.repository.js';
import { ConnectClientsService } from './connect-clients/connect-clients.service.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { AuthorizationCodeEntity, OauthApplicationEntity } from './entities/authorization-code.entity.js';
import { ConnectClientEntity } from './entities/connect-client.entity.js';
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
import { OauthController } from './oauth/oauth.controller.js';
import { WorkspaceKeysHook } from './workspace-keys.hook.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

/** Keys, Connect clients and the way from an authorization code to a key. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ApiKeyEntity,
      AuthorizationCodeEntity,
      ConnectClientEntity,
      KeySpendEntity,
      KeySpendTotalsEntity,
      OauthApplicationEntity,
    ]),
    AuditModule,
    OrganizationsModule,
    UsageModule,
    WorkspacesModule,
  ],
  controllers: [
    KeysController,
    KeyTransfersController,
    MemberKeyTransfersController,
    ManagementKeysController,
    OauthController,
    ConnectClientsController,
  ],
  providers: [
    AccessTokens,
    AuthorizationCodesRepository,
    AuthorizationCodesService,
    ConnectClientsRepository,
    ConnectClientsService,
    CredentialsRepository,
    ExpiryRepository,
    KeyDeletionRateLimit,
    KeyReferencesService,
    KeyRotationListeners,
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
    AuthorizationCodesService,
    ConnectClientsService,
    CredentialResolver,
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
