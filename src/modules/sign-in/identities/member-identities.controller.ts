import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import {
  CreateMemberIdentityRequest,
  DeleteMemberIdentityResponse,
  ListMemberIdentitiesResponse,
  MemberIdentityPath,
  MemberIdentityResponse,
  MemberOfIdentityPath,
} from '../dto/member-identity.dto.js';
import { MemberIdentityExists, MemberIdentityNotFound, SignInMemberNotFound } from '../sign-in.errors.js';
import { MemberIdentitiesService } from './member-identities.service.js';

/** The operations on who members are at identity providers. */
@Controller('organization/members/:id/identities')
@ApiTags('Sign-in')
@Authenticated(['management_key'], 'sign_in')
export class MemberIdentitiesController {
  constructor(private readonly identities: MemberIdentitiesService) {}

  @Post()
  @Operation({
    status: 201,
    type: MemberIdentityResponse,
    summary: 'Link a member to an identity',
    description:
      'Lets a person sign in as the member: by issuer and subject, as the page says that refuses who is not known.',
    errors: [SignInMemberNotFound, MemberIdentityExists],
    decidesIdentity: true,
  })
  createMemberIdentity(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: MemberOfIdentityPath,
    @Body() body: CreateMemberIdentityRequest,
  ) {
    return this.identities.create(caller, { ...body, ...path });
  }

  @Get()
  @Operation({
    type: ListMemberIdentitiesResponse,
    summary: 'List the identities of a member',
    description: 'Lists who the member is at identity providers, oldest first.',
    errors: [SignInMemberNotFound],
  })
  listMemberIdentities(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: MemberOfIdentityPath) {
    return this.identities.list(caller, path);
  }

  @Delete(':identity_id')
  @Operation({
    type: DeleteMemberIdentityResponse,
    summary: 'Take an identity away from a member',
    description:
      'The person cannot sign in as the member with it any more, and is signed out of what was begun with it.',
    errors: [MemberIdentityNotFound],
    decidesIdentity: true,
  })
  deleteMemberIdentity(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: MemberIdentityPath) {
    return this.identities.delete(caller, path);
  }
}
