import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import type { Representation } from '../../api/conditional-requests/representation.js';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListEndpointsResponse, ListEndpointsZdrResponse, ModelPath } from './dto/model-endpoint.dto.js';
import { ModelNotFound } from './catalog.errors.js';

/** The endpoints of models. */
@Controller()
@ApiTags('Endpoints')
export class EndpointsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('endpoints/zdr')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListEndpointsZdrResponse,
    summary: 'List the endpoints with zero data retention',
    description: 'Lists the endpoints of all models that are known to retain nothing of a request.',
  })
  listEndpointsZdr(): Promise<Representation> {
    return this.catalog.listZdrEndpoints();
  }

  @Get('models/:author/:slug/endpoints')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListEndpointsResponse,
    summary: 'List the endpoints of a model',
    description: 'Lists the endpoints that serve a model. Names are resolved as in getModel.',
    errors: [ModelNotFound],
  })
  listEndpoints(@Param() input: ModelPath): Promise<ListEndpointsResponse> {
    return this.catalog.listEndpoints(input);
  }
}
