import { finished, type Readable } from 'node:stream';
import type { AnswerMemory } from '../../../api/input/inference-memory.js';
import type { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { ServerSentEvent, StreamDecoder, UpstreamTimeouts } from '../../codecs/upstream-codec.js';
import { parsableWeight } from '../../codecs/chat/document-extent.js';
import { readingFailure } from '../../codecs/errors/provider-error.js';
import { ClosingLimit } from './closing-limit.js';
import type { UpstreamExchange } from './upstream-exchange.js';
import { NoProgressLimit } from './no-progress-limit.js';
import { ServerSentEvents } from './server-sent-events.js';

/** The caller that waits for the next value. */
interface Waiting<Value> {
  resolve(next: IteratorResult<Value, undefined>): void;
  reject(error: unknown): void;
}

/** What was awaited, for the timeout message. */
const AWAITED = { firstEvent: 'no event', gap: 'no further event' } as const;

/** From which length on an event is counted in the memory, in UTF-16 code units: shorter ones are gone before others come. */
const LARGE_EVENT = 16_384;

/** From which length on an event takes a turn of the event loop of its own, in UTF-16 code units: one of 8 MiB is read in 100 ms and more. */
const LONG_EVENT = 262_144;

/** The bytes that a code unit takes at most. */
const UNIT_BYTES = 2;

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined };

/** The stream of an answer that a provider was asked for. */
export interface AskedStream {
  /** The exchange, which ends with the iteration. */
  readonly exchange: UpstreamExchange;
  readonly timeouts: UpstreamTimeouts;
  /** The organization that takes turns of the event loop for its events (docs/limits.md#event-loop). */
  readonly organizationId: string;
  /** Holds what has been read and not been taken, the last event for as long as its value is used, and what the form keeps. */
  readonly memory: AnswerMemory;
  /** The bytes of its events. */
  readonly body: Promise<Readable>;
}

/**
 * The values of the events of an answer, in the order in which they come. Nothing is asked for before the first value is, and no more is
 * read than values are taken. Not a chain of generators, because each of them would cost every event several promises.
 *
 * States, and what leads to the next one:
 *
 * - *unasked* until the first `next()`, which asks the provider: *opening*
 * - *opening* (`asked` is set) until the body is there: *waiting*, or *over* after an error
 * - *waiting* for a value (`waiting` is set), with the limits of the provider running. A part of the body, its end, its error (also that of an
 *   exceeded limit) or `closingLimit` calls `advance()`: *idle* with the next value, *over* with the last event, the end of the body or an
 *   error, or still *waiting*
 * - *waiting for a turn* (`awaitsTurn`), if other streams have used up the round of the event loop, or for a long event; the limits are
 *   stopped until the turn, which continues the *waiting*
 * - *waiting for memory* (`awaitsMemory`), if there is none for the next event; nothing is read from the provider meanwhile
 * - *idle* while the consumer has the value (`waiting` is undefined); the limits are stopped. `next()`: *waiting*
 * - *over* (`isOver`): nothing is read any more, and the exchange has ended. `return()` and errors lead here from every state
 *
 * Once the answer is complete (`form.hasFinished()`), `closingLimit` limits the waiting in place of the limit of the exchange.
 */
export class UpstreamEvents<Value> implements AsyncIterableIterator<Value, undefined> {
  private readonly events = new ServerSentEvents();
  private asked: AskedStream | undefined;
  private noProgress: NoProgressLimit | undefined;
  private closingLimit: ClosingLimit | undefined;
  private body: Readable | undefined;
  private waiting: Waiting<Value> | undefined;
  /** How the body ended: undefined while it goes on, null at its end. */
  private end: Error | null | undefined;
  private isOver = false;
  private stopListening: (() => void) | undefined;
  /** The limit of the wait for the next event. */
  private limit: keyof typeof AWAITED = 'firstEvent';
  /** Whether the stream waits for a turn of the event loop. */
  private awaitsTurn = false;
  /** Whether it waits for memory. */
  private awaitsMemory = false;
  /** The event that has been read and that memory is awaited for. */
  private pending: ServerSentEvent | undefined;
  /** What it takes, in bytes. */
  private pendingWeight = 0;
  /** Whether it may be read, because it is short or its turn has come. */
  private hasTurn = false;
  /** The bytes that are held. */
  private held = 0;
  /** Whether the limits of the provider are stopped until that turn, because the wait for it is not the provider's. */
  private isUnlimited = false;

