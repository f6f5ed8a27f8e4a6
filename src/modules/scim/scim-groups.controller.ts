import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { ListScimGroupsResponse } from './dto/scim-group.dto.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** The operations on SCIM groups. */
@Controller('scim/groups')
@ApiTags('SCIM')
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroupsService) {}

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListScimGroupsResponse,
    summary: 'List SCIM groups',
    description: 'The groups that the identity provider has pushed, oldest first.',
    errors: [400, 403, 404],
    reasons: { 404: 'scim_not_enabled' },
  })
  listScimGroups(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListScimGroupsResponse> {
    return this.groups.list(caller, input);
  }
}
