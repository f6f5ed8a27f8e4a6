import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import type { Representation } from '../../api/conditional-requests/representation.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ListModelsResponse, ModelsPageQuery } from './dto/list-models.dto.js';

/** The embedding models of the catalog. */
@Controller('embeddings/models')
@ApiTags('Embeddings')
export class EmbeddingModelsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListModelsResponse,
    summary: 'List embedding models',
    description: 'Lists the models that create embeddings, oldest first.',
  })
  listEmbeddingsModels(@Query() query: ModelsPageQuery): Promise<Representation> {
    return this.catalog.listEmbeddingModels(query);
  }
}
