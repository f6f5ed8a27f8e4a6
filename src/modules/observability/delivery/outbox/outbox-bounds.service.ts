import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { onItsOwn } from '../../../../concurrency/request-scope.js';
import { Environment } from '../../../../config/environment.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { OutboxBoundsRepository } from './outbox-bounds.repository.js';
import { errorMessage } from '../../../../persistence/database-failures.js';

/** How many generations wait for one destination at most. */
export const MAXIMUM_WAITING = 100_000;

/** How old the figures may be before they are read again, in milliseconds. */
const FRESH_MS = 10_000;

/** Of how many organizations figures are remembered. */
const ORGANIZATIONS = 10_000;

/** What waits, as it was read and with what this process has added since. */
interface Waiting {
  bytes: number;
  readonly destinations: Map<string, number>;
  readAt: number;
  isReading: boolean;
}

/**
 * Bounds what waits for destinations (docs/interface/destinations.md#bounds). The figures are estimates, which no request waits for:
 * they are read in the background, at most every ten seconds for an organization.
 */
@Injectable()
export class OutboxBounds {
  private readonly waiting = new LRUCache<string, Waiting>({ max: ORGANIZATIONS });
  private readonly maximumBytes: number;

  constructor(
    private readonly repository: OutboxBoundsRepository,
    private readonly logger: ServiceLogger,
    { broadcastOrganizationMib }: Environment,
  ) {
    this.maximumBytes = broadcastOrganizationMib * 1_048_576;
  }

  /** Whether a destination may get a further generation. */
  hasRoom(organizationId: string, destinationId: string): boolean {
    const { bytes, destinations } = this.of(organizationId);
    return bytes < this.maximumBytes && (destinations.get(destinationId) ?? 0) < MAXIMUM_WAITING;
  }

  /** Counts a generation that is about to wait. */
  add(organizationId: string, bytes: number, destinationIds: readonly string[]): void {
    const waiting = this.of(organizationId);
    waiting.bytes += bytes;
    for (const id of destinationIds) waiting.destinations.set(id, (waiting.destinations.get(id) ?? 0) + 1);
  }

  private of(organizationId: string): Waiting {
    let waiting = this.waiting.get(organizationId);
    if (waiting === undefined) {
      waiting = { bytes: 0, destinations: new Map(), readAt: -Infinity, isReading: false };
      this.waiting.set(organizationId, waiting);
    }
    if (!waiting.isReading && performance.now() - waiting.readAt > FRESH_MS) this.refresh(organizationId, waiting);
    return waiting;
  }

  private refresh(organizationId: string, waiting: Waiting): void {
    onItsOwn(() => void this.read(organizationId, waiting));
  }

  private async read(organizationId: string, waiting: Waiting): Promise<void> {
    waiting.isReading = true;
    try {
      const row = await this.repository.waitingOf(organizationId);
      waiting.bytes = row.bytes;
      waiting.destinations.clear();
      for (const [id, count] of Object.entries(row.destinations)) waiting.destinations.set(id, count);
    } catch (error) {
      this.logger.warn(`what waits for destinations could not be read: ${errorMessage(error)}`);
    } finally {
      waiting.readAt = performance.now();
      waiting.isReading = false;
    }
  }
}
