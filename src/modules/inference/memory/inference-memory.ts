import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { type MemoryHolder, SharedMemory } from '../../../concurrency/shared-memory.js';
import { RequestMemories, type RequestMemory } from '../../../http/input/request-memory.js';
import { AnswerMemoryExhausted, TooMuchInferenceMemory } from '../inference.errors.js';

/** The Retry-After of an inference request, in seconds: answers take about as long. */
const RETRY_AFTER_SECONDS = 5;

/** How long an answer waits for memory before one is ended, in milliseconds. */
const PAUSE_MS = 1_000;

/** How often a waiting answer looks whether there is memory, in milliseconds. */
const LOOK_MS = 50;

/** How long an answer waits in all, in milliseconds: longer only where what was ended does not give its memory back. */
const LONGEST_PAUSE_MS = 10_000;

/** The memory of one inference request: its body, and its answer. It is free again when the last of its holders has released it. */
export class HeldMemory implements RequestMemory {
  private bodyBytes = 0;
  /** What the parsed body takes besides. */
  private parsedBytes = 0;
  /** What is reserved included. */
  private answerBytes = 0;
  private reserved = 0;
  private holders = 0;
  private failure: AnswerMemoryExhausted | undefined;
  private end: ((error: AnswerMemoryExhausted) => void) | undefined;

  constructor(
    private readonly memory: InferenceMemory,
    private of: Required<MemoryHolder>,
  ) {}

  get holder(): Required<MemoryHolder> {
    return this.of;
  }

  belongsTo(member: string): void {
    if (member === this.of.member) return;
    this.memory.shared.move(this.of, member, { all: this.held, answers: this.answerBytes });
    this.of = { owner: this.of.owner, member };
  }

  get size(): number {
    return this.bodyBytes;
  }

  /** The bytes of the body and of the answer. */
  get held(): number {
    return this.bodyBytes + this.parsedBytes + this.answerBytes;
  }

  /** Whether there is an answer that can be ended. */
  get isAnswering(): boolean {
    return this.answerBytes > 0 && this.end !== undefined;
  }

  get isEnding(): boolean {
    return this.failure !== undefined;
  }

  take(bytes: number): void {
    if (this.taken(bytes, false)) this.bodyBytes += bytes;
  }

  holdParsed(bytes: number): void {
    if (this.taken(bytes, false)) this.parsedBytes += bytes;
  }

  endsWith(end: (error: AnswerMemoryExhausted) => void): void {
    this.end = end;
  }

  reserve(bytes: number): void {
    if (!this.taken(bytes, true)) return;
    this.answerBytes += bytes;
    this.reserved += bytes;
  }

  /** Counts bytes toward the bounds. @returns false for a request that has been closed, of which nothing is counted @throws TooMuchInferenceMemory */
  private taken(bytes: number, isOfAnswer: boolean): boolean {
    if (this.holders === 0) return false;
    if (!this.memory.shared.take(this.holder, bytes, isOfAnswer)) throw new TooMuchInferenceMemory(RETRY_AFTER_SECONDS);
    return true;
  }

  tryHold(bytes: number): boolean {
    if (this.holders === 0) return true;
    const more = bytes - Math.min(bytes, this.reserved);
    if (!this.memory.shared.take(this.holder, more, true)) return false;
    this.answerBytes += more;
    this.reserved -= bytes - more;
    return true;
  }

  async hold(bytes: number): Promise<void> {
    if (this.tryHold(bytes)) return;
    const began = performance.now();
    for (;;) {
      if (!this.memory.shared.couldHave(this.holder, this.held + bytes)) this.endAnswer();
      const waited = performance.now() - began;
      if (waited >= PAUSE_MS) this.memory.endLargest(this);
      if (waited >= LONGEST_PAUSE_MS) this.endAnswer();
      this.throwIfEnding();
      await delay(LOOK_MS);
      this.throwIfEnding();
      if (this.tryHold(bytes)) return;
    }
  }

  private throwIfEnding(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  release(bytes: number): void {
    const released = Math.min(bytes, this.answerBytes);
    this.answerBytes -= released;
    this.memory.shared.release(this.holder, released, true);
  }

  releaseAnswer(): void {
    this.reserved = 0;
    this.release(this.answerBytes);
  }

  /** Ends the answer, which then gives its memory back. */
  endAnswer(): void {
    if (this.failure !== undefined) return;
    this.failure = new AnswerMemoryExhausted(RETRY_AFTER_SECONDS);
    this.end?.(this.failure);
  }

  keep(): () => void {
    this.holders += 1;
    let isKeeping = true;
    return () => {
      if (!isKeeping) return;
      isKeeping = false;
      this.holders -= 1;
      if (this.holders === 0) this.free();
    };
  }

  free(): void {
    this.holders = 0;
    this.releaseAnswer();
    this.memory.shared.release(this.holder, this.bodyBytes + this.parsedBytes);
    this.bodyBytes = 0;
    this.parsedBytes = 0;
    this.memory.forget(this);
  }
}

/**
 * Bounds the memory of open inference requests, for each organization and in total (docs/limits.md#memory): of a body from before it is
 * read until its request has been answered and the work on it has ended, and of an answer from when it is read from a provider until it
 * has been sent.
 */
@Injectable()
export class InferenceMemory extends RequestMemories {
  readonly shared: SharedMemory;
  /** The requests that are open, by organization. */
  private readonly open = new Map<string, Set<HeldMemory>>();

  constructor({ inferenceMemoryPerOrganization: perOwner, inferenceMemory: inAll }: Environment) {
    super();
    this.shared = new SharedMemory({ perOwner, inAll });
  }

  of(holder: Required<MemoryHolder>, response: Response): HeldMemory {
    const memory = new HeldMemory(this, holder);
    const release = memory.keep();
    const ofOwner = this.open.get(holder.owner);
    if (ofOwner === undefined) this.open.set(holder.owner, new Set([memory]));
    else ofOwner.add(memory);
    if (response.closed) release();
    else response.once('close', release);
    return memory;
  }

  /** Ends the largest answer of the fullest key of an organization, unless one is ending already. @param asking the answer that waits */
  endLargest(asking: HeldMemory): void {
    const answers = [...(this.open.get(asking.holder.owner) ?? [])].filter((one) => one.isAnswering);
    if (answers.some(({ isEnding }) => isEnding)) return;
    const held = (one: HeldMemory): number => this.shared.heldBy(one.holder);
    const fullest = Math.max(...answers.map(held));
    const ofFullest = answers.filter((one) => held(one) === fullest);
    const largest = ofFullest.reduce((one, other) => (other.held > one.held ? other : one), ofFullest[0] ?? asking);
    largest.endAnswer();
  }

  /** Forgets a request that holds nothing any more. */
  forget(memory: HeldMemory): void {
    const { owner } = memory.holder;
    const ofOwner = this.open.get(owner);
    ofOwner?.delete(memory);
    if (ofOwner?.size === 0) this.open.delete(owner);
  }
}
