import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import type { Rendition } from '../../http/revalidation/rendition.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { CatalogService } from './catalog.service.js';
import {
  CountModelsQuery,
  ListModelsQuery,
  ListModelsResponse,
  ModelsCountResponse,
} from './dto/list-models.dto.js';

/** Lists of models. */
@Controller('models')
@ApiTags('Models')
export class ModelsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListModelsResponse,
    alternative: 'application/rss+xml',
    summary: 'List models',
    description: 'Those that every parameter lets pass, oldest first unless sorted otherwise.',
    errors: [400, 403],
  })
  getModels(@Input({ query: ListModelsQuery }) query: ListModelsQuery): Promise<Rendition> {
    return this.catalog.getModels(query);
  }

  @Get('count')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ModelsCountResponse,
    summary: 'Count models',
    description: 'As many as the list of models has for the same modalities.',
    errors: [400, 403],
  })
  listModelsCount(@Input({ query: CountModelsQuery }) query: CountModelsQuery): Promise<ModelsCountResponse> {
    return this.catalog.countModels(query);
  }
}
