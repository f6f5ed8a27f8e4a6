import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { HoldsSlotsInParts } from '../../http/request-limits/request-slots.js';
import {
  GetObservabilityDestinationDeliveriesResponse,
  TestNewObservabilityDestinationRequest,
  TestObservabilityDestinationResponse,
} from './dto/deliveries.dto.js';
import { DestinationPath } from './dto/destination.dto.js';
import { DestinationNotFound, TooManyDestinationTests, TooManyHostLookups } from './observability.errors.js';
import { ObservabilityService } from './observability.service.js';

const TESTED =
  'One generation that is marked as a test is sent, and the answer says what came back: also an error of the receiver is a success of this operation.';

/** The operations on the deliveries of observability destinations. */
@Controller('observability/destinations')
@ApiTags('Observability')
@Authenticated(['management_key'], 'destinations')
export class DeliveriesController {
  constructor(private readonly observability: ObservabilityService) {}

  @Get(':id/deliveries')
  @Operation({
    type: GetObservabilityDestinationDeliveriesResponse,
    summary: 'Show the deliveries of an observability destination',
    description: 'Returns how deliveries to a destination go: its state, what waits, and the last failure.',
    errors: [DestinationNotFound],
  })
  getObservabilityDestinationDeliveries(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: DestinationPath,
  ): Promise<GetObservabilityDestinationDeliveriesResponse> {
    return this.observability.deliveries(caller, input);
  }

  @Post('test')
  @HoldsSlotsInParts()
  @Operation({
    type: TestObservabilityDestinationResponse,
    isSafe: true,
    summary: 'Test the configuration of an observability destination',
    description: `Tries a configuration that is not stored. ${TESTED}`,
    errors: [TooManyDestinationTests, TooManyHostLookups],
  })
  testNewObservabilityDestination(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() { type, config }: TestNewObservabilityDestinationRequest,
    @ClientSignal() gone: AbortSignal,
  ): Promise<TestObservabilityDestinationResponse> {
    return this.observability.testNew(caller, type, config, gone);
  }

  @Post(':id/test')
  @HoldsSlotsInParts()
  @Operation({
    type: TestObservabilityDestinationResponse,
    isSafe: true,
    summary: 'Test an observability destination',
    description: `Tries a stored destination, also one that is disabled or paused. ${TESTED}`,
    errors: [DestinationNotFound, TooManyDestinationTests],
  })
  testObservabilityDestination(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: DestinationPath,
    @ClientSignal() gone: AbortSignal,
  ): Promise<TestObservabilityDestinationResponse> {
    return this.observability.test(caller, input, gone);
  }
}
