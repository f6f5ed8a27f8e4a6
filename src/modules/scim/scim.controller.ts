import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import { PageQuery } from '../../http/pagination/pagination.js';
import {
  CreateScimGroupMappingRequest,
  CreateScimGroupMappingResponse,
  DeleteScimGroupMappingQuery,
  DeleteScimGroupMappingResponse,
  GetScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  ListScimGroupMembersQuery,
  ListScimGroupMembersResponse,
  ListScimGroupsResponse,
  ScimGroupMappingPath,
  ScimGroupPath,
  UpdateScimGroupMappingRequest,
  UpdateScimGroupMappingResponse,
} from './dto/scim.dto.js';
import { ScimGroupMappingsService } from './scim-group-mappings.service.js';
import { ScimGroupsService } from './scim-groups.service.js';
import { ScimGroupMappingExists, ScimGroupMappingNotFound, ScimGroupNotFound, ScimNotEnabled } from './scim.errors.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';

/** The operations on the groups of an identity provider, and on their mappings. */
@Controller('scim')
@ManagedByFiles('scim_group_mappings')
@ApiTags('SCIM')
@Authenticated(['management_key'], 'scim')
export class ScimController {
  constructor(
    private readonly groups: ScimGroupsService,
    private readonly mappings: ScimGroupMappingsService,
  ) {}

  @Get('groups')
  @Operation({
    type: ListScimGroupsResponse,
    summary: 'List SCIM groups',
    description: 'Lists the groups that the identity provider has pushed, oldest first.',
    errors: [ScimNotEnabled],
  })
  listScimGroups(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.groups.list(caller, input);
  }

  @Get('groups/:id/members')
  @Operation({
    type: ListScimGroupMembersResponse,
    summary: 'List the members of a SCIM group',
    description: 'Lists who is in a group that the identity provider has pushed, deactivated members too.',
    errors: [ScimGroupNotFound, ScimNotEnabled],
  })
  listScimGroupMembers(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ScimGroupPath,
    @Query() query: ListScimGroupMembersQuery,
  ) {
    return this.groups.listMembers(caller, { ...query, ...path });
  }

  @Post('group-mappings')
  @Operation({
    publicStatus: 201,
    type: CreateScimGroupMappingResponse,
    hasEntityTag: true,
    summary: 'Create a SCIM group mapping',
    description:
      'Gives the members of a group a role in a workspace, for as long as they are in the group. All members of the organization are members of the default workspace in any case.',
    unavailableStatus: 500,
    errors: [ScimGroupNotFound, ScimNotEnabled, WorkspaceNotFound, ScimGroupMappingExists],
  })
  createScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateScimGroupMappingRequest,
  ) {
    return this.mappings.createMapping(caller, input);
  }

  @Get('group-mappings')
  @Operation({
    type: ListScimGroupMappingsResponse,
    summary: 'List SCIM group mappings',
    description: "Lists the organization's mappings, oldest first.",
    unavailableStatus: 500,
    errors: [ScimNotEnabled],
  })
  listScimGroupMappings(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.mappings.listMappings(caller, input);
  }

  @Get('group-mappings/:id')
  @Operation({
    type: GetScimGroupMappingResponse,
    hasEntityTag: true,
    summary: 'Get a SCIM group mapping',
    description: 'Returns a mapping.',
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  getScimGroupMapping(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: ScimGroupMappingPath) {
    return this.mappings.getMapping(caller, input);
  }

  @Patch('group-mappings/:id')
  @Operation({
    type: UpdateScimGroupMappingResponse,
    hasEntityTag: true,
    summary: 'Update a SCIM group mapping',
    description: "Changes the role of the group's members in the workspace.",
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  updateScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ScimGroupMappingPath,
    @Body() body: UpdateScimGroupMappingRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.mappings.updateMapping(caller, { ...body, ...path }, precondition);
  }

  @Delete('group-mappings/:id')
  @Operation({
    type: DeleteScimGroupMappingResponse,
    hasEntityTag: true,
    summary: 'Delete a SCIM group mapping',
    description:
      'Deletes a mapping. `keep_members` decides whether its members stay. Members with another mapping, and those who were added manually, stay in any case.',
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  deleteScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ScimGroupMappingPath,
    @Query() query: DeleteScimGroupMappingQuery,
    @IfMatch() precondition: Precondition,
  ) {
    return this.mappings.deleteMapping(caller, { ...query, ...path }, precondition);
  }
}
