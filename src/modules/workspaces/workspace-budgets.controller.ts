import { Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { BudgetPath } from './dto/budget-path.dto.js';
import { DeleteWorkspaceBudgetResponse } from './dto/delete-workspace-budget-response.dto.js';
import {
  GetWorkspaceBudgetResponse,
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetRequest,
  UpsertWorkspaceBudgetResponse,
} from './dto/workspace-budget.dto.js';
import { WorkspacePath } from './dto/workspace-path.dto.js';
import { WorkspaceBudgetsService } from './workspace-budgets.service.js';

/** The operations on the budgets of workspaces. */
@Controller('workspaces/:id/budgets')
@ApiTags('Workspaces')
export class WorkspaceBudgetsController {
  constructor(private readonly budgets: WorkspaceBudgetsService) {}

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListWorkspaceBudgetsResponse,
    summary: 'List the budgets of a workspace',
    description: 'All of them, oldest first.',
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  listWorkspaceBudgets(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath }) input: WorkspacePath,
  ): Promise<ListWorkspaceBudgetsResponse> {
    return this.budgets.list(caller, input);
  }

  @Get(':interval')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetWorkspaceBudgetResponse,
    summary: "Get a workspace's budget for an interval",
    description: 'Together with what counts toward the budgets of the workspace.',
    errors: [400, 403, 404],
    reasons: { 404: 'budget_not_found' },
  })
  getWorkspaceBudget(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: BudgetPath }) input: BudgetPath,
  ): Promise<GetWorkspaceBudgetResponse> {
    return this.budgets.read(caller, input);
  }

  @Put(':interval')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: UpsertWorkspaceBudgetResponse,
    summary: "Set a workspace's budget for an interval",
    description:
      'Creates the budget, or changes its limit. Limits strictly decrease as the interval narrows: lifetime > monthly > weekly > daily.',
    errors: [400, 403, 404, 413],
    reasons: { 400: 'budget_limits_not_decreasing', 404: 'workspace_not_found' },
  })
  upsertWorkspaceBudget(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: BudgetPath, body: UpsertWorkspaceBudgetRequest }) input: BudgetPath & UpsertWorkspaceBudgetRequest,
  ): Promise<UpsertWorkspaceBudgetResponse> {
    return this.budgets.upsert(caller, input);
  }

  @Delete(':interval')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteWorkspaceBudgetResponse,
    summary: "Delete a workspace's budget for an interval",
    description: 'The answer is the same whether or not there was such a budget.',
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  deleteWorkspaceBudget(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: BudgetPath }) input: BudgetPath,
  ): Promise<DeleteWorkspaceBudgetResponse> {
    return this.budgets.delete(caller, input);
  }
}
