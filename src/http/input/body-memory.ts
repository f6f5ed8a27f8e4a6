import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { SharedMemory } from '../../concurrency/shared-memory.js';
import { TooManyUnfinishedBodies } from '../errors/request.errors.js';

const MEBIBYTE = 1024 * 1024;

/** The Retry-After of a body, in seconds: most are read within milliseconds. */
const RETRY_AFTER_INTAKE_SECONDS = 1;

/** The share of one body in the memory for bodies. */
export interface BodyShare {
  /**
   * Reserves more memory.
   *
   * @throws TooManyUnfinishedBodies when there is no room for this sender
   */
  take(bytes: number): void;
  /**
   * Holds what the parsed body takes besides the bytes that were read, for as long as its request is open; absent where that is not counted.
   *
   * @throws TooMuchInferenceMemory when there is no room
   */
  hold?(bytes: number): void;
  release(): void;
}

/**
 * Bounds the memory of incomplete request bodies, for each organization and in total, so that senders who stop halfway can
 * neither exhaust the memory of the process nor block others.
 */
@Injectable()
export class BodyMemory {
  private readonly memory: SharedMemory;

  constructor({ requestBodyMemoryPerOrganizationMib, requestBodyMemoryMib }: Environment) {
    const perOwner = requestBodyMemoryPerOrganizationMib * MEBIBYTE;
    this.memory = new SharedMemory({ perOwner, inAll: requestBodyMemoryMib * MEBIBYTE });
  }

  /** Creates the share of one body. @param sender the organization, or the client address if there is no credential */
  shareOf(sender: string): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (!this.memory.take({ owner: sender }, bytes)) throw new TooManyUnfinishedBodies(RETRY_AFTER_INTAKE_SECONDS);
        taken += bytes;
      },
      release: () => {
        this.memory.release({ owner: sender }, taken);
        taken = 0;
      },
    };
  }
}
