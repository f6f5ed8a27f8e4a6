import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { NoContent } from '../../http/openapi/response-envelopes.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import {
  CreateExternalUserRequest,
  ExternalUserPath,
  ExternalUserResponse,
  ListExternalUsersQuery,
  ListExternalUsersResponse,
  UpdateExternalUserRequest,
} from './dto/external-user.dto.js';
import { ExternalUserExists, ExternalUserNotFound } from './external-users.errors.js';
import { ExternalUsersService } from './external-users.service.js';

/** The operations on users of organizations' own products. */
@Controller('external-users')
@ApiTags('External Users')
@Authenticated(['management_key'], 'keys')
export class ExternalUsersController {
  constructor(private readonly users: ExternalUsersService) {}

  @Post()
  @Operation({
    status: 201,
    type: ExternalUserResponse,
    hasEntityTag: true,
    summary: 'Register an external user',
    description: "Registers a user of the organization's own product by the name that its requests have.",
    errors: [ExternalUserExists],
  })
  createExternalUser(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateExternalUserRequest) {
    return this.users.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListExternalUsersResponse,
    summary: 'List external users',
    description: 'Lists the users that are active, or with `include_inactive` all of them, oldest first.',
  })
  listExternalUsers(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ListExternalUsersQuery) {
    return this.users.list(caller, input);
  }

  @Get(':user')
  @Operation({
    type: ExternalUserResponse,
    hasEntityTag: true,
    summary: 'Get an external user',
    description: 'Returns a user, active or not.',
    errors: [ExternalUserNotFound],
  })
  getExternalUser(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: ExternalUserPath) {
    return this.users.get(caller, input);
  }

  @Patch(':user')
  @Operation({
    type: ExternalUserResponse,
    hasEntityTag: true,
    summary: 'Update an external user',
    description: 'Activates or deactivates a user. The name cannot be changed.',
    errors: [ExternalUserNotFound],
  })
  updateExternalUser(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: ExternalUserPath,
    @Body() body: UpdateExternalUserRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.users.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':user')
  @Operation({
    status: 204,
    type: NoContent,
    hasEntityTag: true,
    summary: 'Deactivate an external user',
    description: 'Deactivates a user, who stays registered: a PATCH activates the user again. It can be repeated.',
    errors: [ExternalUserNotFound],
  })
  deleteExternalUser(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: ExternalUserPath,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.users.delete(caller, input, precondition);
  }
}
