import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import type { AuthenticatedRequest } from '../../../auth/authentication.guard.js';
import { ScimOperation } from './scim-answer.js';
import { ScimBase } from './scim-base.js';
import { ScimDocument, ScimQuery, ScimResourcePath } from './scim-document.dto.js';
import { ScimUsersService } from './scim-users.service.js';

/** The operations on users, for directories (RFC 7644, section 3). */
@Controller('scim/v2')
@ApiExcludeController()
@Authenticated(['provisioning_token'])
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsersService,
    private readonly base: ScimBase,
  ) {}

  @Get('Users{/}')
  @ScimOperation()
  listUsers(@Req() request: AuthenticatedRequest, @Query() query: ScimQuery) {
    return this.users.list(this.base.callOf(request), query);
  }

  @Post('Users/.search')
  @ScimOperation()
  searchUsers(@Req() request: AuthenticatedRequest, @Body() body: ScimDocument, @Query() _query: ScimQuery) {
    return this.users.list(this.base.callOf(request), body);
  }

  @Post('Users{/}')
  @ScimOperation()
  createUser(@Req() request: AuthenticatedRequest, @Body() body: ScimDocument, @Query() query: ScimQuery) {
    return this.users.create(this.base.callOf(request), body, query);
  }

  @Get('Users/:id')
  @ScimOperation()
  getUser(@Req() request: AuthenticatedRequest, @Param() { id }: ScimResourcePath, @Query() query: ScimQuery) {
    return this.users.get(this.base.callOf(request), id, query);
  }

  @Put('Users/:id')
  @ScimOperation()
  replaceUser(
    @Req() request: AuthenticatedRequest,
    @Param() { id }: ScimResourcePath,
    @Body() body: ScimDocument,
    @Query() query: ScimQuery,
  ) {
    return this.users.replace(this.base.callOf(request), id, body, query);
  }

  @Patch('Users/:id')
  @ScimOperation()
  patchUser(
    @Req() request: AuthenticatedRequest,
    @Param() { id }: ScimResourcePath,
    @Body() body: ScimDocument,
    @Query() query: ScimQuery,
  ) {
    return this.users.patch(this.base.callOf(request), id, body, query);
  }

  @Delete('Users/:id')
  @ScimOperation()
  deleteUser(@Req() request: AuthenticatedRequest, @Param() { id }: ScimResourcePath, @Query() _query: ScimQuery) {
    return this.users.delete(this.base.callOf(request), id);
  }
}
