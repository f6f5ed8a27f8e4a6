import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import { PageQuery } from '../../api/pagination/pagination.js';
import {
  CreateScimGroupMappingRequest,
  CreateScimGroupMappingResponse,
  DeleteScimGroupMappingQuery,
  DeleteScimGroupMappingResponse,
  GetScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  ScimGroupMappingPath,
  UpdateScimGroupMappingRequest,
  UpdateScimGroupMappingResponse,
} from './dto/scim-group-mapping.dto.js';
import { ScimGroupMappingsService } from './scim-group-mappings.service.js';
import { ScimGroupMappingExists, ScimGroupMappingNotFound, ScimGroupNotFound, ScimNotEnabled } from './scim.errors.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';

/** The operations on SCIM group mappings. */
@Controller('scim/group-mappings')
@ApiTags('SCIM')
export class ScimGroupMappingsController {
  constructor(private readonly scim: ScimGroupMappingsService) {}

  @Post()
  @Authenticated('management_key')
  @Operation({
    status: 200,
    publicStatus: 201,
    type: CreateScimGroupMappingResponse,
    summary: 'Create a SCIM group mapping',
    description:
      'Gives the members of a group a role in a workspace, for as long as they are in the group. All members of the organization are members of the default workspace in any case.',
    unavailableStatus: 500,
    errors: [ScimGroupNotFound, ScimNotEnabled, WorkspaceNotFound, ScimGroupMappingExists],
  })
  createScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateScimGroupMappingRequest,
  ): Promise<CreateScimGroupMappingResponse> {
    return this.scim.createMapping(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Operation({
    status: 200,
    type: ListScimGroupMappingsResponse,
    summary: 'List SCIM group mappings',
    description: "Lists the organization's mappings, oldest first.",
    unavailableStatus: 500,
    errors: [ScimNotEnabled],
  })
  listScimGroupMappings(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: PageQuery,
  ): Promise<ListScimGroupMappingsResponse> {
    return this.scim.listMappings(caller, input);
  }
  @Get(':id')
  @Authenticated('management_key')
  @Operation({
    status: 200,
    type: GetScimGroupMappingResponse,
    summary: 'Get a SCIM group mapping',
    description: 'Returns a mapping.',
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  getScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: ScimGroupMappingPath,
  ): Promise<GetScimGroupMappingResponse> {
    return this.scim.getMapping(caller, input);
  }

  @Patch(':id')
  @Authenticated('management_key')
  @Operation({
    status: 200,
    type: UpdateScimGroupMappingResponse,
    summary: 'Update a SCIM group mapping',
    description: "Changes the role of the group's members in the workspace.",
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  updateScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ScimGroupMappingPath,
    @Body() body: UpdateScimGroupMappingRequest,
  ): Promise<UpdateScimGroupMappingResponse> {
    return this.scim.updateMapping(caller, { ...body, ...path });
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Operation({
    status: 200,
    type: DeleteScimGroupMappingResponse,
    summary: 'Delete a SCIM group mapping',
    description:
      'Deletes a mapping. `keep_members` decides whether its members stay. Members with another mapping, and those who were added manually, stay in any case.',
    errors: [ScimGroupMappingNotFound, ScimNotEnabled],
  })
  deleteScimGroupMapping(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ScimGroupMappingPath,
    @Query() query: DeleteScimGroupMappingQuery,
  ): Promise<DeleteScimGroupMappingResponse> {
    return this.scim.deleteMapping(caller, { ...query, ...path });
  }
}
