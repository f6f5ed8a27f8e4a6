import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialResolver } from '../../auth/credential-resolver.js';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AuthorizationCodesRepository } from './authorization-codes.repository.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import { ConnectClientsController } from './connect-clients.controller.js';
import { ConnectClientsRepository } from './connect-clients.repository.js';
import { ConnectClientsService } from './connect-clients.service.js';
import { CredentialsRepository } from './credentials.repository.js';
import { KEYS_ENTITIES } from './entities/index.js';
import { ExpiryRepository } from './expiry.repository.js';
import { KeyCredentialResolver } from './key-credential-resolver.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { KeyFollowers } from './key-followers.js';
import { KeySpendRepository } from './key-spend.repository.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { OauthController } from './oauth.controller.js';
import { WorkspaceKeys } from './workspace-keys.js';
import { WorkspaceKeysRepository } from './workspace-keys.repository.js';

/** Keys, Connect clients and the way from an authorization code to a key. */
@Module({
  imports: [TypeOrmModule.forFeature(KEYS_ENTITIES), AuditModule, OrganizationsModule, WorkspacesModule],
  controllers: [KeysController, OauthController, ConnectClientsController],
  providers: [
    AuthorizationCodesRepository,
    AuthorizationCodesService,
    ConnectClientsRepository,
    ConnectClientsService,
    CredentialsRepository,
    ExpiryRepository,
    KeyDeletionRateLimit,
    KeyFollowers,
    KeySpendRepository,
    KeysRepository,
    KeysService,
    WorkspaceKeys,
    WorkspaceKeysRepository,
    { provide: CredentialResolver, useClass: KeyCredentialResolver },
  ],
  exports: [AuthorizationCodesService, ConnectClientsService, CredentialResolver, KeyFollowers, KeysService],
})
export class KeysModule {}
