import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import {
  BulkAddWorkspaceMembersRequest,
  BulkAddWorkspaceMembersResponse,
  BulkRemoveWorkspaceMembersRequest,
  BulkRemoveWorkspaceMembersResponse,
} from './dto/bulk-workspace-members.dto.js';
import { WorkspacePath } from './dto/workspace-path.dto.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

/** The operations that change who is a member of a workspace. */
@Controller('workspaces/:id/members')
@ApiTags('Workspaces')
export class WorkspaceMembersController {
  constructor(private readonly members: WorkspaceMembersService) {}

  @Post('add')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkAddWorkspaceMembersResponse,
    summary: 'Add members to a workspace',
    description:
      'All of them or nobody. Each gets the role that it has in the organization; whoever is a member already stays as is. Of the default workspace everybody is a member anyway.',
    errors: [400, 403, 404, 413],
    reasons: { 400: 'user_not_found', 404: 'workspace_not_found' },
  })
  bulkAddWorkspaceMembers(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, body: BulkAddWorkspaceMembersRequest })
    input: WorkspacePath & BulkAddWorkspaceMembersRequest,
  ): Promise<BulkAddWorkspaceMembersResponse> {
    return this.members.add(caller, input);
  }

  @Post('remove')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkRemoveWorkspaceMembersResponse,
    summary: 'Remove members from a workspace',
    description:
      'All of them or nobody: whoever has active keys in the workspace, or is a member by a SCIM group mapping, stays.',
    errors: [400, 403, 404, 413],
    reasons: { 400: 'member_is_scim_managed', 404: 'workspace_not_found' },
  })
  bulkRemoveWorkspaceMembers(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, body: BulkRemoveWorkspaceMembersRequest })
    input: WorkspacePath & BulkRemoveWorkspaceMembersRequest,
  ): Promise<BulkRemoveWorkspaceMembersResponse> {
    return this.members.remove(caller, input);
  }
}
