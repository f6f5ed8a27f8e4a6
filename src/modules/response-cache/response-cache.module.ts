import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CachedResponseEntity } from './entities/cached-response.entity.js';
import { ExpiredResponses } from './expired-responses.service.js';
import { PurgeMemberHook } from './purge-member.hook.js';
import { PurgeWorkspaceHook } from './purge-workspace.hook.js';
import { ResponseCache } from './response-cache.service.js';
import { CachedResponsesRepository } from './stores/cached-responses.repository.js';
import { ExpiredResponsesRepository } from './stores/expired-responses.repository.js';

/** Answers that equal requests get again (docs/response-cache.md). */
@Module({
  imports: [EncryptionModule, OrganizationsModule, WorkspacesModule, TypeOrmModule.forFeature([CachedResponseEntity])],
  providers: [
    CachedResponsesRepository,
    ExpiredResponses,
    ExpiredResponsesRepository,
    PurgeMemberHook,
    PurgeWorkspaceHook,
    ResponseCache,
  ],
  exports: [ResponseCache],
})
export class ResponseCacheModule {}
