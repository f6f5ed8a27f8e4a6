import { Injectable } from '@nestjs/common';
import { OrganizationCache, partOfHeap } from '../../../concurrency/organization-cache.js';
import { PrivateCatalogRepository } from './private-catalog.repository.js';
import { PrivateModels } from './private-models.js';

/** The memory for endpoints of organizations' own: a part of the heap, and the most in bytes. */
const PART_OF_HEAP = 1 / 64;
const MAXIMUM_BYTES = 64 * 1_048_576;

/** What an endpoint takes in memory, in bytes. Rather more than it does. */
const BYTES_OF_ENDPOINT = 4_096;

/** The one name under which an organization has its endpoints. */
const NAME = 'active';

/** Without any endpoint of its own. */
const NO_PRIVATE_MODELS = new PrivateModels([]);

interface KnownModels {
  readonly version: string;
  readonly models: PrivateModels;
}

/** The active endpoints that organizations have of their own, read once for each version of them. */
@Injectable()
export class PrivateCatalog {
  private readonly known = new OrganizationCache<KnownModels>(partOfHeap(PART_OF_HEAP, MAXIMUM_BYTES));

  constructor(private readonly repository: PrivateCatalogRepository) {}

  /**
   * The endpoints for a request of inference.
   *
   * @param version what PRIVATE_CATALOG_VERSION found for the request; null for none, of which nothing is read
   */
  async of(organizationId: string, version: string | null): Promise<PrivateModels> {
    if (version === null) return NO_PRIVATE_MODELS;
    const known = this.known.get(organizationId, NAME);
    return known?.version === version ? known.models : this.current(organizationId);
  }

  async current(organizationId: string): Promise<PrivateModels> {
    const rows = await this.repository.active(organizationId);
    const [first] = rows;
    if (first === undefined) return NO_PRIVATE_MODELS;
    const models = new PrivateModels(rows);
    this.known.set(organizationId, NAME, { version: first.version, models }, rows.length * BYTES_OF_ENDPOINT);
    return models;
  }
}
