import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { SCIM_ENTITIES } from './entities/index.js';
import { ScimController } from './scim.controller.js';
import { ScimRepository } from './scim.repository.js';
import { ScimService } from './scim.service.js';
import { ScimGroupsController } from './scim-groups.controller.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** Groups that an identity provider pushes, and their mappings to workspaces. */
@Module({
  imports: [TypeOrmModule.forFeature(SCIM_ENTITIES), AuditModule, OrganizationsModule, WorkspacesModule],
  controllers: [ScimController, ScimGroupsController],
  providers: [ScimRepository, ScimService, ScimGroupsRepository, ScimGroupsService],
  exports: [ScimService, ScimGroupsService],
})
export class ScimModule {}
