import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { Representation } from '../../http/conditional-requests.js';
import { ModelNotFound } from './catalog.errors.js';
import {
  toImageEndpointsResponse,
  toImageModelsResponse,
  toMessagesModel,
  toModelEndpointResponse,
  toModelEndpointsResponse,
  toModelObject,
  toModelResponse,
  toProviderResponse,
} from './catalog.mapper.js';
import { type CatalogModel, namedModel, toEndpointOffer } from './catalog-model.js';
import { CatalogRepository } from './catalog.repository.js';
import { CurrentCatalog, RepresentationCache } from './current-catalog.js';
import type { ImageModelEndpointsResponse, ListImageModelsResponse } from './dto/image-model.dto.js';
import {
  type CountModelsQuery,
  type ListModelsQuery,
  ListModelsResponse,
  type ModelsCountResponse,
  type ModelsPageQuery,
  UserModelsQuery,
} from './dto/list-models.dto.js';
import type { ListEndpointsResponse, ListEndpointsZdrResponse, ModelPath } from './dto/model-endpoint.dto.js';
import type { ModelObject, ModelResponse } from './dto/model.dto.js';
import type { ListProvidersResponse } from './dto/provider.dto.js';
import type { ModelOffer } from './model-offer.js';
import { givesAnyOf, modelFilter } from './list/model-filter.js';
import { sortedModels } from './list/model-order.js';
import { toMessagesModelsPage } from './list/messages-models-page.js';
import { FEED_TYPE, modelsFeed } from './list/models-feed.js';
import { ModelListFilters, type ModelReader } from './list/model-list-filters.js';
import { toModelsPage } from './list/models-page.js';
import { PrivateCatalog } from './private/private-catalog.js';

// For modules that return lists of models.
export { ListModelsResponse, UserModelsQuery };
export type { ModelOffer };

