import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { PermissionMissing } from '../../../http/errors/request.errors.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { MemberEmailTaken, MemberEnded, MemberIsActive, OrganizationMemberNotFound } from '../organizations.errors.js';
import { MemberAdministrationService } from './member-administration.service.js';
import {
  CreateOrganizationMemberRequest,
  ErasedOrganizationMemberResponse,
  OrganizationMemberPath,
  OrganizationMemberResponse,
  UpdateOrganizationMemberRequest,
} from './member.dto.js';

/** The operations on single members of the caller's organization. */
@Controller('organization/members')
@ApiTags('Organization')
@Authenticated(['management_key'], 'organization_members')
export class MembersController {
  constructor(private readonly members: MemberAdministrationService) {}

  @Post()
  @Operation({
    status: 201,
    type: OrganizationMemberResponse,
    hasEntityTag: true,
    summary: 'Add a member to the organization',
    description:
      'Adds a person, or a service: an account for software that no directory can deactivate. Only a caller whom nothing restricts can add an administrator.',
    errors: [PermissionMissing, MemberEmailTaken],
  })
  createOrganizationMember(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateOrganizationMemberRequest,
  ) {
    return this.members.create(caller, input);
  }

  @Get(':id')
  @Operation({
    type: OrganizationMemberResponse,
    hasEntityTag: true,
    summary: 'Get a member of the organization',
    description: 'Returns a member, whatever its status.',
    errors: [OrganizationMemberNotFound],
  })
  getOrganizationMember(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: OrganizationMemberPath) {
    return this.members.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: OrganizationMemberResponse,
    hasEntityTag: true,
    summary: 'Update a member of the organization',
    description:
      'Changes the fields in the request; absent ones stay. Keys of a member who is deactivated are refused from the answer on, until the reactivation. The last administrator can be deactivated: the command line gives an organization another. Only a caller whom nothing restricts can make or reactivate an administrator.',
    errors: [PermissionMissing, OrganizationMemberNotFound, MemberEnded],
  })
  updateOrganizationMember(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: OrganizationMemberPath,
    @Body() body: UpdateOrganizationMemberRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.members.update(caller, { ...body, ...path }, precondition);
  }

  @Post(':id/erase')
  @Operation({
    type: ErasedOrganizationMemberResponse,
    summary: 'Erase a member of the organization',
    description:
      'Ends a deactivated member and erases the person: name, address, logged contents of their generations, and names of their keys. Records, costs and sums stay under the id. It cannot be undone, and can be repeated.',
    errors: [OrganizationMemberNotFound, MemberIsActive],
  })
  eraseOrganizationMember(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: OrganizationMemberPath) {
    return this.members.erase(caller, input);
  }
}
