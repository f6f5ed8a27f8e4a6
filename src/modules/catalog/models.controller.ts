import { Controller, Get, Query, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import type { Representation } from '../../api/conditional-requests/representation.js';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import { CatalogService } from './catalog.service.js';
import { CountModelsQuery, ListModelsQuery, ListModelsResponse, ModelsCountResponse } from './dto/list-models.dto.js';
import { ModelResponse } from './dto/model.dto.js';
import { ModelPath } from './dto/model-endpoint.dto.js';
import { ModelNotFound } from './catalog.errors.js';

/** Lists of models. */
@Controller('models')
@ApiTags('Models')
export class ModelsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ListModelsResponse,
    alternative: 'application/rss+xml',
    summary: 'List models',
    description: 'Lists the models that match all parameters, oldest first unless `sort` says otherwise.',
  })
  getModels(@Query() query: ListModelsQuery): Promise<Representation> {
    return this.catalog.getModels(query);
  }

  @Get('count')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ModelsCountResponse,
    summary: 'Count models',
    description: 'Counts the models in the list of models for the given output modalities.',
  })
  listModelsCount(@Query() query: CountModelsQuery): Promise<ModelsCountResponse> {
    return this.catalog.countModels(query);
  }
}

/** Single models of the catalog. */
@Controller('model')
@ApiTags('Models')
export class ModelController {
  constructor(private readonly catalog: CatalogService) {}

  @Get(':author/:slug')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ModelResponse,
    summary: 'Get a model',
    description:
      'Finds a model by author and slug, ignoring case. Aliases and canonical slugs are resolved. A variant without an entry of its own returns its base model.',
    unavailableStatus: 500,
    errors: [ModelNotFound],
  })
  getModel(@Param() input: ModelPath): Promise<ModelResponse> {
    return this.catalog.getModel(input);
  }
}