/** Lists models, providers and endpoints of the catalog, as the interface shows them. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly repository: CatalogRepository,
    private readonly current: CurrentCatalog,
    private readonly representations: RepresentationCache,
    private readonly environment: Environment,
    private readonly privateCatalog: PrivateCatalog,
    private readonly filters: ModelListFilters,
  ) {}

  /**
   * One model, by its id, canonical slug or an alias of it, in any case (docs/interface/catalog.md#names-of-models). A
   * variant without its own entry returns its base model.
   *
   * @throws ModelNotFound
   */
  async getModel(input: ModelPath): Promise<ModelResponse> {
    const { row } = await this.find(nameOf(input));
    return { data: toModelResponse(row, this.environment.apiBasePath) };
  }

  /**
   * One model in the form that OpenAI's clients read; its name may lack the author.
   *
   * @throws ModelNotFound
   */
  async retrieveModel(name: string): Promise<ModelObject> {
    return toModelObject(await this.find(name), this.environment.apiBasePath);
  }

  /**
   * One model in the Messages form; its name may lack the author.
   *
   * @throws ModelNotFound
   */
  async retrieveMessagesModel(name: string): Promise<Representation> {
    return Representation.ofJson(toMessagesModel((await this.find(name)).row));
  }

  /** Every image model, with the union of what its endpoints can do (docs/interface/catalog.md#image-models). */
  async listImageModels(): Promise<Representation> {
    const catalog = await this.current.get();
    const { apiBasePath } = this.environment;
    return this.representations.get(catalog, 'image models', () =>
      Representation.ofJson({
        data: toImageModelsResponse(catalog.imageModels, apiBasePath),
      } satisfies ListImageModelsResponse),
    );
  }

  /** Every current model, oldest first, with the facts that policies use, and with the organization's own endpoints. */
  async offers(organizationId: string): Promise<ModelOffer[]> {
    const [{ models }, own] = await Promise.all([this.current.get(), this.privateCatalog.current(organizationId)]);
    return models.map((model) => toOffer(own.extended(model)));
  }

  /**
   * Returns a page of the models that match a query, or an RSS feed of that page; oldest first by default.
   *
   * @throws BadRequestError for the place of a page of the Messages form
   */
  async getModels(caller: ModelReader, query: ListModelsQuery): Promise<Representation> {
    requireNoIssues(
      (['after_id', 'before_id'] as const).flatMap((path) =>
        query[path] === undefined ? [] : [{ path, message: 'is for requests with the header anthropic-version' }],
      ),
    );
    return this.rendered(caller, 'models', query, (models) => this.renderModels(models, query));
  }

  /** Returns a page of the same models in the Messages form, newest first by default. @throws BadRequestError for an unknown place */
  async getMessagesModels(caller: ModelReader, query: ListModelsQuery): Promise<Representation> {
    return this.rendered(caller, 'models in the Messages form', query, (listed) => {
      const models = listed.filter(modelFilter(query, Date.now() / 1000));
      return Representation.ofJson(toMessagesModelsPage(sortedModels(models, query.sort ?? 'newest'), query));
    });
  }

  /** A page of the models that create embeddings, oldest first (docs/interface/catalog.md#embedding-models). */
  async listEmbeddingModels({ offset, limit }: ModelsPageQuery): Promise<Representation> {
    const catalog = await this.current.get();
    return this.representations.get(catalog, `embedding models ${offset} ${limit}`, () => {
      const models = catalog.listedModels.filter(givesAnyOf('embeddings'));
      const location = { apiBasePath: this.environment.apiBasePath, path: '/embeddings/models', query: {} };
      return Representation.ofJson(toModelsPage(models, { offset, limit }, location));
    });
  }

  async countModels(query: CountModelsQuery): Promise<ModelsCountResponse> {
    const { listedModels } = await this.current.get();
    return { data: { count: listedModels.filter(givesAnyOf(query.output_modalities)).length } };
  }

  /**
   * Lists the endpoints of a model.
   *
   * @throws ModelNotFound
   */
  async listEndpoints(input: ModelPath): Promise<ListEndpointsResponse> {
    return { data: toModelEndpointsResponse(await this.find(nameOf(input))) };
  }

  /** Every endpoint of a current model that retains nothing of a request. */
  async listZdrEndpoints(): Promise<Representation> {
    const catalog = await this.current.get();
    return this.representations.get(catalog, 'endpoints that retain nothing', () =>
      Representation.ofJson({
        data: catalog.models.flatMap((model) =>
          model.endpoints.filter(({ row }) => row.isZdr).map((endpoint) => toModelEndpointResponse(model, endpoint)),
        ),
      } satisfies ListEndpointsZdrResponse),
    );
  }

  /** Every provider, by name. */
  async listProviders(): Promise<Representation> {
    const catalog = await this.current.get();
    return this.representations.get(catalog, 'providers', () =>
      Representation.ofJson({ data: catalog.providers.map(toProviderResponse) } satisfies ListProvidersResponse),
    );
  }

  /**
   * Lists the endpoints of an image model.
   *
   * @throws ModelNotFound also for a model without image output
   */
  async listImageModelEndpoints(input: ModelPath): Promise<ImageModelEndpointsResponse> {
    const { id, inImageModelList } = (await this.find(nameOf(input))).row;
    const endpoints = inImageModelList ? await this.repository.imageEndpoints(id) : [];
    if (endpoints.length === 0) throw new ModelNotFound();
    return toImageEndpointsResponse(id, endpoints);
  }

  /**
   * Returns a page of the models that pass and have one of the requested output modalities, oldest first.
   *
   * @param organizationId whose own endpoints count, too
   * @param passes an additional filter
   * @param path the path of the list, for the link to the next page
   */
  async listOffered(
    organizationId: string,
    passes: (offer: ModelOffer) => boolean,
    { offset, limit, ...query }: UserModelsQuery,
    path: string,
  ): Promise<ListModelsResponse> {
    const [{ listedModels }, own] = await Promise.all([
      this.current.get(),
      this.privateCatalog.current(organizationId),
    ]);
    const { apiBasePath } = this.environment;
    const givesOutput = givesAnyOf(query.output_modalities);
    const models = listedModels.filter((model) => givesOutput(model) && passes(toOffer(own.extended(model))));
    return toModelsPage(models, { offset, limit }, { apiBasePath, path, query: { ...query } });
  }

  /** @param make makes the list of the models that the caller sees */
  private async rendered(
    caller: ModelReader,
    list: string,
    query: ListModelsQuery,
    make: (models: readonly CatalogModel[]) => Representation,
  ): Promise<Representation> {
    const [catalog, isListed] = await Promise.all([this.current.get(), this.filters.of(caller)]);
    const { listedModels } = catalog;
    if (isListed !== undefined && caller.kind !== 'anonymous') {
      const own = await this.privateCatalog.current(caller.organizationId);
      return make(listedModels.filter((model) => isListed(toOffer(own.extended(model)))));
    }
    const dependsOnTime = query.min_age_days !== undefined || query.max_age_days !== undefined;
    if (dependsOnTime) return make(listedModels);
    return this.representations.get(catalog, `${list} ${JSON.stringify(query)}`, () => make(listedModels));
  }

  private renderModels(models: readonly CatalogModel[], query: ListModelsQuery): Representation {
    const asked = models.filter(modelFilter(query, Date.now() / 1000));
    const isFeed = query.use_rss === 'true';
    const order = query.sort ?? (isFeed ? 'newest' : undefined);
    const { apiBasePath } = this.environment;
    const { offset: _offset, limit: _limit, ...filters } = query;
    const location = { apiBasePath, path: '/models', query: filters };
    const page = toModelsPage(order === undefined ? asked : sortedModels(asked, order), query, location);
    return isFeed
      ? Representation.of(modelsFeed(page.data, `${apiBasePath}/models`), FEED_TYPE)
      : Representation.ofJson(page);
  }

  private async find(name: string): Promise<CatalogModel> {
    const model = namedModel(await this.current.get(), name);
    if (model === undefined) throw new ModelNotFound();
    return model;
  }
}

function nameOf({ author, slug }: ModelPath): string {
  return `${author}/${slug}`;
}

/** A model as policies see it. */
function toOffer({ row, author, endpoints }: CatalogModel): ModelOffer {
  return {
    id: row.id,
    canonicalSlug: row.canonicalSlug,
    author,
    outputs: row.architecture.output_modalities,
    endpoints: endpoints.map(toEndpointOffer),
  };
}
