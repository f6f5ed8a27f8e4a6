import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import type { Representation } from '../../api/conditional-requests/representation.js';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListProvidersResponse } from './dto/provider.dto.js';

/** The list of providers. */
@Controller('providers')
@ApiTags('Providers')
export class ProvidersController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListProvidersResponse,
    summary: 'List providers',
    description: 'Lists all companies that serve models, sorted by name.',
  })
  listProviders(): Promise<Representation> {
    return this.catalog.listProviders();
  }
}
