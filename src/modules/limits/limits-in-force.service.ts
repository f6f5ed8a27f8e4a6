import { Injectable } from '@nestjs/common';
import { OrganizationCache, partOfHeap } from '../../concurrency/organization-cache.js';
import { CompiledLimit } from './compiled-limit.js';
import { LimitsRepository } from './limits.repository.js';

/** The memory for limits of organizations: a part of the heap, and the most in bytes. */
const PART_OF_HEAP = 1 / 64;
const MAXIMUM_BYTES = 32 * 1_048_576;

/** What a limit takes in memory, in bytes. Rather more than most do. */
const BYTES_OF_LIMIT = 4_096;

interface KnownLimits {
  readonly version: string;
  readonly limits: readonly CompiledLimit[];
}

/** The limits that may apply in the workspaces of organizations, read once for each version of them. */
@Injectable()
export class LimitsInForce {
  private readonly known = new OrganizationCache<KnownLimits>(partOfHeap(PART_OF_HEAP, MAXIMUM_BYTES));

  constructor(private readonly repository: LimitsRepository) {}

  /**
   * The limits for a request of inference, oldest first.
   *
   * @param version what LIMITS_VERSION found for the request; null for none, of which nothing is read
   */
  async of(
    organizationId: string,
    workspaceId: string | null,
    version: string | null,
  ): Promise<readonly CompiledLimit[]> {
    if (version === null) return [];
    const name = workspaceId ?? '';
    const known = this.known.get(organizationId, name);
    if (known?.version === version) return known.limits;
    const rows = await this.repository.ofWorkspace(organizationId, workspaceId);
    const [first] = rows;
    if (first === undefined) return [];
    const limits = rows.map((row) => new CompiledLimit(row));
    this.known.set(organizationId, name, { version: first.version, limits }, rows.length * BYTES_OF_LIMIT);
    return limits;
  }
}
