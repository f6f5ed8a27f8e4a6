import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import type { Representation } from '../../api/conditional-requests/representation.js';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ImageModelEndpointsResponse, ListImageModelsResponse } from './dto/image-model.dto.js';
import { ModelPath } from './dto/model-endpoint.dto.js';
import { ModelNotFound } from './catalog.errors.js';

/** Image models and their endpoints. */
@Controller('images')
@ApiTags('Images')
export class ImagesController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('models')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListImageModelsResponse,
    summary: 'List image generation models',
    description: "Lists all image models, oldest first, each with the union of its endpoints' parameters.",
    unavailableStatus: 500,
  })
  listImageModels(): Promise<Representation> {
    return this.catalog.listImageModels();
  }

  @Get('models/:author/:slug/endpoints')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ImageModelEndpointsResponse,
    summary: 'List the endpoints of an image model',
    description:
      'Lists the endpoints that serve an image model, with their parameters. Names are resolved as in getModel.',
    errors: [ModelNotFound],
  })
  listImageModelEndpoints(@Param() input: ModelPath): Promise<ImageModelEndpointsResponse> {
    return this.catalog.listImageModelEndpoints(input);
  }
}
