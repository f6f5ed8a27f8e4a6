import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import type { AuthenticatedRequest } from '../../../auth/authentication.guard.js';
import { ScimOperation } from './scim-answer.js';
import { ScimBase } from './scim-base.js';
import { ScimGroupDocument, ScimQuery, ScimResourcePath } from './scim-document.dto.js';
import { ProvisionedGroupsService } from './provisioned-groups.service.js';

/** The operations on groups, for directories (RFC 7644, section 3). */
@Controller('scim/v2')
@ApiExcludeController()
@Authenticated(['provisioning_token'])
export class ProvisionedGroupsController {
  constructor(
    private readonly groups: ProvisionedGroupsService,
    private readonly base: ScimBase,
  ) {}

  @Get('Groups{/}')
  @ScimOperation()
  listGroups(@Req() request: AuthenticatedRequest, @Query() query: ScimQuery) {
    return this.groups.list(this.base.callOf(request), query);
  }

  @Post('Groups/.search')
  @ScimOperation()
  searchGroups(@Req() request: AuthenticatedRequest, @Body() body: ScimGroupDocument, @Query() _query: ScimQuery) {
    return this.groups.list(this.base.callOf(request), body);
  }

  @Post('Groups{/}')
  @ScimOperation()
  createGroup(@Req() request: AuthenticatedRequest, @Body() body: ScimGroupDocument, @Query() query: ScimQuery) {
    return this.groups.create(this.base.callOf(request), body, query);
  }

  @Get('Groups/:id')
  @ScimOperation()
  getGroup(@Req() request: AuthenticatedRequest, @Param() { id }: ScimResourcePath, @Query() query: ScimQuery) {
    return this.groups.get(this.base.callOf(request), id, query);
  }

  @Put('Groups/:id')
  @ScimOperation()
  replaceGroup(
    @Req() request: AuthenticatedRequest,
    @Param() { id }: ScimResourcePath,
    @Body() body: ScimGroupDocument,
    @Query() query: ScimQuery,
  ) {
    return this.groups.replace(this.base.callOf(request), id, body, query);
  }

  @Patch('Groups/:id')
  @ScimOperation()
  patchGroup(
    @Req() request: AuthenticatedRequest,
    @Param() { id }: ScimResourcePath,
    @Body() body: ScimGroupDocument,
    @Query() query: ScimQuery,
  ) {
    return this.groups.patch(this.base.callOf(request), id, body, query);
  }

  @Delete('Groups/:id')
  @ScimOperation()
  deleteGroup(@Req() request: AuthenticatedRequest, @Param() { id }: ScimResourcePath, @Query() _query: ScimQuery) {
    return this.groups.delete(this.base.callOf(request), id);
  }
}
