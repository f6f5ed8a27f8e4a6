import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Rendition } from '../../http/revalidation/rendition.js';
import { ModelNotFound } from './catalog.errors.js';
import { toImageModelsResponse, toModelResponse } from './catalog.mapper.js';
import type { Catalog, CatalogModel } from './catalog-model.js';
import { CatalogRepository, type NamedModel } from './catalog.repository.js';
import { CurrentCatalog } from './current-catalog.js';
import type { ImageModelEndpointsResponse } from './dto/image-endpoint.dto.js';
import type { ListImageModelsResponse } from './dto/image-model.dto.js';
import {
  type CountModelsQuery,
  type ListModelsQuery,
  ListModelsResponse,
  type ModelsCountResponse,
  UserModelsQuery,
} from './dto/list-models.dto.js';
import type { ListEndpointsResponse, ListEndpointsZdrResponse } from './dto/model-endpoint.dto.js';
import type { ModelResponse } from './dto/model.dto.js';
import type { ModelPath } from './dto/model-path.dto.js';
import type { ListProvidersResponse } from './dto/provider.dto.js';
import {
  toImageEndpointsResponse,
  toModelEndpointResponse,
  toModelEndpointsResponse,
  toProviderResponse,
} from './endpoint.mapper.js';
import { KeptRenditions } from './kept-renditions.js';
import { givesAnyOf, modelFilter } from './list/model-filter.js';
import { inOrder } from './list/model-order.js';
import { FEED_TYPE, modelsFeed } from './list/models-feed.js';
import { toModelsPage } from './list/models-page.js';
import { type ModelReference, parseModelReference } from './model-reference.js';

// What another module needs to answer with models of its choice.
export { ListModelsResponse, UserModelsQuery };

/** An endpoint, as far as a policy may ask. */
export interface EndpointOffer {
  /** The slug that guardrails name. */
  readonly provider: string;
  /** Whether nothing is charged for a prompt, a completion or a request. */
  readonly isFree: boolean;
  /** Whether it is known to retain nothing of a request. */
  readonly isZdr: boolean;
  /** Whether the provider may train on requests; null where nobody has said. */
  readonly trainsOnRequests: boolean | null;
  /** Whether the provider may publish prompts; null where nobody has said. */
  readonly publishesPrompts: boolean | null;
}

/** A current model, as far as a policy may ask. */
export interface ModelOffer {
  readonly id: string;
  /** What guardrails name; a model and its variants share it. */
  readonly canonicalSlug: string;
  readonly author: string;
  /** None where the catalog does not say who serves it. */
  readonly endpoints: readonly EndpointOffer[];
}

