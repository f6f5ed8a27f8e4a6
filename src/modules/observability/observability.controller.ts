import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { DestinationPath } from './dto/destination-path.dto.js';
import {
  CreateObservabilityDestinationRequest,
  UpdateObservabilityDestinationRequest,
} from './dto/destination-request.dto.js';
import {
  CreateObservabilityDestinationResponse,
  DeleteObservabilityDestinationResponse,
  GetObservabilityDestinationResponse,
  ListObservabilityDestinationsResponse,
  UpdateObservabilityDestinationResponse,
} from './dto/destination.dto.js';
import { ListDestinationsQuery } from './dto/list-destinations-query.dto.js';
import { ObservabilityService } from './observability.service.js';

/** The operations on observability destinations. */
@Controller('observability/destinations')
@ApiTags('Observability')
export class ObservabilityController {
  constructor(private readonly observability: ObservabilityService) {}

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: CreateObservabilityDestinationResponse,
    summary: 'Create an observability destination',
    description:
      'At most five of a type in a workspace. Addresses must be https URLs that do not lead into a private network. Credentials are told once, here: every answer masks them.',
    errors: [400, 403, 409, 413, 429],
    reasons: { 409: 'too_many_destinations', 429: 'too_many_host_lookups' },
  })
  createObservabilityDestination(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateObservabilityDestinationRequest }) input: CreateObservabilityDestinationRequest,
    @ClientSignal() gone: AbortSignal,
  ): Promise<CreateObservabilityDestinationResponse> {
    return this.observability.create(caller, input, gone);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListObservabilityDestinationsResponse,
    summary: 'List observability destinations',
    description: 'Oldest first, of the default workspace unless another one is asked for. Credentials are masked.',
    errors: [400, 403],
  })
  listObservabilityDestinations(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: ListDestinationsQuery }) input: ListDestinationsQuery,
  ): Promise<ListObservabilityDestinationsResponse> {
    return this.observability.list(caller, input);
  }

  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetObservabilityDestinationResponse,
    summary: 'Get an observability destination',
    description: 'Credentials in the configuration are masked.',
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'destination_not_found' },
  })
  getObservabilityDestination(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: DestinationPath }) input: DestinationPath,
  ): Promise<GetObservabilityDestinationResponse> {
    return this.observability.get(caller, input);
  }

  @Patch(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: UpdateObservabilityDestinationResponse,
    summary: 'Update an observability destination',
    description:
      'What is left out stays as it is, settings of the configuration as well. A credential that is sent back masked, as it was answered, stays as it is. A change that sends the data to another host needs the credentials again.',
    errors: [400, 403, 404, 413, 429],
    reasons: {
      400: 'credentials_required_for_new_origin',
      404: 'destination_not_found',
      429: 'too_many_host_lookups',
    },
  })
  updateObservabilityDestination(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: DestinationPath, body: UpdateObservabilityDestinationRequest })
    input: DestinationPath & UpdateObservabilityDestinationRequest,
    @ClientSignal() gone: AbortSignal,
  ): Promise<UpdateObservabilityDestinationResponse> {
    return this.observability.update(caller, input, gone);
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteObservabilityDestinationResponse,
    summary: 'Delete an observability destination',
    description: 'Its credentials are deleted with it.',
    errors: [400, 403, 404],
    reasons: { 404: 'destination_not_found' },
  })
  deleteObservabilityDestination(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: DestinationPath }) input: DestinationPath,
  ): Promise<DeleteObservabilityDestinationResponse> {
    return this.observability.delete(caller, input);
  }
}
