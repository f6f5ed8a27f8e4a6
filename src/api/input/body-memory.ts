import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import { SharedMemory } from '../../limits/shared-memory.js';
import { TooManyUnfinishedBodies, TooMuchInferenceMemory } from '../errors/request.errors.js';

const MEBIBYTE = 1024 * 1024;

/** The Retry-After of a body, in seconds: most are read within milliseconds. */
const RETRY_AFTER_INTAKE_SECONDS = 1;

/** The Retry-After of an inference request, in seconds: answers take about as long. */
const RETRY_AFTER_ANSWER_SECONDS = 5;

/** The share of one body in the memory for bodies. */
export interface BodyShare {
  /**
   * Reserves more memory.
   *
   * @throws TooManyUnfinishedBodies when there is no room for this sender
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
        if (!this.memory.take(sender, bytes)) throw new TooManyUnfinishedBodies(RETRY_AFTER_INTAKE_SECONDS);
        taken += bytes;
      },
      release: () => {
        this.memory.release(sender, taken);
        taken = 0;
      },
    };
  }
}

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
    if (!this.memory.take(this.organizationId, bytes)) throw new TooMuchInferenceMemory(RETRY_AFTER_ANSWER_SECONDS);
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
