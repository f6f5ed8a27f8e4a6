import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { CreateScimGroupMappingRequest } from './dto/create-scim-group-mapping-request.dto.js';
import { CreateScimGroupMappingResponse, ListScimGroupMappingsResponse } from './dto/scim-group-mapping.dto.js';
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
    description: 'Gives the members of a group a role in a workspace.',
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
    errors: [400, 403, 404],
    reasons: { 404: 'scim_not_enabled' },
  })
  listScimGroupMappings(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListScimGroupMappingsResponse> {
    return this.scim.listMappings(caller, input);
  }
}
