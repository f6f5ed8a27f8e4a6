import { Injectable } from '@nestjs/common';
import { ReadByEdition } from '../../persistence/read-by-edition.js';
import { CatalogRepository } from './catalog.repository.js';
import { type Catalog, toCatalog } from './catalog-model.js';
import { LRUCache } from 'lru-cache';
import type { Representation } from '../../http/conditional-requests.js';

/** The current catalog, read once for each edition (docs/adr/0008). */
@Injectable()
export class CurrentCatalog extends ReadByEdition<Catalog> {
  constructor(repository: CatalogRepository) {
    super(
      () => repository.edition(),
      () => repository.everything().then(toCatalog),
    );
  }
}

/** The number of cached representations per edition. Callers use few different queries. */
const CACHED_PER_EDITION = 16;

/** Caches responses built from an edition of the catalog, so that half a megabyte is not serialized for each request. */
@Injectable()
export class RepresentationCache {
  private readonly byEdition = new WeakMap<object, LRUCache<string, Representation>>();

  /**
   * @param edition the catalog that the response is built from; it must depend on nothing else
   * @param name distinguishes the responses of one edition
   * @param create builds the response when it is not cached
   */
  get(edition: object, name: string, create: () => Representation): Representation {
    const cached = this.byEdition.get(edition) ?? new LRUCache({ max: CACHED_PER_EDITION });
    this.byEdition.set(edition, cached);
    const representation = cached.get(name) ?? create();
    cached.set(name, representation);
    return representation;
  }
}
