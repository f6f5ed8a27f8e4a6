import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import type { Rendition } from '../../http/revalidation/rendition.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListProvidersResponse } from './dto/provider.dto.js';

/** The list of providers. */
@Controller('providers')
@ApiTags('Providers')
export class ProvidersController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListProvidersResponse,
    summary: 'List providers',
    description: 'Every company that serves models, by name.',
    errors: [400, 403],
  })
  listProviders(@Input({}) _nothing: object): Promise<Rendition> {
    return this.catalog.listProviders();
  }
}
