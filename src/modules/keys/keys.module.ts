import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialResolver } from '../../auth/credential-resolver.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AuthorizationCodesRepository } from './authorization-codes.repository.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import { KEYS_ENTITIES } from './entities/index.js';
import { KeyCredentialResolver } from './key-credential-resolver.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { OauthController } from './oauth.controller.js';

/** Keys, Connect clients and the way from an authorization code to a key. */
@Module({
  imports: [TypeOrmModule.forFeature(KEYS_ENTITIES), OrganizationsModule, WorkspacesModule],
  controllers: [KeysController, OauthController],
  providers: [
    AuthorizationCodesRepository,
    AuthorizationCodesService,
    KeyDeletionRateLimit,
    KeysRepository,
    KeysService,
    { provide: CredentialResolver, useClass: KeyCredentialResolver },
  ],
  exports: [AuthorizationCodesService, CredentialResolver, KeysService],
})
export class KeysModule {}
