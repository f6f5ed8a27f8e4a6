import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { DestinationPath } from './dto/destination-path.dto.js';
import { GetObservabilityDestinationResponse } from './dto/destination.dto.js';
import { ObservabilityService } from './observability.service.js';

/** The operations on observability destinations. */
@Controller('observability/destinations')
@ApiTags('Observability')
export class ObservabilityController {
  constructor(private readonly observability: ObservabilityService) {}

  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetObservabilityDestinationResponse,
    summary: 'Get an observability destination',
    description: 'Credentials in the configuration are masked.',
    errors: [400, 403, 404],
    reasons: { 404: 'destination_not_found' },
  })
  getObservabilityDestination(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: DestinationPath }) input: DestinationPath,
  ): Promise<GetObservabilityDestinationResponse> {
    return this.observability.get(caller, input);
  }
}
