import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { TooManyUnfinishedBodies } from '../errors/request.errors.js';

const MEBIBYTE = 1024 * 1024;

/** The Retry-After: most bodies are read within milliseconds. */
const RETRY_AFTER_SECONDS = 1;

/** The share of one body in the memory for bodies. */
export interface BodyShare {
  /**
   * Reserves more memory.
   *
   * @throws TooManyUnfinishedBodies when the limit of this sender or of all senders is reached
   */
  take(bytes: number): void;
  /** Releases all reserved memory. */
  release(): void;
}

/**
 * Bounds the memory of incomplete request bodies, for each organization and in total, so that senders who stop halfway can
 * neither exhaust the memory of the process nor block others.
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

  /** Creates the share of one body. @param sender the organization, or the client address if there is no credential */
  shareOf(sender: string): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        const heldBySender = (this.heldBySender.get(sender) ?? 0) + bytes;
        if (heldBySender > this.bytesPerSender || this.held + bytes > this.bytesInAll) {
          throw new TooManyUnfinishedBodies(RETRY_AFTER_SECONDS);
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
