import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import {
  CreateProvisioningTokenRequest,
  IssuedProvisioningTokenResponse,
  ListProvisioningTokensResponse,
  ProvisioningTokenPath,
  RevokeProvisioningTokenResponse,
  RotateProvisioningTokenRequest,
} from '../dto/provisioning-token.dto.js';
import { ProvisioningTokenNotFound, TooManyProvisioningTokens } from '../scim.errors.js';
import { ProvisioningTokensService } from './provisioning-tokens.service.js';

/** The operations on the tokens of directories. */
@Controller('scim/tokens')
@ApiTags('SCIM')
@Authenticated(['management_key'], 'scim')
export class ProvisioningTokensController {
  constructor(private readonly tokens: ProvisioningTokensService) {}

  @Post()
  @Operation({
    status: 201,
    type: IssuedProvisioningTokenResponse,
    hasEntityTag: true,
    summary: 'Create a provisioning token',
    description:
      'Creates the credential of a directory that provisions members and groups by SCIM 2.0. Only this response contains it. An organization has at most two that have not expired, so that one can be replaced without a gap.',
    errors: [TooManyProvisioningTokens],
    decidesIdentity: true,
  })
  createProvisioningToken(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateProvisioningTokenRequest,
  ) {
    return this.tokens.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListProvisioningTokensResponse,
    summary: 'List provisioning tokens',
    description: 'Lists the provisioning tokens of the organization, oldest first, without their secrets.',
  })
  listProvisioningTokens(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.tokens.list(caller);
  }

  @Post(':id/rotate')
  @Operation({
    status: 201,
    type: IssuedProvisioningTokenResponse,
    hasEntityTag: true,
    optionalBody: true,
    summary: 'Rotate a provisioning token',
    description:
      'Gives a token a new secret. The old one is accepted until the grace period ends; another rotation ends it earlier.',
    errors: [ProvisioningTokenNotFound],
    decidesIdentity: true,
  })
  rotateProvisioningToken(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ProvisioningTokenPath,
    @Body() body: RotateProvisioningTokenRequest,
  ) {
    return this.tokens.rotate(caller, { ...body, ...path });
  }

  @Delete(':id')
  @Operation({
    type: RevokeProvisioningTokenResponse,
    hasEntityTag: true,
    summary: 'Revoke a provisioning token',
    description: 'Ends a token at once, and the secret that it had before its rotation.',
    errors: [ProvisioningTokenNotFound],
    decidesIdentity: true,
  })
  revokeProvisioningToken(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: ProvisioningTokenPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.tokens.revoke(caller, input, precondition);
  }
}
