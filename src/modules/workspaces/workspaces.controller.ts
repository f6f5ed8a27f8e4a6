import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { DeleteWorkspaceQuery, DeleteWorkspaceResponse } from './dto/delete-workspace.dto.js';
import { ListWorkspaceMembersResponse } from './dto/workspace-member.dto.js';
import { WorkspacePath } from './dto/workspace-path.dto.js';
import { CreateWorkspaceRequest, UpdateWorkspaceRequest } from './dto/workspace-request.dto.js';
import {
  CreateWorkspaceResponse,
  GetWorkspaceResponse,
  ListWorkspacesResponse,
  UpdateWorkspaceResponse,
} from './dto/workspace.dto.js';
import { WorkspaceAdministrationService } from './workspace-administration.service.js';
import { WorkspacesService } from './workspaces.service.js';

/** The operations on workspaces. */
@Controller('workspaces')
@ApiTags('Workspaces')
export class WorkspacesController {
  constructor(
    private readonly administration: WorkspaceAdministrationService,
    private readonly workspaces: WorkspacesService,
  ) {}

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListWorkspacesResponse,
    summary: 'List workspaces',
    description: 'Oldest first.',
    errors: [400, 403],
  })
  listWorkspaces(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListWorkspacesResponse> {
    return this.administration.list(caller, input);
  }

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: CreateWorkspaceResponse,
    summary: 'Create a workspace',
    description: 'Nobody is a member of a new workspace, not even who created it: members are added to it.',
    errors: [400, 403, 409, 413],
    reasons: { 409: 'workspace_slug_taken' },
  })
  createWorkspace(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateWorkspaceRequest }) input: CreateWorkspaceRequest,
  ): Promise<CreateWorkspaceResponse> {
    return this.administration.create(caller, input);
  }

  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetWorkspaceResponse,
    summary: 'Get a workspace',
    description: 'By its UUID or its slug.',
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  getWorkspace(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath }) input: WorkspacePath,
  ): Promise<GetWorkspaceResponse> {
    return this.administration.read(caller, input);
  }

  @Patch(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: UpdateWorkspaceResponse,
    summary: 'Update a workspace',
    description:
      'What is left out stays as it is, and null clears. The default workspace can be renamed like any other, and stays the default one.',
    errors: [400, 403, 404, 409, 413],
    reasons: { 404: 'workspace_not_found', 409: 'workspace_slug_taken' },
  })
  updateWorkspace(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, body: UpdateWorkspaceRequest }) input: WorkspacePath & UpdateWorkspaceRequest,
  ): Promise<UpdateWorkspaceResponse> {
    return this.administration.update(caller, input);
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteWorkspaceResponse,
    summary: 'Delete a workspace',
    description:
      'With its members, budgets, guardrails, presets, destinations and SCIM mappings, and its disabled and expired keys. While a key in it is active it cannot be deleted, and the default workspace only with confirmation.',
    errors: [400, 403, 404],
    reasons: { 400: 'workspace_has_active_keys', 404: 'workspace_not_found' },
  })
  deleteWorkspace(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, query: DeleteWorkspaceQuery }) input: WorkspacePath & DeleteWorkspaceQuery,
  ): Promise<DeleteWorkspaceResponse> {
    return this.administration.delete(caller, input);
  }

  @Get(':id/members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListWorkspaceMembersResponse,
    summary: 'List the members of a workspace',
    description: 'Oldest first. Of the default workspace, every member of the organization is a member.',
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'workspace_not_found' },
  })
  listWorkspaceMembers(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: WorkspacePath, query: PageQuery }) input: WorkspacePath & PageQuery,
  ): Promise<ListWorkspaceMembersResponse> {
    return this.workspaces.listMembers(caller, input);
  }
}
