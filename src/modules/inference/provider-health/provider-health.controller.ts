import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { GetProvidersHealthResponse } from './dto/provider-health.dto.js';
import { ProviderHealthService } from './provider-health.service.js';

/** The health of providers. It belongs to this module because the gateway itself is asked. */
@Controller('providers/health')
@ApiTags('Providers')
export class ProviderHealthController {
  constructor(private readonly health: ProviderHealthService) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @Operation({
    type: GetProvidersHealthResponse,
    summary: 'Get the health of providers',
    description:
      'Shows how well the providers that the organization can use have answered lately, which decides about the order in which endpoints are tried. It is what the process that answers sees.',
  })
  getProvidersHealth(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.health.get(caller);
  }
}
