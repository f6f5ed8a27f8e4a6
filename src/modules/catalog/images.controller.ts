import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import type { Rendition } from '../../http/revalidation/rendition.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ImageModelEndpointsResponse } from './dto/image-endpoint.dto.js';
import { ListImageModelsResponse } from './dto/image-model.dto.js';
import { ModelPath } from './dto/model-path.dto.js';

/** Image models, and who offers each. */
@Controller('images')
@ApiTags('Images')
export class ImagesController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('models')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListImageModelsResponse,
    summary: 'List image generation models',
    description: "Every image model, oldest first, with the superset of its endpoints' parameters.",
    unavailableStatus: 500,
    errors: [400, 403],
  })
  listImageModels(@Input({}) _nothing: object): Promise<Rendition> {
    return this.catalog.listImageModels();
  }

  @Get('models/:author/:slug/endpoints')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ImageModelEndpointsResponse,
    summary: 'List the endpoints of an image model',
    description: 'Who offers it and what each can do; the model is found as by getModel.',
    errors: [400, 403, 404],
    reasons: { 404: 'model_not_found' },
  })
  listImageModelEndpoints(@Input({ path: ModelPath }) input: ModelPath): Promise<ImageModelEndpointsResponse> {
    return this.catalog.listImageModelEndpoints(input);
  }
}
