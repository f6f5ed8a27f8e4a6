import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { TooManyOpenRequests } from '../inference.errors.js';

/** The Retry-After, in seconds: answers take about as long. */
const RETRY_AFTER_SECONDS = 5;

/** The part of an organization's open requests that one key, or all keys of a Connect client together, may have. */
const KEY_PART = 9 / 10;

/** Bounds how many inference requests of one organization, and of one of its keys, are open at a time (docs/limits.md#inference). */
@Injectable()
export class OpenRequests {
  private readonly ofOrganizations = new OpenCounts();
  private readonly ofKeys = new OpenCounts();

  constructor(private readonly environment: Environment) {}

  /**
   * Runs a request.
   *
   * @param shareId the key, or the Connect client of several (`shareIdOf`)
   * @throws TooManyOpenRequests when the organization, or the key, has its maximum number of open requests
   */
  async run<Result>(organizationId: string, shareId: string, work: () => Promise<Result>): Promise<Result> {
    const most = this.environment.streamsPerOrganization;
    const key = `${organizationId} ${shareId}`;
    const isFull = this.ofOrganizations.of(organizationId) >= most || this.ofKeys.of(key) >= Math.ceil(most * KEY_PART);
    if (isFull) throw new TooManyOpenRequests(RETRY_AFTER_SECONDS);
    this.ofOrganizations.add(organizationId, 1);
    this.ofKeys.add(key, 1);
    try {
      return await work();
    } finally {
      this.ofOrganizations.add(organizationId, -1);
      this.ofKeys.add(key, -1);
    }
  }
}

/** How many requests are open, by the name of who has sent them. */
class OpenCounts {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string, more: 1 | -1): void {
    const count = this.of(name) + more;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}
