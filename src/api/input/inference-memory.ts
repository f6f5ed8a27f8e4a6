import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import { SharedMemory } from '../../limits/shared-memory.js';
import { TooMuchInferenceMemory } from '../errors/request.errors.js';

/** The Retry-After, in seconds: answers take about as long. */
const RETRY_AFTER_SECONDS = 5;

/** The memory of one inference request, which is free again when the last of its holders has released it. */
export class HeldMemory {
  private bytes = 0;
  private holders = 0;

  constructor(
    private readonly memory: SharedMemory,
    private readonly organizationId: string,
  ) {}

  /**
   * Counts bytes, but for a request that has been closed.
   *
   * @throws TooMuchInferenceMemory when there is no room for more of the organization; nothing is counted then
   */
  take(bytes: number): void {
    if (this.holders === 0) return;
    if (!this.memory.take(this.organizationId, bytes)) throw new TooMuchInferenceMemory(RETRY_AFTER_SECONDS);
    this.bytes += bytes;
  }

  /** How many bytes are counted. */
  get size(): number {
    return this.bytes;
  }

  /** Keeps the memory from becoming free. @returns releases it, once however often it is called */
  hold(): () => void {
    this.holders += 1;
    let isHolding = true;
    return () => {
      if (!isHolding) return;
      isHolding = false;
      this.holders -= 1;
      if (this.holders > 0) return;
      this.memory.release(this.organizationId, this.bytes);
      this.bytes = 0;
    };
  }
}

/**
 * Bounds the bytes of the bodies of open inference requests, for each organization and in total (docs/limits.md#inference). A
 * body is counted from before it is read until its request has been answered, and the work on it has ended.
 */
@Injectable()
export class InferenceMemory {
  private readonly memory: SharedMemory;

  constructor({ inferenceMemoryPerOrganization: perOwner, inferenceMemory: inAll }: Environment) {
    this.memory = new SharedMemory({ perOwner, inAll });
  }

  /** The memory of a request, held until its response is closed, or longer while another part of the service holds it. */
  of(organizationId: string, response: Response): HeldMemory {
    const memory = new HeldMemory(this.memory, organizationId);
    const release = memory.hold();
    if (response.closed) release();
    else response.once('close', release);
    return memory;
  }
}
