import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { TooManyOpenRequests } from './inference.errors.js';

/** The Retry-After, in seconds: answers take about as long. */
const RETRY_AFTER_SECONDS = 5;

/** Bounds how many inference requests of one organization are open at a time (docs/limits.md#inference). */
@Injectable()
export class OpenRequests {
  private readonly open = new Map<string, number>();

  constructor(private readonly environment: Environment) {}

  /**
   * Runs a request.
   *
   * @throws TooManyOpenRequests when the organization has its maximum number of open requests
   */
  async run<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    const count = this.open.get(organizationId) ?? 0;
    if (count >= this.environment.streamsPerOrganization) throw new TooManyOpenRequests(RETRY_AFTER_SECONDS);
    this.open.set(organizationId, count + 1);
    try {
      return await work();
    } finally {
      const left = this.open.get(organizationId)! - 1;
      if (left > 0) this.open.set(organizationId, left);
      else this.open.delete(organizationId);
    }
  }
}
