import type { AnswerMemory } from '../../../../http/input/request-memory.js';

/** The growth that is counted, in bytes: to count less would cost every chunk of a stream more than it is worth. */
const STEP = 16_384;

/** The memory of what is kept of a streamed answer until its end. */
export class KeptMemory {
  private held = 0;

  constructor(private readonly memory: AnswerMemory) {}

  /**
   * Holds what is kept by now.
   *
   * @param bytes all of it, estimated
   * @returns undefined where it is held, and otherwise what to wait for
   * @throws AnswerMemoryExhausted
   */
  hold(bytes: number): Promise<void> | undefined {
    const more = bytes - this.held;
    if (more < STEP) return undefined;
    this.held = bytes;
    return this.memory.tryHold(more) ? undefined : this.memory.hold(more);
  }

  /** Holds nothing any more, because nothing is kept. */
  release(): void {
    if (this.held === 0) return;
    this.memory.release(this.held);
    this.held = 0;
  }
}
