import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { ListOrganizationMembersResponse } from './dto/organization-member.dto.js';
import { OrganizationsService } from './organizations.service.js';

/** The operations on the caller's organization. */
@Controller('organization')
@ApiTags('Organization')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get('members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListOrganizationMembersResponse,
    summary: 'List the members of the organization',
    description: 'Oldest first.',
    errors: [400, 403],
  })
  listOrganizationMembers(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListOrganizationMembersResponse> {
    return this.organizations.listMembers(caller, input);
  }
}
