import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { SCIM_CONSTRAINT_ERRORS } from './scim.errors.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { ScimGroupEntity, ScimGroupMemberEntity, ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import { ScimGroupMappingsRepository } from './scim-group-mappings.repository.js';
import { ScimGroupMappingsService } from './scim-group-mappings.service.js';
import { ScimController } from './scim.controller.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** Groups that an identity provider pushes, and their mappings to workspaces. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ScimGroupEntity, ScimGroupMemberEntity, ScimGroupMappingEntity]),
    AuditModule,
    OrganizationsModule,
    WorkspacesModule,
  ],
  controllers: [ScimController],
  providers: [ScimGroupMappingsRepository, ScimGroupMappingsService, ScimGroupsRepository, ScimGroupsService],
  exports: [ScimGroupMappingsService, ScimGroupsService],
})
export class ScimModule {
  constructor(errors: ConstraintErrors) {
    errors.add(SCIM_CONSTRAINT_ERRORS);
  }
}
