import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import {
  BudgetPath,
  DeleteWorkspaceBudgetResponse,
  GetWorkspaceBudgetResponse,
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetRequest,
  UpsertWorkspaceBudgetResponse,
} from './workspace-budget.dto.js';
import { WorkspacePath } from '../dto/workspace.dto.js';
import { WorkspaceBudgetsService } from './workspace-budgets.service.js';
import { BudgetNotFound, LIMITS_NOT_DECREASING, WorkspaceNotFound } from '../workspaces.errors.js';

/** The operations on the budgets of workspaces. */
@Controller('workspaces/:id/budgets')
@ManagedByFiles('workspaces')
@ApiTags('Workspaces')
@Authenticated(['management_key'], 'workspaces')
export class WorkspaceBudgetsController {
  constructor(private readonly budgets: WorkspaceBudgetsService) {}

  @Get()
  @Operation({
    type: ListWorkspaceBudgetsResponse,
    summary: 'List the budgets of a workspace',
    description: 'Lists all budgets of a workspace, oldest first.',
    errors: [WorkspaceNotFound],
  })
  listWorkspaceBudgets(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: WorkspacePath) {
    return this.budgets.list(caller, input);
  }

  @Get(':interval')
  @Operation({
    type: GetWorkspaceBudgetResponse,
    hasEntityTag: true,
    summary: "Get a workspace's budget for an interval",
    description: 'Returns a budget, and whether BYOK spend counts toward the budgets of the workspace.',
    errors: [BudgetNotFound, WorkspaceNotFound],
  })
  getWorkspaceBudget(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: BudgetPath) {
    return this.budgets.read(caller, input);
  }

  @Put(':interval')
  @Operation({
    type: UpsertWorkspaceBudgetResponse,
    hasEntityTag: true,
    summary: "Set a workspace's budget for an interval",
    description:
      'Creates or replaces a budget. Limits must strictly decrease as the interval narrows: lifetime > monthly > weekly > daily.',
    errors: [LIMITS_NOT_DECREASING, WorkspaceNotFound],
  })
  upsertWorkspaceBudget(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: BudgetPath,
    @Body() body: UpsertWorkspaceBudgetRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.budgets.upsert(caller, { ...body, ...path }, precondition);
  }

  @Delete(':interval')
  @Operation({
    type: DeleteWorkspaceBudgetResponse,
    hasEntityTag: true,
    summary: "Delete a workspace's budget for an interval",
    description: 'Deletes a budget. The response is the same if there was none.',
    unavailableStatus: 500,
    errors: [WorkspaceNotFound],
  })
  deleteWorkspaceBudget(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: BudgetPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.budgets.delete(caller, input, precondition);
  }
}
