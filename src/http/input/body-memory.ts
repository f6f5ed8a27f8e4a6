import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RateLimitExceededError } from '../errors/domain-error.js';

const MEBIBYTE = 1024 * 1024;

/** A body is read in milliseconds, or held up by its own sender for seconds. */
const RETRY_AFTER_SECONDS = 1;

/** What one body takes of the memory for bodies. */
export interface BodyShare {
  /**
   * Takes more of the memory.
   *
   * @throws RateLimitExceededError when there is no more for this sender
   */
  take(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/**
 * The memory for bodies that have begun to arrive and are not complete: bounded for each organization and in all, so that
 * senders who stop halfway can neither fill the process nor keep others from sending.
 */
@Injectable()
export class BodyMemory {
  private readonly bytesPerSender: number;
  private readonly bytesInAll: number;
  private readonly heldBySender = new Map<string, number>();
  private held = 0;

  constructor(environment: Environment) {
    this.bytesPerSender = environment.requestBodyMemoryPerOrganizationMib * MEBIBYTE;
    this.bytesInAll = environment.requestBodyMemoryMib * MEBIBYTE;
  }

  /** A share for one body. @param sender whom it is counted for: an organization, or an address without a credential */
  shareOf(sender: string): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        const heldBySender = (this.heldBySender.get(sender) ?? 0) + bytes;
        if (heldBySender > this.bytesPerSender || this.held + bytes > this.bytesInAll) {
          throw new RateLimitExceededError('too_many_unfinished_bodies', RETRY_AFTER_SECONDS);
        }
        this.heldBySender.set(sender, heldBySender);
        this.held += bytes;
        taken += bytes;
      },
      release: () => {
        const heldBySender = (this.heldBySender.get(sender) ?? 0) - taken;
        if (heldBySender > 0) this.heldBySender.set(sender, heldBySender);
        else this.heldBySender.delete(sender);
        this.held -= taken;
        taken = 0;
      },
    };
  }
}
