import { Body, Controller, Delete, Get, Param, Patch, Post, Query, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { NamedPageQuery } from '../../http/pagination/pagination.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import {
  CreateLimitExceptionRequest,
  CreateLimitExceptionResponse,
  CreateLimitRequest,
  CreateLimitResponse,
  DeleteLimitExceptionResponse,
  DeleteLimitResponse,
  GetLimitResponse,
  LimitExceptionPath,
  LimitPath,
  ListLimitExceptionsQuery,
  ListLimitExceptionsResponse,
  ListLimitsResponse,
  ListLimitUsageQuery,
  ListLimitUsageResponse,
  UpdateLimitRequest,
  UpdateLimitResponse,
} from './dto/limit.dto.js';
import { LimitExceptionsService } from './limit-exceptions.service.js';
import { LimitExceptionExists, LimitExceptionNotFound, LimitNotFound } from './limits.errors.js';
import { LimitsService } from './limits.service.js';

/** The operations on limits by condition and group. */
@Controller('limits')
@ManagedByFiles('limits', { changedBy: [RequestMethod.POST] })
@ApiTags('Limits')
@Authenticated(['management_key'], 'limits')
export class LimitsController {
  constructor(
    private readonly limits: LimitsService,
    private readonly exceptions: LimitExceptionsService,
  ) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateLimitResponse,
    hasEntityTag: true,
    summary: 'Create a limit',
    description:
      'Creates a limit of US dollars, tokens, requests or requests at the same time for the requests that meet its conditions: one counter for each combination of what it groups by. It holds for each request that comes after the answer.',
  })
  createLimit(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateLimitRequest) {
    return this.limits.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListLimitsResponse,
    summary: 'List limits',
    description:
      'Lists the limits by condition and group of the organization, oldest first. Those of keys, workspaces and guardrails are not among them.',
  })
  listLimits(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: NamedPageQuery) {
    return this.limits.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetLimitResponse,
    hasEntityTag: true,
    summary: 'Get a limit',
    description: 'Returns a limit by condition and group.',
    errors: [LimitNotFound],
  })
  getLimit(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: LimitPath) {
    return this.limits.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateLimitResponse,
    hasEntityTag: true,
    summary: 'Update a limit',
    description:
      'Changes the fields in the request; absent ones stay. What it counts, by what, in which workspace and window cannot be changed.',
    errors: [LimitNotFound],
  })
  updateLimit(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: LimitPath,
    @Body() body: UpdateLimitRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.limits.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteLimitResponse,
    hasEntityTag: true,
    summary: 'Delete a limit',
    description: 'Deletes a limit with its exceptions, and forgets what it has counted.',
    errors: [LimitNotFound],
  })
  deleteLimit(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: LimitPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.limits.delete(caller, input, precondition);
  }

  @Get(':id/usage')
  @Operation({
    type: ListLimitUsageResponse,
    summary: 'List what combinations have used of a limit',
    description:
      'Lists the combinations that have a counter in the present window, with what they have used and what is left; those first that have used most.',
    errors: [LimitNotFound],
  })
  listLimitUsage(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: LimitPath,
    @Query() page: ListLimitUsageQuery,
  ) {
    return this.limits.usage(caller, { ...page, ...path });
  }

  @Post(':id/exceptions')
  @Operation({
    status: 201,
    type: CreateLimitExceptionResponse,
    summary: 'Create an exception of a limit',
    description:
      'Gives one combination of values another amount than the limit has, for good or until some time. It holds for each request that comes after the answer.',
    errors: [LimitNotFound, LimitExceptionExists],
  })
  createLimitException(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: LimitPath,
    @Body() body: CreateLimitExceptionRequest,
  ) {
    return this.exceptions.create(caller, { ...body, ...path });
  }

  @Get(':id/exceptions')
  @Operation({
    type: ListLimitExceptionsResponse,
    summary: 'List the exceptions of a limit',
    description: 'Lists the exceptions of a limit, oldest first, also those whose time is over.',
    errors: [LimitNotFound],
  })
  listLimitExceptions(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: LimitPath,
    @Query() page: ListLimitExceptionsQuery,
  ) {
    return this.exceptions.list(caller, { ...page, ...path });
  }

  @Delete(':id/exceptions/:exception_id')
  @Operation({
    type: DeleteLimitExceptionResponse,
    summary: 'Delete an exception of a limit',
    description: 'Deletes an exception: the amount of the limit holds again.',
    errors: [LimitNotFound, LimitExceptionNotFound],
  })
  deleteLimitException(@CurrentPrincipal() caller: ManagementPrincipal, @Param() path: LimitExceptionPath) {
    return this.exceptions.delete(caller, path);
  }
}
