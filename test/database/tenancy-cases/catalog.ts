import { sameForBoth, type Cases } from '../../support/foreign-ids.js';

/** What the operations of catalog could be told of another organization. */
export const CATALOG_CASES: Cases = {
  // The catalog belongs to no organization: everybody is answered the same.
  listImageModels: (_, theirs) => sameForBoth({ method: 'GET', path: '/images/models' }, theirs),

  getModels: (_, theirs) => sameForBoth({ method: 'GET', path: '/models' }, theirs),

  listModelsCount: (_, theirs) => sameForBoth({ method: 'GET', path: '/models/count' }, theirs),

  listEndpoints: (_, theirs) => sameForBoth({ method: 'GET', path: '/models/acme/model/endpoints' }, theirs),

  listEndpointsZdr: (_, theirs) => sameForBoth({ method: 'GET', path: '/endpoints/zdr' }, theirs),

  listImageModelEndpoints: (_, theirs) =>
    sameForBoth({ method: 'GET', path: '/images/models/acme/painter/endpoints' }, theirs),

  listProviders: (_, theirs) => sameForBoth({ method: 'GET', path: '/providers' }, theirs),

  getModel: (_, theirs) => sameForBoth({ method: 'GET', path: '/model/acme/model' }, theirs),
};
