import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/environment.js';
import { TooMuchInferenceMemory } from '../errors/request.errors.js';

/** The Retry-After, in seconds: answers take about as long. */
const RETRY_AFTER_SECONDS = 5;

/** The memory of one inference request, which is free again when the last of its holders has released it. */
export class HeldMemory {
  private bytes = 0;
  private holders = 0;

  /** @param reserve adds bytes to those of the organization, or takes them off */
  constructor(private readonly reserve: (bytes: number) => void) {}

  /**
   * Counts bytes, but for a request that has been closed.
   *
   * @throws TooMuchInferenceMemory when the organization has as many as it may; nothing is counted then
   */
  take(bytes: number): void {
    if (this.holders === 0) return;
    this.reserve(bytes);
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
      this.reserve(-this.bytes);
      this.bytes = 0;
    };
  }
}

/**
 * Bounds the bytes of the bodies of open inference requests, for each organization (docs/limits.md#inference). A body is counted
 * from before it is read until its request has been answered, and the work on it has ended.
 */
@Injectable()
export class InferenceMemory {
  private readonly limit: number;
  private readonly held = new Map<string, number>();

  constructor({ inferenceMemoryPerOrganization }: Environment) {
    this.limit = inferenceMemoryPerOrganization;
  }

  /** The memory of a request, held until its response is closed, or longer while another part of the service holds it. */
  of(organizationId: string, response: Response): HeldMemory {
    const memory = new HeldMemory((bytes) => this.reserve(organizationId, bytes));
    const release = memory.hold();
    if (response.closed) release();
    else response.once('close', release);
    return memory;
  }

  private reserve(organizationId: string, bytes: number): void {
    const sum = (this.held.get(organizationId) ?? 0) + bytes;
    if (bytes > 0 && sum > this.limit) throw new TooMuchInferenceMemory(RETRY_AFTER_SECONDS);
    if (sum > 0) this.held.set(organizationId, sum);
    else this.held.delete(organizationId);
  }
}
