import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ClientSignal } from '../../../http/client-signal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import {
  PrivateEndpointPath,
  UpdatePrivateEndpointPricingRequest,
  UpdatePrivateEndpointResponse,
} from '../dto/private-endpoint.dto.js';
import { PrivateEndpointNotFound } from '../private-models.errors.js';
import { PrivateEndpointsService } from './private-endpoints.service.js';

/** The operation on the prices of an endpoint, which only the public dialect has (docs/interface/conventions.md#dialects). */
@Controller('private-endpoints')
@ManagedByFiles('private_endpoints')
@ApiTags('Private models')
@Authenticated(['management_key'], 'catalog')
export class EndpointPricingController {
  constructor(private readonly endpoints: PrivateEndpointsService) {}

  @Put(':id/pricing')
  @Operation({
    type: UpdatePrivateEndpointResponse,
    hasEntityTag: true,
    summary: 'Set the prices of a private endpoint',
    description: 'Sets what a token costs, also of an active endpoint, as updatePrivateEndpoint does.',
    errors: [PrivateEndpointNotFound],
  })
  updatePrivateEndpointPricing(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PrivateEndpointPath,
    @Body() body: UpdatePrivateEndpointPricingRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.endpoints.update(caller, { ...body, ...path }, gone, precondition);
  }
}