  /** @param ask asks for the answer; what it throws, the iteration throws */
  constructor(
    private readonly ask: () => AskedStream,
    private readonly form: StreamDecoder<Value>,
    private readonly turns: LoopTurns,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next value. Callers wait for one before they ask for another. */
  next(): Promise<IteratorResult<Value, undefined>> {
    if (this.isOver) return Promise.resolve(DONE);
    return this.asked === undefined ? this.first() : this.following('gap');
  }

  /** Aborts the call: the consumer stopped reading. */
  return(): Promise<IteratorResult<Value, undefined>> {
    this.close(false);
    return Promise.resolve(DONE);
  }

  private async first(): Promise<IteratorResult<Value, undefined>> {
    this.asked = this.ask();
    const { gap, firstEvent } = this.asked.timeouts;
    this.noProgress = new NoProgressLimit(Math.max(gap, firstEvent));
    this.closingLimit = new ClosingLimit(gap, () => this.advance(true));
    try {
      this.listenTo(await this.asked.body);
    } catch (error) {
      throw this.failureOf(error);
    }
    return this.following('firstEvent');
  }

  private listenTo(body: Readable): void {
    const advance = (): void => this.advanceInTurn();
    const stopWatching = finished(body, { writable: false }, (error) => {
      this.end = error ?? null;
      if (this.awaitsMemory && this.end !== null) this.fail(this.end);
      else this.advanceInTurn();
    });
    body.on('readable', advance);
    this.stopListening = () => {
      body.off('readable', advance);
      stopWatching();
    };
    this.body = body;
  }

  private following(limit: keyof typeof AWAITED): Promise<IteratorResult<Value, undefined>> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.noProgress!.wait();
      this.limitWait(limit);
      this.advanceInTurn();
    });
  }

  private limitWait(limit: keyof typeof AWAITED): void {
    this.limit = limit;
    const { exchange, timeouts } = this.asked!;
    if (!this.form.hasFinished()) {
      exchange.limit.start(timeouts[limit], AWAITED[limit]);
      return;
    }
    exchange.limit.stop();
    this.closingLimit!.wait();
  }

  /** Advances in a turn of the event loop: many streams whose next events are there already would hold it. Until then nothing is read. */
  private advanceInTurn(): void {
    if (this.waiting === undefined || this.awaitsTurn || this.awaitsMemory) return;
    this.awaitsTurn = true;
    if (this.turns.piece(this.asked!.organizationId, this.takeTurn)) return;
    this.isUnlimited = true;
    this.stopLimits();
  }

  private readonly takeTurn = (): void => {
    this.awaitsTurn = false;
    if (this.isUnlimited) {
      this.isUnlimited = false;
      if (this.waiting !== undefined && !this.isOver) this.limitWait(this.limit);
    }
    this.advance();
  };

  /** Waits for a turn in which nothing else is done than to read this event, and what follows from it. */
  private awaitLongTurn(): void {
    this.awaitsTurn = true;
    this.isUnlimited = true;
    this.stopLimits();
    void this.turns.next(this.asked!.organizationId).then(() => {
      this.hasTurn = true;
      this.takeTurn();
    });
  }

  private stopLimits(): void {
    this.asked!.exchange.limit.stop();
    this.closingLimit!.stop();
  }

  /** Gives the waiting caller what has come. @param isLate whether the end of a complete answer has taken too long */
  private advance(isLate = false): void {
    const { waiting } = this;
    if (waiting === undefined || this.awaitsMemory) return;
    try {
      if (isLate) this.finish(false);
      const next = this.isOver ? DONE : this.taken();
      if (next === undefined) return;
      this.waiting = undefined;
      this.stopLimits();
      waiting.resolve(next);
    } catch (error) {
      this.waiting = undefined;
      waiting.reject(this.failureOf(error));
    }
  }

  /** Takes the next value. @returns undefined while nothing has come */
  private taken(): IteratorResult<Value, undefined> | undefined {
    for (;;) {
      const event = this.pending ?? this.events.take();
      if (event === undefined) {
        if (!this.hasMemoryFor(this.events.unfinishedLength * UNIT_BYTES + this.keptBytes)) return undefined;
        if (this.readPiece()) continue;
        return this.isOver ? DONE : undefined;
      }
      if (this.pending === undefined) {
        this.pending = event;
        this.pendingWeight = event.data.length < LARGE_EVENT ? 0 : (parsableWeight(event.data) ?? 0);
        this.hasTurn = event.data.length < LONG_EVENT;
      }
      if (!this.hasMemoryFor(this.pendingWeight + this.keptBytes)) return undefined;
      if (!this.hasTurn) {
        this.awaitLongTurn();
        return undefined;
      }
      this.pending = undefined;
      const value = this.valueOf(event);
      const isLast = this.form.isLast(event);
      if (value !== undefined && this.form.hasAnswerPart(value)) this.noProgress!.reset();
      else if (!isLast) this.noProgress!.addSilence();
      if (isLast) this.finish(true);
      if (value !== undefined) return { done: false, value };
      if (this.isOver) return DONE;
      this.limitWait('gap');
    }
  }

  private get keptBytes(): number {
    return this.form.keptBytes ?? 0;
  }

  private valueOf(event: ServerSentEvent): Value | undefined {
    try {
      return this.form.read(event);
    } catch (error) {
      throw readingFailure(error);
    }
  }

  /** Holds so many bytes in place of those that are held. @returns whether there is room for them; else it is waited for */
  private hasMemoryFor(bytes: number): boolean {
    const more = bytes - this.held;
    // Small changes are not worth a look at what all others hold.
    if (Math.abs(more) < LARGE_EVENT) return true;
    const { memory } = this.asked!;
    if (more <= 0) memory.release(-more);
    else if (!memory.tryHold(more)) {
      this.awaitMemory(more);
      return false;
    }
    this.held = bytes;
    return true;
  }

  /** Reads nothing until there is memory. */
  private awaitMemory(more: number): void {
    this.awaitsMemory = true;
    this.stopLimits();
    this.asked!.memory.hold(more).then(
      () => {
        this.held += more;
        if (this.isOver) this.releaseAll();
        if (!this.awaitsMemory) return;
        this.awaitsMemory = false;
        if (this.waiting !== undefined && !this.isOver) this.limitWait(this.limit);
        this.advanceInTurn();
      },
      (error: unknown) => this.fail(error),
    );
  }

  /** Ends the iteration with an error although it waits for memory. */
  private fail(error: unknown): void {
    const { waiting } = this;
    this.awaitsMemory = false;
    this.waiting = undefined;
    waiting?.reject(this.failureOf(error));
  }

  private releaseAll(): void {
    this.asked?.memory.release(this.held);
    this.held = 0;
  }

  /** Reads a piece of the body. @returns whether there are bytes to take events from */
  private readPiece(): boolean {
    const body = this.body!;
    const piece = body.destroyed ? null : (body.read() as Uint8Array | null);
    if (piece !== null) {
      this.events.add(piece);
      return true;
    }
    if (this.end === undefined) return false;
    if (this.end !== null) throw this.end;
    // The end of the body may complete an event.
    if (this.events.end()) return true;
    this.finish(false);
    return false;
  }

  private finish(isComplete: boolean): void {
    this.close(isComplete);
    this.form.ended();
  }

  private failureOf(error: unknown): unknown {
    const failure = this.asked!.exchange.failureOf(error);
    this.close(false);
    return failure;
  }

  /** Ends the iteration. @param isComplete whether the rest of the body may still be read, so that the connection can be used again */
  private close(isComplete: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    this.closingLimit?.stop();
    this.stopListening?.();
    this.releaseAll();
    if (isComplete) this.asked?.exchange.leaveRest();
    this.asked?.exchange.end();
  }
}
