import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { clientSignal } from '../http/client-signal.js';
import type { GatehouseRequest } from '../http/request.js';
import { FairQueue } from './fair-queue.js';

/** Connections of the pool that requests leave to what serves all organizations: credentials, health, the catalog. */
const RESERVED_CONNECTIONS = 2;

/** How many requests of one organization may wait for a slot. */
const WAITING_PER_ORGANIZATION = 500;

/**
 * How many requests are worked on at once: as many as the database has connections, and of one organization no more than
 * half of them, so that another organization's request finds a connection without waiting behind all of theirs.
 */
@Injectable()
export class RequestSlots {
  private readonly queue: FairQueue;

  constructor({ databasePoolSize }: Environment) {
    const share = Math.max(1, Math.floor(databasePoolSize / 2));
    this.queue = new FairQueue({
      reason: 'too_many_concurrent_requests',
      concurrency: Math.max(share + 1, databasePoolSize - RESERVED_CONNECTIONS),
      concurrencyPerOrganization: share,
      waitingPerOrganization: WAITING_PER_ORGANIZATION,
      retryAfterSeconds: 1,
    });
  }

  /**
   * Waits for a slot, which the request has until its answer has left, or its client has: so the memory of answers that
   * are not read is bounded as well. Callers without a credential share the slots of one organization.
   *
   * @throws RateLimitExceededError when too many requests of the organization wait already
   * @throws ClientGoneError when the client goes before the turn of its request
   */
  async take({ organizationId = '', res: response }: GatehouseRequest): Promise<void> {
    const leave =
      this.queue.enterAtOnce(organizationId) ?? (await this.queue.enter(organizationId, clientSignal(response!)));
    if (response!.closed) leave();
    else response!.once('close', leave);
  }
}
