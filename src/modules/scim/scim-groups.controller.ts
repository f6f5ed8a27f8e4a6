import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import { PageQuery } from '../../api/pagination/pagination.js';
import { ListScimGroupsResponse } from './dto/scim-group.dto.js';
import { ScimGroupsService } from './scim-groups.service.js';
import { ScimNotEnabled } from './scim.errors.js';

/** The operations on SCIM groups. */
@Controller('scim/groups')
@ApiTags('SCIM')
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroupsService) {}

  @Get()
  @Authenticated('management_key')
  @Operation({
    status: 200,
    type: ListScimGroupsResponse,
    summary: 'List SCIM groups',
    description: 'Lists the groups that the identity provider has pushed, oldest first.',
    errors: [ScimNotEnabled],
  })
  listScimGroups(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: PageQuery,
  ): Promise<ListScimGroupsResponse> {
    return this.groups.list(caller, input);
  }
}
