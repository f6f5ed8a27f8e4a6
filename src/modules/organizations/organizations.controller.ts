import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { ListOrganizationMembersQuery, ListOrganizationMembersResponse } from './dto/organization-member.dto.js';
import { OrganizationsService } from './organizations.service.js';

/** The operations on the caller's organization. */
@Controller('organization')
@ApiTags('Organization')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get('members')
  @Authenticated(['management_key'], 'organization_members_read')
  @Operation({
    type: ListOrganizationMembersResponse,
    summary: 'List the members of the organization',
    description:
      'Lists the members of the organization, oldest first. Those who are deactivated or have ended are included on request.',
  })
  listOrganizationMembers(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: ListOrganizationMembersQuery,
  ) {
    return this.organizations.listMembers(caller, input);
  }
}
