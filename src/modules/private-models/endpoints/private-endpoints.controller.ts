import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ClientSignal } from '../../../http/client-signal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { TooManyHostLookups } from '../../observability/observability.errors.js';
import { KeysOfOtherAddress } from '../../providers/own-keys/own-keys.errors.js';
import {
  ActivatePrivateEndpointResponse,
  CreatePrivateEndpointRequest,
  CreatePrivateEndpointResponse,
  DeletePrivateEndpointQuery,
  DeletePrivateEndpointResponse,
  DisablePrivateEndpointResponse,
  EnablePrivateEndpointResponse,
  GetPrivateEndpointResponse,
  ListPrivateEndpointsResponse,
  PrivateEndpointPath,
  UpdatePrivateEndpointRequest,
  UpdatePrivateEndpointResponse,
  ValidatePrivateEndpointRequest,
  ValidatePrivateEndpointResponse,
} from '../dto/private-endpoint.dto.js';
import {
  PrivateEndpointActive,
  PrivateEndpointCheckFailed,
  PrivateEndpointCheckFailedPublicly,
  PrivateEndpointNotFound,
  PrivateEndpointNotValidated,
  PrivateEndpointStatusConflict,
  PrivateEndpointValidationStale,
  PrivateEndpointWithoutPrices,
  TooManyEndpointValidations,
} from '../private-models.errors.js';
import { EndpointStatusService } from './endpoint-status.service.js';
import { PrivateEndpointsService } from './private-endpoints.service.js';

/** What an activation fails with. */
const ACTIVATION_ERRORS = [
  PrivateEndpointNotFound,
  PrivateEndpointValidationStale,
  PrivateEndpointNotValidated,
  PrivateEndpointCheckFailed,
  PrivateEndpointCheckFailedPublicly,
  PrivateEndpointWithoutPrices,
  PrivateEndpointStatusConflict,
  TooManyEndpointValidations,
  TooManyHostLookups,
];

/** The operations on the organization's own endpoints. */
@Controller('private-endpoints')
@ManagedByFiles('private_endpoints')
@ApiTags('Private models')
@Authenticated(['management_key'], 'catalog')
export class PrivateEndpointsController {
  constructor(
    private readonly endpoints: PrivateEndpointsService,
    private readonly status: EndpointStatusService,
  ) {}

  @Post()
  @HoldsSlotsInParts()
  @Operation({
    status: 201,
    type: CreatePrivateEndpointResponse,
    hasEntityTag: true,
    summary: 'Create a private endpoint',
    description:
      "Registers a deployment of a model of the catalog at one of the organization's own providers, as a draft; with `activate` it is validated and activated at once. If a check fails it stays a draft, and the 409 (422 with API_DIALECT=public) has it beside the checks.",
    errors: [
      PrivateEndpointCheckFailed,
      PrivateEndpointCheckFailedPublicly,
      KeysOfOtherAddress,
      PrivateEndpointValidationStale,
      TooManyEndpointValidations,
      TooManyHostLookups,
    ],
  })
  createPrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreatePrivateEndpointRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.status.create(caller, input, gone);
  }

  @Get()
  @Operation({
    type: ListPrivateEndpointsResponse,
    summary: 'List private endpoints',
    description: "Lists the organization's own endpoints, oldest first.",
  })
  listPrivateEndpoints(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.endpoints.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetPrivateEndpointResponse,
    hasEntityTag: true,
    summary: 'Get a private endpoint',
    description: "Returns one of the organization's own endpoints with its settings.",
    errors: [PrivateEndpointNotFound],
  })
  getPrivateEndpoint(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: PrivateEndpointPath) {
    return this.endpoints.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdatePrivateEndpointResponse,
    hasEntityTag: true,
    summary: 'Update a private endpoint',
    description:
      'Changes the fields in the request; absent ones stay. Address and name of the model of an active endpoint stay; another one has to be validated again.',
    errors: [
      PrivateEndpointNotFound,
      PrivateEndpointActive,
      PrivateEndpointWithoutPrices,
      KeysOfOtherAddress,
      TooManyHostLookups,
    ],
  })
  updatePrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PrivateEndpointPath,
    @Body() body: UpdatePrivateEndpointRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.endpoints.update(caller, { ...body, ...path }, gone, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeletePrivateEndpointResponse,
    hasEntityTag: true,
    summary: 'Delete a private endpoint',
    description: 'Deletes an endpoint, also an active one. Requests that begin from then on do not get there.',
    errors: [PrivateEndpointNotFound, PrivateEndpointStatusConflict],
  })
  deletePrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PrivateEndpointPath,
    @Query() query: DeletePrivateEndpointQuery,
    @IfMatch() precondition: Precondition,
  ) {
    return this.endpoints.delete(caller, { ...query, ...path }, precondition);
  }

  @Post(':id/validate')
  @HoldsSlotsInParts()
  @Operation({
    type: ValidatePrivateEndpointResponse,
    summary: 'Validate a private endpoint',
    description:
      'Asks the endpoint for a short answer, whole and streamed, with a provider key of a workspace. What fails is in the answer, with its reason.',
    errors: [PrivateEndpointNotFound, TooManyEndpointValidations, TooManyHostLookups],
  })
  validatePrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PrivateEndpointPath,
    @Body() body: ValidatePrivateEndpointRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.status.validate(caller, { ...body, ...path }, gone);
  }

  @Post(':id/activate')
  @HoldsSlotsInParts()
  @Operation({
    type: ActivatePrivateEndpointResponse,
    summary: 'Activate a private endpoint',
    description:
      'Activates a draft whose last validation has passed, after it has passed once more. From the answer on it gets requests.',
    errors: ACTIVATION_ERRORS,
  })
  activatePrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: PrivateEndpointPath,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.status.activate(caller, input, gone);
  }

  @Post(':id/disable')
  @Operation({
    type: DisablePrivateEndpointResponse,
    summary: 'Disable a private endpoint',
    description: 'Ends the use of an active endpoint. Requests that begin from then on do not get there.',
    errors: [PrivateEndpointNotFound, PrivateEndpointStatusConflict],
  })
  disablePrivateEndpoint(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: PrivateEndpointPath) {
    return this.status.disable(caller, input);
  }

  @Post(':id/enable')
  @HoldsSlotsInParts()
  @Operation({
    type: EnablePrivateEndpointResponse,
    summary: 'Enable a private endpoint',
    description: 'Activates an endpoint that was disabled, under the conditions of an activation.',
    errors: ACTIVATION_ERRORS,
  })
  enablePrivateEndpoint(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: PrivateEndpointPath,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.status.enable(caller, input, gone);
  }
}
