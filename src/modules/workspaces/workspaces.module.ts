import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WORKSPACES_ENTITIES } from './entities/index.js';
import { WorkspaceAdministrationService } from './workspace-administration.service.js';
import { WorkspaceBudgetsController } from './workspace-budgets.controller.js';
import { WorkspaceBudgetsRepository } from './workspace-budgets.repository.js';
import { WorkspaceBudgetsService } from './workspace-budgets.service.js';
import { WorkspaceMembersController } from './workspace-members.controller.js';
import { WorkspaceMembersRepository } from './workspace-members.repository.js';
import { WorkspaceMembersService } from './workspace-members.service.js';
import { WorkspaceTenants } from './workspace-tenants.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';

/** Workspaces, their members and their budgets. */
@Module({
  imports: [TypeOrmModule.forFeature(WORKSPACES_ENTITIES), OrganizationsModule, AuditModule],
  controllers: [WorkspacesController, WorkspaceBudgetsController, WorkspaceMembersController],
  providers: [
    WorkspaceAdministrationService,
    WorkspaceBudgetsRepository,
    WorkspaceBudgetsService,
    WorkspaceMembersRepository,
    WorkspaceMembersService,
    WorkspaceTenants,
    WorkspacesRepository,
    WorkspacesService,
  ],
  exports: [
    WorkspaceAdministrationService,
    WorkspaceBudgetsService,
    WorkspaceMembersService,
    WorkspaceTenants,
    WorkspacesService,
  ],
})
export class WorkspacesModule {}
