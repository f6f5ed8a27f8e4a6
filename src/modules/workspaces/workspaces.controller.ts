import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { BudgetPath } from './dto/budget-path.dto.js';
import { DeleteWorkspaceBudgetResponse } from './dto/delete-workspace-budget-response.dto.js';
import { ListWorkspaceMembersResponse } from './dto/workspace-member.dto.js';
import { WorkspacePath } from './dto/workspace-path.dto.js';
import { WorkspacesService } from './workspaces.service.js';

/** The operations on workspaces. */
@Controller('workspaces')
@ApiTags('Workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get(':id/members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListWorkspaceMembersResponse,
    summary: 'List the members of a workspace',
    description: 'Oldest first. Of the default workspace, every member of the organization is a member.',
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  listWorkspaceMembers(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, query: PageQuery }) input: WorkspacePath & PageQuery,
  ): Promise<ListWorkspaceMembersResponse> {
    return this.workspaces.listMembers(caller, input);
  }

  @Delete(':id/budgets/:interval')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteWorkspaceBudgetResponse,
    summary: "Delete a workspace's budget for an interval",
    description: 'The answer is the same whether or not there was such a budget.',
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  deleteWorkspaceBudget(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: BudgetPath }) input: BudgetPath,
  ): Promise<DeleteWorkspaceBudgetResponse> {
    return this.workspaces.deleteBudget(caller, input);
  }
}
