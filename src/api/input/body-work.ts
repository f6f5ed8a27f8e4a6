import type { Response } from 'express';
import { LongWork } from '../../concurrency/long-work.js';
import type { LoopTurns } from '../../concurrency/loop-turns.js';
import { ClientGoneError, clientSignal } from '../client-signal.js';

/** From this size on the steps that read all of a body take several turns, in bytes: less is done in some milliseconds. */
const LARGE_BODY = 256 * 1024;

/** The work on one body, which shares the event loop with other work if the body is large (docs/limits.md#event-loop). */
export class BodyWork {
  private bytes = 0;
  private work: LongWork | undefined;

  constructor(
    private readonly turns: LoopTurns,
    private readonly organizationId: string,
    private readonly response: Response,
  ) {}

  /** Set for a large body: code that reads all of it continues this work. */
  get long(): LongWork | undefined {
    return this.work;
  }

  /** Waits for the turn of the first step. @param bytes the size of the body @throws as {@link turn} does */
  async begin(bytes: number): Promise<void> {
    this.bytes = bytes;
    await this.turn();
    if (bytes >= LARGE_BODY) this.work = new LongWork(this.turns, this.organizationId, clientSignal(this.response));
  }

  /** Waits until another step may hold the event loop. @throws ClientGoneError */
  async turn(): Promise<void> {
    await this.turns.nextIfLarge(this.organizationId, this.bytes);
    if (this.response.closed) throw new ClientGoneError();
  }
}