/** The models that there are, and who provides them. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly repository: CatalogRepository,
    private readonly current: CurrentCatalog,
    private readonly kept: KeptRenditions,
    private readonly environment: Environment,
  ) {}

  /**
   * One model, by its id, canonical slug or an alias of it, in any case (SERVICE.md, section 4.7). A variant without facts
   * of its own is answered with its base model.
   *
   * @throws ModelNotFound
   */
  async getModel(input: ModelPath): Promise<ModelResponse> {
    return { data: toModelResponse(await this.find(input), this.environment.apiBasePath) };
  }

  /** Every image model, with what its endpoints can do between them (SERVICE.md, section 4.6). */
  async listImageModels(): Promise<Rendition> {
    const catalog = await this.current.get();
    const { apiBasePath } = this.environment;
    return this.kept.get(catalog, 'image models', () =>
      Rendition.ofJson({
        data: toImageModelsResponse(catalog.imageModels, apiBasePath),
      } satisfies ListImageModelsResponse),
    );
  }

  /** Every current model, oldest first, as far as a policy may ask. */
  async offers(): Promise<ModelOffer[]> {
    return (await this.current.get()).models.map(toOffer);
  }

  /**
   * The models that a query asks for, oldest first where it does not say: a page of them, or an RSS feed of that page.
   */
  async getModels(query: ListModelsQuery): Promise<Rendition> {
    const catalog = await this.current.get();
    const make = (): Rendition => this.renderModels(catalog, query);
    const dependsOnTime = query.min_age_days !== undefined || query.max_age_days !== undefined;
    return dependsOnTime ? make() : this.kept.get(catalog, `models ${JSON.stringify(query)}`, make);
  }

  /** How many models there are. */
  async countModels(query: CountModelsQuery): Promise<ModelsCountResponse> {
    const { listedModels } = await this.current.get();
    return { data: { count: listedModels.filter(givesAnyOf(query.output_modalities)).length } };
  }

  /**
   * Who offers a model, and how.
   *
   * @throws ModelNotFound
   */
  async listEndpoints(input: ModelPath): Promise<ListEndpointsResponse> {
    const { id } = await this.find(input);
    const model = (await this.current.get()).modelsById.get(id);
    if (model === undefined) throw new ModelNotFound();
    return { data: toModelEndpointsResponse(model) };
  }

  /** Every endpoint of a current model that retains nothing of a request. */
  async listZdrEndpoints(): Promise<Rendition> {
    const catalog = await this.current.get();
    return this.kept.get(catalog, 'endpoints that retain nothing', () =>
      Rendition.ofJson({
        data: catalog.models.flatMap((model) =>
          model.endpoints.filter(({ row }) => row.isZdr).map((endpoint) => toModelEndpointResponse(model, endpoint)),
        ),
      } satisfies ListEndpointsZdrResponse),
    );
  }

  /** Every provider, by name. */
  async listProviders(): Promise<Rendition> {
    const catalog = await this.current.get();
    return this.kept.get(catalog, 'providers', () =>
      Rendition.ofJson({ data: catalog.providers.map(toProviderResponse) } satisfies ListProvidersResponse),
    );
  }

  /**
   * Who offers an image model, and what each can do.
   *
   * @throws ModelNotFound also for a model that makes no images
   */
  async listImageModelEndpoints(input: ModelPath): Promise<ImageModelEndpointsResponse> {
    const { id, inImageModelList } = await this.find(input);
    const endpoints = inImageModelList ? await this.repository.imageEndpoints(id) : [];
    if (endpoints.length === 0) throw new ModelNotFound();
    return toImageEndpointsResponse(id, endpoints);
  }

  /**
   * A page of the listed models that pass and give one of the outputs that a query asks for, oldest first.
   *
   * @param passes decides beside the query
   * @param path where the list is asked for, for the link to its next page
   */
  async listOffered(
    passes: (offer: ModelOffer) => boolean,
    { offset, limit, ...query }: UserModelsQuery,
    path: string,
  ): Promise<ListModelsResponse> {
    const { listedModels } = await this.current.get();
    const { apiBasePath } = this.environment;
    const givesOutput = givesAnyOf(query.output_modalities);
    const models = listedModels.filter((model) => givesOutput(model) && passes(toOffer(model)));
    return toModelsPage(models, { offset, limit }, { apiBasePath, path, query: { ...query } });
  }

  /**
   * The canonical form of model references: the canonical slug, and the variant suffix where one is given.
   *
   * @returns an entry for every reference that leads to a model, retired ones included
   */
  async canonicalSlugsOf(references: readonly string[]): Promise<Map<string, string>> {
    if (references.length === 0) return new Map();
    const parsed = references.map((text) => ({ text, reference: parseModelReference(text) }));
    const names = parsed.flatMap(({ reference }) => (reference ? [reference.full, reference.base] : []));
    const slugs = await this.repository.canonicalSlugs([...new Set(names)]);
    return new Map(
      parsed.flatMap(({ text, reference }) => {
        const slug = reference && (slugs.get(reference.full) ?? slugs.get(reference.base));
        if (slug === undefined) return [];
        return [[text, reference?.variant === undefined ? slug : `${slug}:${reference.variant}`] as const];
      }),
    );
  }

  /**
   * The providers among the slugs, in any case.
   *
   * @returns for every one that is a provider, its slug in lower case
   */
  async providerSlugsOf(slugs: readonly string[]): Promise<Map<string, string>> {
    if (slugs.length === 0) return new Map();
    const known = await this.repository.providerSlugs([...new Set(slugs.map((slug) => slug.toLowerCase()))]);
    return new Map(
      slugs.flatMap((slug) => (known.has(slug.toLowerCase()) ? [[slug, slug.toLowerCase()] as const] : [])),
    );
  }

  /** Names that getModel answers, for somebody who wants to try it out: ids, aliases and free variants. */
  async sampleOfNames(): Promise<string[]> {
    return this.repository.sampleOfNames();
  }

  private renderModels({ listedModels }: Catalog, query: ListModelsQuery): Rendition {
    const asked = listedModels.filter(modelFilter(query, Date.now() / 1000));
    const isFeed = query.use_rss === 'true';
    const order = query.sort ?? (isFeed ? 'newest' : undefined);
    const { apiBasePath } = this.environment;
    const { offset: _offset, limit: _limit, ...filters } = query;
    const location = { apiBasePath, path: '/models', query: filters };
    const page = toModelsPage(order === undefined ? asked : inOrder(asked, order), query, location);
    return isFeed ? Rendition.of(modelsFeed(page.data, `${apiBasePath}/models`), FEED_TYPE) : Rendition.ofJson(page);
  }

  private async find({ author, slug }: ModelPath): Promise<NamedModel> {
    const reference = parseModelReference(`${author}/${slug}`);
    const model = reference && (await this.resolve(reference));
    if (model === undefined) throw new ModelNotFound();
    return model;
  }

  private async resolve({ full, base, variant }: ModelReference): Promise<NamedModel | undefined> {
    const models = await this.repository.currentByNames(variant === undefined ? [full] : [full, base]);
    const exact = models.find((model) => model.matchedName === full);
    const fallback = models.find((model) => model.matchedName === base);
    if (exact !== undefined || fallback === undefined || variant === undefined) return exact;
    // The name may be an alias of a model whose variant has facts of its own.
    const [ownVariant] = await this.repository.currentByNames([`${fallback.id.toLowerCase()}:${variant}`]);
    return ownVariant ?? fallback;
  }
}

function toOffer({ row, author, endpoints }: CatalogModel): ModelOffer {
  return {
    id: row.id,
    canonicalSlug: row.canonicalSlug,
    author,
    endpoints: endpoints.map(({ row: endpoint, isFree }) => ({
      provider: endpoint.providerSlug,
      isFree,
      isZdr: endpoint.isZdr,
      trainsOnRequests: endpoint.trainsOnRequests,
      publishesPrompts: endpoint.publishesPrompts,
    })),
  };
}
