import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { WORKSPACES_CONSTRAINT_ERRORS } from './workspaces.errors.js';
import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { WorkspacesConfiguration } from './workspaces.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspaceBudgetEntity, WorkspaceEntity, WorkspaceMemberEntity } from './entities/workspace.entity.js';
import { WorkspacesService } from './workspaces.service.js';
import { WorkspaceBudgetsController } from './budgets/workspace-budgets.controller.js';
import { WorkspaceBudgetsRepository } from './budgets/workspace-budgets.repository.js';
import { WorkspaceBudgetsService } from './budgets/workspace-budgets.service.js';
import { WorkspaceMembersController } from './members/workspace-members.controller.js';
import { WorkspaceMembersRepository } from './members/workspace-members.repository.js';
import { WorkspaceMembersService } from './members/workspace-members.service.js';
import { WorkspaceHooks } from './workspace-hooks.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspaceLookupService } from './workspace-lookup.service.js';

/** Workspaces, their members and their budgets. */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([WorkspaceEntity, WorkspaceMemberEntity, WorkspaceBudgetEntity]),
    OrganizationsModule,
    AuditModule,
  ],
  controllers: [WorkspacesController, WorkspaceBudgetsController, WorkspaceMembersController],
  providers: [
    WorkspacesConfiguration,
    WorkspacesService,
    WorkspaceBudgetsRepository,
    WorkspaceBudgetsService,
    WorkspaceMembersRepository,
    WorkspaceMembersService,
    WorkspaceHooks,
    WorkspacesRepository,
    WorkspaceLookupService,
  ],
  exports: [
    WorkspacesService,
    WorkspaceBudgetsService,
    WorkspaceMembersService,
    WorkspaceHooks,
    WorkspaceLookupService,
  ],
})
export class WorkspacesModule {
  constructor(errors: ConstraintErrors) {
    errors.add(WORKSPACES_CONSTRAINT_ERRORS);
  }
}
