import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import {
  CreateSignInConnectionRequest,
  DeleteSignInConnectionResponse,
  ListSignInConnectionsResponse,
  SignInConnectionPath,
  SignInConnectionResponse,
  UpdateSignInConnectionRequest,
} from '../dto/sign-in-connection.dto.js';
import { SignInConnectionExists, SignInConnectionNotFound } from '../sign-in.errors.js';
import { SignInConnectionsService } from './sign-in-connections.service.js';

/** The operations on identity providers. */
@Controller('sign-in/connections')
@ManagedByFiles('sign_in_connections')
@ApiTags('Sign-in')
@Authenticated(['management_key'], 'sign_in')
export class SignInConnectionsController {
  constructor(private readonly connections: SignInConnectionsService) {}

  @Post()
  @Operation({
    status: 201,
    type: SignInConnectionResponse,
    hasEntityTag: true,
    summary: 'Add an identity provider',
    description:
      'Adds an identity provider that members of the organization sign in with by OpenID Connect. Register there as redirect address `/auth/callback` of this deployment.',
    errors: [SignInConnectionExists],
    decidesIdentity: true,
  })
  createSignInConnection(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateSignInConnectionRequest,
  ) {
    return this.connections.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListSignInConnectionsResponse,
    summary: 'List identity providers',
    description: 'Lists the identity providers of the organization, oldest first.',
  })
  listSignInConnections(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.connections.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: SignInConnectionResponse,
    hasEntityTag: true,
    summary: 'Get an identity provider',
    description: 'Returns an identity provider, without its secret.',
    errors: [SignInConnectionNotFound],
  })
  getSignInConnection(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: SignInConnectionPath) {
    return this.connections.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: SignInConnectionResponse,
    hasEntityTag: true,
    summary: 'Update an identity provider',
    description: 'Changes the fields in the request; absent ones stay. Issuer and client cannot be changed.',
    errors: [SignInConnectionNotFound],
    decidesIdentity: true,
  })
  updateSignInConnection(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: SignInConnectionPath,
    @Body() body: UpdateSignInConnectionRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.connections.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteSignInConnectionResponse,
    hasEntityTag: true,
    summary: 'Delete an identity provider',
    description: 'Deletes an identity provider. Who has signed in with it is signed out.',
    errors: [SignInConnectionNotFound],
    decidesIdentity: true,
  })
  deleteSignInConnection(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: SignInConnectionPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.connections.delete(caller, input, precondition);
  }
}
