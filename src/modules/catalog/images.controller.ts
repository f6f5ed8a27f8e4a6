import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListImageModelsResponse } from './dto/image-model.dto.js';

/** The list of image models. */
@Controller('images')
@ApiTags('Images')
export class ImagesController {
  constructor(private readonly catalog: CatalogService) {}

  @Get('models')
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListImageModelsResponse,
    summary: 'List image generation models',
    description: "Every image model, oldest first, with the superset of its endpoints' parameters.",
    errors: [400, 403],
  })
  listImageModels(@Input({}) _nothing: object): Promise<ListImageModelsResponse> {
    return this.catalog.listImageModels();
  }
}
