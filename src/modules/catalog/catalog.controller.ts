import { applyDecorators, Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConditionalGet, type Representation } from '../../http/conditional-requests.js';
import { Operation, type OperationDecorator, type OperationOptions } from '../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../http/request.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { ModelNotFound } from './catalog.errors.js';
import { CatalogService } from './catalog.service.js';
import { ImageModelEndpointsResponse, ListImageModelsResponse } from './dto/image-model.dto.js';
import {
  CountModelsQuery,
  ListModelsQuery,
  ListModelsResponse,
  ModelsCountResponse,
  ModelsPageQuery,
} from './dto/list-models.dto.js';
import { ModelNamePath, ModelObject, ModelResponse } from './dto/model.dto.js';
import { ListEndpointsResponse, ListEndpointsZdrResponse, ModelPath } from './dto/model-endpoint.dto.js';
import { ListProvidersResponse } from './dto/provider.dto.js';
import type { ModelReader } from './list/model-list-filters.js';
import { asksForMessagesForm, HasMessagesForm } from './messages-form.js';
import { MessagesModel, MessagesModelsPage } from './dto/messages-model.dto.js';

/**
 * Declares an operation that reads the catalog: every key may call it, and its response has an ETag.
 *
 * @param path the path below that of the controller
 * @param tag the section of the document
 */
function Read<Answer extends object>(
  path: string,
  tag: string,
  operation: OperationOptions<Answer>,
): OperationDecorator<Answer> {
  return applyDecorators(
    Operation({ ...operation, isSafe: true }) as MethodDecorator,
    Authenticated(['management_key', 'api_key'], 'none'),
    ConditionalGet(),
    ApiTags(tag),
    Get(path),
  );
}

/** The operations on models, their endpoints and their providers. */
@Controller()
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Read('models', 'Models', {
    type: ListModelsResponse,
    otherForm: MessagesModelsPage,
    alternative: 'application/rss+xml',
    summary: 'List models',
    description: 'Lists the models that match all parameters, oldest first unless `sort` says otherwise.',
  })
  @HasMessagesForm()
  getModels(
    @CurrentPrincipal() caller: ModelReader,
    @Query() query: ListModelsQuery,
    @Req() request: GatehouseRequest,
  ) {
    return asksForMessagesForm(request)
      ? this.catalog.getMessagesModels(caller, query)
      : this.catalog.getModels(caller, query);
  }

  @Read('models/count', 'Models', {
    type: ModelsCountResponse,
    summary: 'Count models',
    description: 'Counts the models in the list of models for the given output modalities.',
  })
  listModelsCount(@Query() query: CountModelsQuery) {
    return this.catalog.countModels(query);
  }

  @Read('model/:author/:slug', 'Models', {
    type: ModelResponse,
    summary: 'Get a model',
    description:
      'Finds a model by author and slug, ignoring case. Aliases and canonical slugs are resolved. A variant without an entry of its own returns its base model.',
    unavailableStatus: 500,
    errors: [ModelNotFound],
  })
  getModel(@Param() input: ModelPath) {
    return this.catalog.getModel(input);
  }

  @Read('embeddings/models', 'Embeddings', {
    type: ListModelsResponse,
    summary: 'List embedding models',
    description: 'Lists the models that create embeddings, oldest first.',
  })
  listEmbeddingsModels(@Query() query: ModelsPageQuery) {
    return this.catalog.listEmbeddingModels(query);
  }

  @Read('endpoints/zdr', 'Endpoints', {
    type: ListEndpointsZdrResponse,
    summary: 'List the endpoints with zero data retention',
    description: 'Lists the endpoints of all models that are known to retain nothing of a request.',
  })
  listEndpointsZdr() {
    return this.catalog.listZdrEndpoints();
  }

  @Read('models/:author/:slug/endpoints', 'Endpoints', {
    type: ListEndpointsResponse,
    summary: 'List the endpoints of a model',
    description: 'Lists the endpoints that serve a model. Names are resolved as in getModel.',
    errors: [ModelNotFound],
  })
  listEndpoints(@Param() input: ModelPath) {
    return this.catalog.listEndpoints(input);
  }

  @Read('images/models', 'Images', {
    type: ListImageModelsResponse,
    summary: 'List image generation models',
    description: "Lists all image models, oldest first, each with the union of its endpoints' parameters.",
    unavailableStatus: 500,
  })
  listImageModels() {
    return this.catalog.listImageModels();
  }

  @Read('images/models/:author/:slug/endpoints', 'Images', {
    type: ImageModelEndpointsResponse,
    summary: 'List the endpoints of an image model',
    description:
      'Lists the endpoints that serve an image model, with their parameters. Names are resolved as in getModel.',
    errors: [ModelNotFound],
  })
  listImageModelEndpoints(@Param() input: ModelPath) {
    return this.catalog.listImageModelEndpoints(input);
  }

  @Read('providers', 'Providers', {
    type: ListProvidersResponse,
    summary: 'List providers',
    description: 'Lists all companies that serve models, sorted by name.',
  })
  listProviders() {
    return this.catalog.listProviders();
  }
}

/** Single models in the form that OpenAI's clients read (docs/interface/catalog.md#a-model). */
@Controller('models')
export class ModelObjectsController {
  constructor(private readonly catalog: CatalogService) {}

  @Read(':model', 'Models', {
    type: ModelObject,
    otherForm: MessagesModel,
    summary: "Get a model in OpenAI's form",
    description: 'Finds a model as getModel does, by a percent-encoded name or by its slug alone.',
    errors: [ModelNotFound],
  })
  @HasMessagesForm()
  retrieveModel(@Param() { model }: ModelNamePath, @Req() request: GatehouseRequest) {
    return this.retrieve(model, request);
  }

  @Read(':author/:slug', 'Models', {
    type: ModelObject,
    otherForm: MessagesModel,
    summary: "Get a model of an author in OpenAI's form",
    description: 'Finds a model as getModel does, for clients that do not encode the slash of its name.',
    errors: [ModelNotFound],
  })
  @HasMessagesForm()
  retrieveModelOfAuthor(@Param() { author, slug }: ModelPath, @Req() request: GatehouseRequest) {
    return this.retrieve(`${author}/${slug}`, request);
  }

  private retrieve(name: string, request: GatehouseRequest): Promise<ModelObject | Representation> {
    return asksForMessagesForm(request) ? this.catalog.retrieveMessagesModel(name) : this.catalog.retrieveModel(name);
  }
}
