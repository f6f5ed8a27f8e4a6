import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { CreateScimGroupMappingRequest } from './dto/create-scim-group-mapping-request.dto.js';
import { DeleteScimGroupMappingQuery, DeleteScimGroupMappingResponse } from './dto/delete-scim-group-mapping.dto.js';
import {
  CreateScimGroupMappingResponse,
  GetScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  UpdateScimGroupMappingResponse,
} from './dto/scim-group-mapping.dto.js';
import { ScimGroupMappingPath } from './dto/scim-group-mapping-path.dto.js';
import { UpdateScimGroupMappingRequest } from './dto/update-scim-group-mapping-request.dto.js';
import { ScimService } from './scim.service.js';

/** The operations on SCIM group mappings. */
@Controller('scim/group-mappings')
@ApiTags('SCIM')
export class ScimController {
  constructor(private readonly scim: ScimService) {}

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    publicStatus: 201,
    type: CreateScimGroupMappingResponse,
    summary: 'Create a SCIM group mapping',
    description:
      'Gives the members of a group a role in a workspace, now and as long as they are in it. The default workspace has everybody as a member anyway.',
    unavailableStatus: 500,
    errors: [400, 403, 404, 409, 413],
    reasons: { 404: 'scim_group_not_found', 409: 'scim_group_mapping_exists' },
  })
  createScimGroupMapping(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateScimGroupMappingRequest }) input: CreateScimGroupMappingRequest,
  ): Promise<CreateScimGroupMappingResponse> {
    return this.scim.createMapping(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListScimGroupMappingsResponse,
    summary: 'List SCIM group mappings',
    description: "The organization's mappings, oldest first.",
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'scim_not_enabled' },
  })
  listScimGroupMappings(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListScimGroupMappingsResponse> {
    return this.scim.listMappings(caller, input);
  }
  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetScimGroupMappingResponse,
    summary: 'Get a SCIM group mapping',
    description: 'One mapping of a group to a workspace.',
    errors: [400, 403, 404],
    reasons: { 404: 'scim_group_mapping_not_found' },
  })
  getScimGroupMapping(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ScimGroupMappingPath }) input: ScimGroupMappingPath,
  ): Promise<GetScimGroupMappingResponse> {
    return this.scim.getMapping(caller, input);
  }

  @Patch(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: UpdateScimGroupMappingResponse,
    summary: 'Update a SCIM group mapping',
    description: "Changes the role that the group's members have in the workspace.",
    errors: [400, 403, 404, 413],
    reasons: { 404: 'scim_group_mapping_not_found' },
  })
  updateScimGroupMapping(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ScimGroupMappingPath, body: UpdateScimGroupMappingRequest })
    input: ScimGroupMappingPath & UpdateScimGroupMappingRequest,
  ): Promise<UpdateScimGroupMappingResponse> {
    return this.scim.updateMapping(caller, input);
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteScimGroupMappingResponse,
    summary: 'Delete a SCIM group mapping',
    description: 'Its members stay, or go where no other mapping and nobody by hand has made them members.',
    errors: [400, 403, 404],
    reasons: { 404: 'scim_group_mapping_not_found' },
  })
  deleteScimGroupMapping(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: ScimGroupMappingPath, query: DeleteScimGroupMappingQuery })
    input: ScimGroupMappingPath & DeleteScimGroupMappingQuery,
  ): Promise<DeleteScimGroupMappingResponse> {
    return this.scim.deleteMapping(caller, input);
  }
}
