import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import {
  CreateObservabilityDestinationRequest,
  CreateObservabilityDestinationResponse,
  DeleteObservabilityDestinationResponse,
  DestinationPath,
  GetObservabilityDestinationResponse,
  ListDestinationsQuery,
  ListObservabilityDestinationsResponse,
  UpdateObservabilityDestinationRequest,
  UpdateObservabilityDestinationResponse,
} from './dto/destination.dto.js';
import { ObservabilityService } from './observability.service.js';
import { TooManyLargeLists } from '../organization-limits/organization-limits.errors.js';
import {
  CREDENTIALS_REQUIRED,
  DestinationNotFound,
  TooManyDestinations,
  TooManyHostLookups,
} from './observability.errors.js';

/** The operations on observability destinations. */
@Controller('observability/destinations')
@ManagedByFiles('destinations')
@ApiTags('Observability')
@Authenticated(['management_key'], 'destinations')
export class ObservabilityController {
  constructor(private readonly observability: ObservabilityService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateObservabilityDestinationResponse,
    hasEntityTag: true,
    summary: 'Create an observability destination',
    description:
      'Creates a destination; a workspace has at most five of a type. Addresses must be https URLs outside private networks. Every response masks credentials.',
    errors: [TooManyDestinations, TooManyHostLookups],
  })
  createObservabilityDestination(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateObservabilityDestinationRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.observability.create(caller, input, gone);
  }

  @Get()
  @Operation({
    type: ListObservabilityDestinationsResponse,
    summary: 'List observability destinations',
    description:
      'Lists the destinations of a workspace, oldest first; by default those of the default workspace. Credentials are masked.',
    errors: [TooManyLargeLists],
  })
  listObservabilityDestinations(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: ListDestinationsQuery,
  ) {
    return this.observability.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetObservabilityDestinationResponse,
    hasEntityTag: true,
    summary: 'Get an observability destination',
    description: 'Returns a destination. Credentials are masked.',
    unavailableStatus: 500,
    errors: [DestinationNotFound],
  })
  getObservabilityDestination(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: DestinationPath) {
    return this.observability.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateObservabilityDestinationResponse,
    hasEntityTag: true,
    summary: 'Update an observability destination',
    description:
      'Changes the fields and settings in the request; absent ones stay. A credential that is sent back masked, as it was returned, stays. A change to another host requires all credentials again.',
    errors: [CREDENTIALS_REQUIRED, DestinationNotFound, TooManyHostLookups],
  })
  updateObservabilityDestination(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: DestinationPath,
    @Body() body: UpdateObservabilityDestinationRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.observability.update(caller, { ...body, ...path }, gone, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteObservabilityDestinationResponse,
    hasEntityTag: true,
    summary: 'Delete an observability destination',
    description: 'Deletes a destination and its credentials.',
    errors: [DestinationNotFound],
  })
  deleteObservabilityDestination(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: DestinationPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.observability.delete(caller, input, precondition);
  }
}
