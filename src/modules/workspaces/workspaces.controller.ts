import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { AlsoChanges, ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import { ObjectsOfWorkspace } from '../configuration/kinds/objects-of-workspace.js';
import {
  CreateWorkspaceRequest,
  CreateWorkspaceResponse,
  DeleteWorkspaceQuery,
  DeleteWorkspaceResponse,
  GetWorkspaceResponse,
  ListWorkspacesQuery,
  ListWorkspacesResponse,
  UpdateWorkspaceRequest,
  UpdateWorkspaceResponse,
  WorkspacePath,
} from './dto/workspace.dto.js';
import { ListWorkspaceMembersQuery, ListWorkspaceMembersResponse } from './members/workspace-member.dto.js';
import { WorkspacesService } from './workspaces.service.js';
import { TooManyLargeLists } from '../organization-limits/organization-limits.errors.js';
import { WORKSPACE_HAS_ACTIVE_KEYS, WorkspaceNotFound, WorkspaceSlugTaken } from './workspaces.errors.js';

/** The operations on workspaces. */
@Controller('workspaces')
@ManagedByFiles('workspaces')
@ApiTags('Workspaces')
@Authenticated(['management_key'], 'workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @KeepsToOwn()
  @Operation({
    type: ListWorkspacesResponse,
    summary: 'List workspaces',
    description: 'Lists the workspaces, oldest first.',
    errors: [TooManyLargeLists],
  })
  listWorkspaces(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ListWorkspacesQuery) {
    return this.workspaces.list(caller, input);
  }

  @Post()
  @Operation({
    status: 201,
    type: CreateWorkspaceResponse,
    hasEntityTag: true,
    summary: 'Create a workspace',
    description: 'Creates a workspace without members; add them afterwards. The creator is not a member either.',
    errors: [WorkspaceSlugTaken],
  })
  createWorkspace(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateWorkspaceRequest) {
    return this.workspaces.create(caller, input);
  }

  @Get(':id')
  @KeepsToOwn()
  @Operation({
    type: GetWorkspaceResponse,
    hasEntityTag: true,
    summary: 'Get a workspace',
    description: 'Returns a workspace by its UUID or slug.',
    errors: [WorkspaceNotFound],
  })
  getWorkspace(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: WorkspacePath) {
    return this.workspaces.read(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateWorkspaceResponse,
    hasEntityTag: true,
    summary: 'Update a workspace',
    description:
      'Changes the fields in the request. Absent fields stay, null clears. The default workspace stays the default when it is renamed.',
    errors: [WorkspaceNotFound, WorkspaceSlugTaken],
  })
  updateWorkspace(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: WorkspacePath,
    @Body() body: UpdateWorkspaceRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.workspaces.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @AlsoChanges(ObjectsOfWorkspace)
  @Operation({
    type: DeleteWorkspaceResponse,
    hasEntityTag: true,
    summary: 'Delete a workspace',
    description:
      'Deletes a workspace with its memberships, budgets, guardrails, presets, destinations, SCIM mappings, and disabled and expired keys. A workspace with an active key cannot be deleted. Deleting the default workspace requires confirmation.',
    errors: [WORKSPACE_HAS_ACTIVE_KEYS, WorkspaceNotFound],
  })
  deleteWorkspace(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: WorkspacePath,
    @Query() query: DeleteWorkspaceQuery,
    @IfMatch() precondition: Precondition,
  ) {
    return this.workspaces.delete(caller, { ...query, ...path }, precondition);
  }

  @Get(':id/members')
  @Operation({
    type: ListWorkspaceMembersResponse,
    summary: 'List the members of a workspace',
    description:
      'Lists the members of a workspace, oldest first. All members of the organization are members of the default workspace.',
    unavailableStatus: 500,
    errors: [WorkspaceNotFound],
  })
  listWorkspaceMembers(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: WorkspacePath,
    @Query() query: ListWorkspaceMembersQuery,
  ) {
    return this.workspaces.listMembers(caller, { ...query, ...path });
  }
}
