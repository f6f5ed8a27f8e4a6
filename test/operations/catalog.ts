import { MANAGEMENT_AND_API_KEYS, type OperationRow, type OperationRows, type RequestParts } from './operation-row.js';

/** What all operations of the catalog have in common. */
interface CatalogRead {
  readonly path: string;
  readonly errors: readonly number[];
  /** A request for what is in the starter catalog. */
  readonly request?: RequestParts;
  /** The model of the tests of tenancy, by its parameters of the path. */
  readonly model?: Readonly<Record<string, string>>;
}

/** The catalog belongs to no organization: each one gets the same answer. */
function catalogRead({ request = {}, model, ...row }: CatalogRead): OperationRow {
  const parts = model === undefined ? {} : { path: model };
  return {
    ...row,
    method: 'GET',
    callers: MANAGEMENT_AND_API_KEYS,
    success: 200,
    request: () => request,
    otherOrganization: (_, { managementKey }) => ({
      'with the key of either': { status: 200, theirs: parts, missing: { ...parts, key: managementKey } },
    }),
  };
}

const LANGUAGE_MODEL = { path: { author: 'openai', slug: 'gpt-5.4' } };

const IMAGE_MODEL = { path: { author: 'openai', slug: 'gpt-image-2' } };

/** The operations of the catalog. */
export const CATALOG: OperationRows = {
  getModel: catalogRead({
    path: '/model/{author}/{slug}',
    errors: [304, 403, 404],
    request: LANGUAGE_MODEL,
    model: { author: 'acme', slug: 'model' },
  }),
  getModels: catalogRead({
    path: '/models',
    errors: [304, 400, 403],
    request: { query: 'limit=5' },
  }),
  listEmbeddingsModels: catalogRead({
    path: '/embeddings/models',
    errors: [304, 400, 403],
    request: { query: 'limit=5' },
  }),
  listEndpoints: catalogRead({
    path: '/models/{author}/{slug}/endpoints',
    errors: [304, 403, 404],
    request: LANGUAGE_MODEL,
    model: { author: 'acme', slug: 'model' },
  }),
  listEndpointsZdr: catalogRead({
    path: '/endpoints/zdr',
    errors: [304, 403],
  }),
  listImageModelEndpoints: catalogRead({
    path: '/images/models/{author}/{slug}/endpoints',
    errors: [304, 404],
    request: IMAGE_MODEL,
    model: { author: 'acme', slug: 'painter' },
  }),
  listImageModels: catalogRead({ path: '/images/models', errors: [304] }),
  listModelsCount: catalogRead({ path: '/models/count', errors: [304, 400, 403] }),
  listProviders: catalogRead({ path: '/providers', errors: [304] }),
  retrieveModel: {
    ...catalogRead({
      path: '/models/{model}',
      errors: [304, 403, 404],
      request: { path: { model: 'openai%2Fgpt-5.4' } },
      model: { model: 'acme%2Fmodel' },
    }),
    isBeyondContract: true,
  },
  retrieveModelOfAuthor: {
    ...catalogRead({
      path: '/models/{author}/{slug}',
      errors: [304, 403, 404],
      request: LANGUAGE_MODEL,
      model: { author: 'acme', slug: 'model' },
    }),
    isBeyondContract: true,
  },
};
