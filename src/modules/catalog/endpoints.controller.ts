import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import type { Rendition } from '../../http/revalidation/rendition.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListEndpointsResponse, ListEndpointsZdrResponse } from './dto/model-endpoint.dto.js';
import { ModelPath } from './dto/model-path.dto.js';

/** Who offers models. */
@Controller()
@ApiTags('Endpoints')
export class EndpointsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('endpoints/zdr')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListEndpointsZdrResponse,
    summary: 'List the endpoints that retain nothing',
    description: 'Those of every model that are known to keep nothing of a request (zero data retention).',
    errors: [400, 403],
  })
  listEndpointsZdr(@Input({}) _nothing: object): Promise<Rendition> {
    return this.catalog.listZdrEndpoints();
  }

  @Get('models/:author/:slug/endpoints')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListEndpointsResponse,
    summary: 'List the endpoints of a model',
    description: 'Who offers it and how; the model is found as by getModel.',
    errors: [400, 403, 404],
    reasons: { 404: 'model_not_found' },
  })
  listEndpoints(@Input({ path: ModelPath }) input: ModelPath): Promise<ListEndpointsResponse> {
    return this.catalog.listEndpoints(input);
  }
}
