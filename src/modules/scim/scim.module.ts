import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { SCIM_CONSTRAINT_ERRORS } from './scim.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { ScimGroupMappingsConfiguration } from './scim-group-mappings.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ProvisioningTokenEntity } from './entities/provisioning-token.entity.js';
import { ScimSyncJobEntity } from './entities/scim-sync-job.entity.js';
import { ScimUserEntity } from './entities/scim-user.entity.js';
import { ScimDiscoveryController } from './provisioning/discovery.controller.js';
import { PROVISIONING_CONSTRAINT_ERRORS } from './provisioning/provisioning.errors.js';
import { EndedMembersHook } from './provisioning/ended-members.hook.js';
import { MassDeactivationRepository } from './provisioning/mass-deactivation.repository.js';
import { MassDeactivationService } from './provisioning/mass-deactivation.service.js';
import { ProvisionedGroupsController } from './provisioning/provisioned-groups.controller.js';
import { ProvisionedGroupsRepository } from './provisioning/provisioned-groups.repository.js';
import { ProvisionedGroupsService } from './provisioning/provisioned-groups.service.js';
import { ScimUsersController } from './provisioning/scim-users.controller.js';
import { DirectoryHooks } from './provisioning/directory-hooks.js';
import { DirectoryMembersService } from './provisioning/directory-members.service.js';
import { ScimUsersRepository } from './provisioning/scim-users.repository.js';
import { ScimUsersService } from './provisioning/scim-users.service.js';
import { ScimBase } from './provisioning/scim-base.js';
import { SyncJobsController } from './sync-jobs/sync-jobs.controller.js';
import { SyncJobsRepository } from './sync-jobs/sync-jobs.repository.js';
import { SyncJobsService } from './sync-jobs/sync-jobs.service.js';
import { SyncJobsWorker } from './sync-jobs/sync-jobs.worker.js';
import { ProvisioningTokensController } from './tokens/provisioning-tokens.controller.js';
import { ProvisioningTokensRepository } from './tokens/provisioning-tokens.repository.js';
import { ProvisioningTokensService } from './tokens/provisioning-tokens.service.js';
import { ScimGroupEntity, ScimGroupMemberEntity, ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import { ScimGroupMappingsRepository } from './scim-group-mappings.repository.js';
import { ScimGroupMappingsService } from './scim-group-mappings.service.js';
import { ScimController } from './scim.controller.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** Groups that an identity provider pushes, and their mappings to workspaces. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([
      ProvisioningTokenEntity,
      ScimGroupEntity,
      ScimGroupMemberEntity,
      ScimGroupMappingEntity,
      ScimSyncJobEntity,
      ScimUserEntity,
    ]),
    AuditModule,
    KeysModule,
    OrganizationsModule,
    WorkspacesModule,
  ],
  // The routes of discovery end with one for everything else.
  controllers: [
    ScimController,
    ProvisioningTokensController,
    SyncJobsController,
    ScimUsersController,
    ProvisionedGroupsController,
    ScimDiscoveryController,
  ],
  providers: [
    ScimGroupMappingsConfiguration,
    EndedMembersHook,
    MassDeactivationRepository,
    MassDeactivationService,
    DirectoryHooks,
    DirectoryMembersService,
    ProvisionedGroupsRepository,
    ProvisionedGroupsService,
    ScimUsersRepository,
    ScimUsersService,
    SyncJobsRepository,
    SyncJobsService,
    SyncJobsWorker,
    ProvisioningTokensRepository,
    ProvisioningTokensService,
    ScimBase,
    ScimGroupMappingsRepository,
    ScimGroupMappingsService,
    ScimGroupsRepository,
    ScimGroupsService,
  ],
  exports: [
    MassDeactivationService,
    DirectoryHooks,
    DirectoryMembersService,
    ProvisioningTokensService,
    ScimGroupMappingsService,
    ScimGroupsService,
    SyncJobsWorker,
  ],
})
export class ScimModule {
  constructor(errors: ConstraintErrors) {
    errors.add({ ...SCIM_CONSTRAINT_ERRORS, ...PROVISIONING_CONSTRAINT_ERRORS });
  }
}
