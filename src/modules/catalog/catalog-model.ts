import type { CatalogRows, ImageModelRow } from './catalog.repository.js';
import type { ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import type { ModelEntity } from './entities/model.entity.js';
import type { ProviderEntity } from './entities/provider.entity.js';
import type { ModelPricing } from './model-facts.js';
import type { CatalogEndpoint, ImageEndpoint } from './catalog-endpoint.js';
import { imageEndpointsOf } from './image-offers.js';
import { hasNoPrice, priceFaultOf } from './price-rules.js';
import { authorOf, fullNamesOf, namesBySlug, parseModelReference } from './model-reference.js';

/** An endpoint, with the facts that policies use. */
export interface EndpointOffer {
  /** The slug that guardrails name. */
  readonly provider: string;
  /** Whether nothing is charged for a prompt, a completion or a request. */
  readonly isFree: boolean;
  /** Whether requests can be charged by its price. */
  readonly isChargeable: boolean;
  /** Whether it is known to retain nothing of a request. */
  readonly isZdr: boolean;
  /** Whether the provider may train on requests; null for unknown. */
  readonly trainsOnRequests: boolean | null;
  /** Whether the provider may publish prompts; null for unknown. */
  readonly publishesPrompts: boolean | null;
  /** Whether an organization has it of its own. */
  readonly isPrivate: boolean;
  /** The provider's own name of the model; null for none. */
  readonly upstreamId: string | null;
  /** Whether the operator has stated it. */
  readonly isOwn: boolean;
}

/** A current model with its endpoints. */
export interface CatalogModel {
  readonly row: ModelEntity;
  /** The first part of its id. */
  readonly author: string;
  readonly endpoints: readonly CatalogEndpoint[];
  /** Where it draws images; empty for one that draws none. */
  readonly imageEndpoints: readonly ImageEndpoint[];
}

/** The current models of an edition of the catalog. */
export interface Catalog {
  /** Oldest first. */
  readonly models: readonly CatalogModel[];
  /** Without models that are only in the list of image models, whose text prices are unknown. */
  readonly listedModels: readonly CatalogModel[];
  readonly modelsById: ReadonlyMap<string, CatalogModel>;
  /** By every name, in lower case. */
  readonly modelsByName: ReadonlyMap<string, CatalogModel>;
  /** Names without variants, by what stands behind the author, in lower case: one for each model. */
  readonly namesBySlug: ReadonlyMap<string, readonly string[]>;
  /** By name. */
  readonly providers: readonly ProviderEntity[];
  /** Each image model with each of its endpoints, oldest model first. */
  readonly imageModels: readonly ImageModelRow[];
}

/** Combines the rows of an edition. */
export function toCatalog({ models, names, endpoints, providers, imageModels }: CatalogRows): Catalog {
  const providersBySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  const endpointsByModel = byModel(endpoints, ({ modelId }) => modelId);
  const imagesByModel = byModel(imageModels, ({ id }) => id);
  const known = models.map((row): CatalogModel => {
    const ofModel = (endpointsByModel.get(row.id) ?? []).map((endpoint) => ({
      row: endpoint,
      provider: providersBySlug.get(endpoint.providerSlug)!,
      isFree: isFree(endpoint),
      hasNoPrice: hasNoPrice(endpoint.pricing),
      isChargeable: [row, endpoint].every(({ pricing }) => priceFaultOf(pricing) === undefined),
    }));
    const imageEndpoints = row.architecture.output_modalities.includes('image')
      ? imageEndpointsOf(row.id, ofModel, imagesByModel.get(row.id) ?? [], providersBySlug)
      : [];
    return { row, author: authorOf(row.id), endpoints: ofModel, imageEndpoints };
  });
  const modelsById = new Map(known.map((model) => [model.row.id, model]));
  const modelsByName = new Map(names.map(({ name, modelId }) => [name, modelsById.get(modelId)!]));
  return {
    models: known,
    listedModels: known.filter(({ row }) => row.inModelList),
    modelsById,
    modelsByName,
    namesBySlug: namesBySlug(modelsByName),
    providers,
    imageModels,
  };
}

function isFree({ pricing: { overrides = [], ...pricing } }: ModelEndpointEntity): boolean {
  const all = [pricing, ...overrides] as readonly Partial<ModelPricing>[];
  return all.every(({ prompt = '0', completion = '0', request = '0', character = '0', second = '0' }) =>
    [prompt, completion, request, character, second].every((price) => Number(price) === 0),
  );
}

/** Rows of models, by the id of the model and in their order. @param idOf the id of the model of a row */
export function byModel<Row>(rows: readonly Row[], idOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const id = idOf(row);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [row]);
    else group.push(row);
  }
  return groups;
}

/** The facts about an endpoint that policies use. */
export function toEndpointOffer({ row, isFree, isChargeable, privateAddress }: CatalogEndpoint): EndpointOffer {
  return {
    provider: row.providerSlug,
    isFree,
    isChargeable,
    isZdr: row.isZdr,
    trainsOnRequests: row.trainsOnRequests,
    publishesPrompts: row.publishesPrompts,
    isPrivate: privateAddress !== undefined,
    upstreamId: row.upstreamId,
    isOwn: row.isOwn,
  };
}

/**
 * The model that a name leads to (docs/interface/catalog.md#names-of-models). A variant without its own entry is its base model, and a
 * name without an author that of the only model with this slug.
 *
 * @returns undefined for a name that leads to none, or to several
 */
export function namedModel(catalog: Catalog, name: string): CatalogModel | undefined {
  const reference = parseModelReference(name);
  const [base, ...others] = reference === undefined ? [] : fullNamesOf(catalog, reference.base);
  if (base === undefined || others.length > 0) return undefined;
  const { modelsByName } = catalog;
  const model = modelsByName.get(base);
  const suffix = reference?.variant === undefined ? '' : `:${reference.variant}`;
  // The name may be an alias of a model whose variant has its own entry.
  const ownVariant = model && modelsByName.get(`${model.row.id.toLowerCase()}${suffix}`);
  return modelsByName.get(`${base}${suffix}`) ?? ownVariant ?? model;
}
