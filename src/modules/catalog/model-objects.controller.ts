import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConditionalGet } from '../../api/conditional-requests/conditional-get.decorator.js';
import { Operation } from '../../api/openapi/operation.decorator.js';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { ModelNotFound } from './catalog.errors.js';
import { CatalogService } from './catalog.service.js';
import { ModelPath } from './dto/model-endpoint.dto.js';
import { ModelNamePath, ModelObject } from './dto/model-object.dto.js';

/** Single models in the form that OpenAI's clients read (docs/interface/catalog.md#a-model). */
@Controller('models')
@ApiTags('Models')
export class ModelObjectsController {
  constructor(private readonly catalog: CatalogService) {}

  @Get(':model')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ModelObject,
    summary: "Get a model in OpenAI's form",
    description: 'Finds a model as getModel does, by a percent-encoded name or by its slug alone.',
    errors: [ModelNotFound],
  })
  retrieveModel(@Param() { model }: ModelNamePath): Promise<ModelObject> {
    return this.catalog.retrieveModel(model);
  }

  @Get(':author/:slug')
  @ConditionalGet()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: ModelObject,
    summary: "Get a model of an author in OpenAI's form",
    description: 'Finds a model as getModel does, for clients that do not encode the slash of its name.',
    errors: [ModelNotFound],
  })
  retrieveModelOfAuthor(@Param() { author, slug }: ModelPath): Promise<ModelObject> {
    return this.catalog.retrieveModel(`${author}/${slug}`);
  }
}
