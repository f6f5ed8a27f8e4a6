import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import {
  BulkAddWorkspaceMembersRequest,
  BulkAddWorkspaceMembersResponse,
  BulkRemoveWorkspaceMembersRequest,
  BulkRemoveWorkspaceMembersResponse,
} from './workspace-member.dto.js';
import { WorkspacePath } from '../dto/workspace.dto.js';
import { WorkspaceMembersService } from './workspace-members.service.js';
import { UNKNOWN_USER } from '../../organizations/organizations.errors.js';
import { SCIM_MANAGED, WorkspaceNotFound } from '../workspaces.errors.js';

/** The operations that change who is a member of a workspace. */
@Controller('workspaces/:id/members')
@ApiTags('Workspaces')
@Authenticated(['management_key'], 'workspaces')
export class WorkspaceMembersController {
  constructor(private readonly members: WorkspaceMembersService) {}

  @Post('add')
  @Operation({
    type: BulkAddWorkspaceMembersResponse,
    summary: 'Add members to a workspace',
    description:
      'Adds all users in the request, or none of them. New members get their role in the organization; existing members are unchanged. Members of the default workspace cannot be added: all members of the organization belong to it.',
    errors: [UNKNOWN_USER, WorkspaceNotFound],
  })
  bulkAddWorkspaceMembers(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: WorkspacePath,
    @Body() body: BulkAddWorkspaceMembersRequest,
  ) {
    return this.members.add(caller, { ...body, ...path });
  }

  @Post('remove')
  @Operation({
    type: BulkRemoveWorkspaceMembersResponse,
    summary: 'Remove members from a workspace',
    description:
      'Removes all users in the request, or none of them. Members with a role from a SCIM group cannot be removed, nor those with active keys in the workspace unless `suspend_keys` is true.',
    errors: [SCIM_MANAGED, WorkspaceNotFound],
  })
  bulkRemoveWorkspaceMembers(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: WorkspacePath,
    @Body() body: BulkRemoveWorkspaceMembersRequest,
  ) {
    return this.members.remove(caller, { ...body, ...path });
  }
}
