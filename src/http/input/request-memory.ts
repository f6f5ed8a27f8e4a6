import type { Response } from 'express';
import type { MemoryHolder } from '../../concurrency/shared-memory.js';

/** What an answer holds of the memory of its request, in estimated bytes of the process (docs/limits.md#memory). */
export interface AnswerMemory {
  /**
   * Counts what an answer will take, before it is begun; what it then holds is taken from this first.
   *
   * @throws an error that is answered with 429 where there is no room
   */
  reserve(bytes: number): void;

  /** Counts more at once. @returns whether there is room; nothing is counted where there is none */
  tryHold(bytes: number): boolean;

  /**
   * Counts more, and waits for a second where there is no room. Then the largest answer of the fullest key of the organization is
   * ended, perhaps this one.
   *
   * @throws the error with which this one is ended
   */
  hold(bytes: number): Promise<void>;

  /** Counts less, because a part of the answer is no longer needed. */
  release(bytes: number): void;
}

/** Counts nothing: for answers that belong to no inference request, such as those to connection tests. */
export const UNCOUNTED_MEMORY: AnswerMemory = {
  reserve: () => undefined,
  tryHold: () => true,
  hold: () => Promise.resolve(),
  release: () => undefined,
};

/** What one request holds of the memory of the process, from before its body is read until it has been answered and the work on it has ended. */
export interface RequestMemory extends AnswerMemory {
  /** The bytes of the body. */
  readonly size: number;

  /** Whether the answer has been told to end, and its memory is not free yet. */
  readonly isEnding: boolean;

  /** Says whose share the memory counts toward, once that is known. @param member the key, or the Connect client of it and others */
  belongsTo(member: string): void;

  /**
   * Counts bytes of the body, but for a request that has been closed.
   *
   * @throws an error that is answered with 429 when there is no room for more of the organization or the key; nothing is counted then
   */
  take(bytes: number): void;

  /** Counts what the parsed body takes besides its bytes. @throws as {@link take} does */
  holdParsed(bytes: number): void;

  /** Says how the answer is ended when it is in the way of others. @param end is called once */
  endsWith(end: (error: Error) => void): void;

  /** Counts nothing of the answer any more, because another one is asked for. */
  releaseAnswer(): void;

  /** Keeps the memory from becoming free. @returns releases it, once however often it is called */
  keep(): () => void;

  /** Counts nothing any more. */
  free(): void;
}

/** Bounds the memory of requests whose bodies stay until they have been answered: the module that has such operations provides it. */
export abstract class RequestMemories {
  /** The memory of a request, held until its response is closed, or longer while another part of the service keeps it. */
  abstract of(holder: Required<MemoryHolder>, response: Response): RequestMemory;
}
