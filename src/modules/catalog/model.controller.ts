import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { CatalogService } from './catalog.service.js';
import { ModelResponse } from './dto/model.dto.js';
import { ModelPath } from './dto/model-path.dto.js';

/** Single models of the catalog. */
@Controller('model')
@ApiTags('Models')
export class ModelController {
  constructor(private readonly catalog: CatalogService) {}

  @Get(':author/:slug')
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ModelResponse,
    summary: 'Get a model',
    description:
      'By author and slug, in any case. Aliases and canonical slugs are resolved, and a variant without facts of its own is answered with its base model.',
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'model_not_found' },
  })
  getModel(@Input({ path: ModelPath }) input: ModelPath): Promise<ModelResponse> {
    return this.catalog.getModel(input);
  }
}
