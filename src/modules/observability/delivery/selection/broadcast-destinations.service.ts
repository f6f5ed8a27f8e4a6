import { Injectable } from '@nestjs/common';
import { OrganizationCache, partOfHeap } from '../../../../concurrency/organization-cache.js';
import {
  type ArrivedGeneration,
  type BroadcastDestination,
  broadcastDestinationOf,
  mayGet,
} from './broadcast-destination.js';
import { BroadcastDestinationsRepository } from './broadcast-destinations.repository.js';

/** The memory for destinations that are ready to be asked: a part of the heap, and the most in bytes. */
const PART_OF_HEAP = 1 / 64;
const MAXIMUM_BYTES = 64 * 1_048_576;

/** What a destination takes in memory: at least, and for each character of its rules as JSON, in bytes. */
const OWN_BYTES = 1_024;
const BYTES_OF_CHARACTER = 4;

interface KnownDestinations {
  readonly version: string;
  readonly destinations: readonly BroadcastDestination[];
}

/** The destinations that a generation may go to, and whether one of them wants its content. */
export interface BroadcastSelection {
  /** At least one. */
  readonly destinations: readonly BroadcastDestination[];
  /** Whether the content of the generation is sent, or decides who gets it. */
  readonly needsContent: boolean;
}

/** The destinations of workspaces, as they were when a request came. */
@Injectable()
export class BroadcastDestinations {
  private readonly known = new OrganizationCache<KnownDestinations>(partOfHeap(PART_OF_HEAP, MAXIMUM_BYTES));

  constructor(private readonly repository: BroadcastDestinationsRepository) {}

  /**
   * The destinations that get a generation, as far as that is known when its request comes.
   *
   * @param version the BROADCAST_VERSION that was read for the request
   * @returns undefined where there are none
   */
  async select(
    organizationId: string,
    workspaceId: string,
    version: string,
    generation: ArrivedGeneration,
  ): Promise<BroadcastSelection | undefined> {
    const all = await this.of(organizationId, workspaceId, version);
    const destinations = all.filter((destination) => mayGet(destination, generation));
    if (destinations.length === 0) return undefined;
    const needsContent = destinations.some(({ privacyMode, filter }) => !privacyMode || filter.readsContent);
    return { destinations, needsContent };
  }

  private async of(
    organizationId: string,
    workspaceId: string,
    version: string,
  ): Promise<readonly BroadcastDestination[]> {
    const known = this.known.get(organizationId, workspaceId);
    if (known?.version === version) return known.destinations;
    const rows = await this.repository.of(organizationId, workspaceId);
    const destinations = rows.map(({ version: _version, ...columns }) => broadcastDestinationOf(columns));
    const read = { version: rows.map((row) => `${row.id} ${row.version}`).join(), destinations };
    const bytes = rows.reduce(
      (sum, { filterRules, apiKeyHashes }) =>
        sum + OWN_BYTES + BYTES_OF_CHARACTER * JSON.stringify([filterRules, apiKeyHashes]).length,
      OWN_BYTES,
    );
    this.known.set(organizationId, workspaceId, read, bytes);
    return destinations;
  }
}
