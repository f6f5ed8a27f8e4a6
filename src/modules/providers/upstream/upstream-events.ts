import type { Readable } from 'node:stream';
import type { AnswerMemory } from '../../../http/input/request-memory.js';
import type { LoopTurns } from '../../../concurrency/loop-turns.js';
import { parsableWeight } from '../../codecs/chat/document-extent.js';
import { ProviderError, readingFailure } from '../../codecs/errors/provider-error.js';
import type { ServerSentEvent, StreamDecoder, UpstreamTimeouts } from '../../codecs/upstream-codec.js';
import { withinWork } from '../../codecs/chat/answer-work.js';
import { BodyPieces } from './body-pieces.js';
import type { UpstreamExchange } from './upstream-exchange.js';

/** What was awaited, for the timeout message. */
const AWAITED = { firstEvent: 'no event', gap: 'no further event' } as const;

/** The longest time without content, in milliseconds: models may think for many minutes, in which some providers send only signs of life. */
const MAXIMUM_SILENCE_MS = 30 * 60_000;

/** The longest wait for the end of a stream whose answer is complete, in milliseconds: some providers never end it. */
const MAXIMUM_END_MS = 5_000;

/** From which length on an event is counted in the memory, in UTF-16 code units: shorter ones are gone before others come. */
const LARGE_EVENT = 16_384;

/** From which length on an event takes a turn of the event loop of its own, in UTF-16 code units: one of 8 MiB is read in 100 ms and more. */
const LONG_EVENT = 262_144;

/** The bytes that a code unit takes at most. */
const UNIT_BYTES = 2;

/** Reads the events of a body, whatever form they have there. */
export interface EventReader {
  /** What is kept of an event that has not come whole, in UTF-16 code units. */
  readonly unfinishedLength: number;
  /** Adds bytes, cut anywhere, when no event is left to take. */
  add(piece: Uint8Array): void;
  /** Takes the next event of the bytes that were added. @returns undefined if there is none @throws ProviderError for one that is too long, or of no known form */
  take(): ServerSentEvent | undefined;
  /** Ends the stream: no more bytes come. @returns whether that may have completed an event @throws ProviderError for a form in which it cuts one */
  end(): boolean;
}

/** The body of a stream, and what reads its events. */
export interface EventBody {
  readonly body: Readable;
  readonly events: EventReader;
}

/** The stream of an answer that a provider was asked for. */
export interface AskedStream {
  /** The exchange, which ends with the iteration. */
  readonly exchange: UpstreamExchange;
  readonly timeouts: UpstreamTimeouts;
  /** The organization that takes turns of the event loop for its events (docs/limits.md#event-loop). */
  readonly organizationId: string;
  readonly signal: AbortSignal;
  /** Holds what has been read and not been taken, the last event for as long as its value is used, and what the decoder keeps. */
  readonly memory: AnswerMemory;
  /** The bytes of its events, and their form. */
  readonly body: Promise<EventBody>;
}

/**
 * The values of the events of an answer, in the order in which they come. Nothing is asked for before the first value is, and no more is
 * read than values are taken. Leaving the iteration ends the exchange.
 *
 * @param ask asks for the answer; what it throws, the iteration throws
 * @param decoder reads the events
 * @param turns shares the event loop: many streams whose next events are there already would hold it
 * @throws ProviderError, AnswerMemoryExhausted, or the reason of the signal
 */
export async function* upstreamEvents<Value>(
  ask: () => AskedStream,
  decoder: StreamDecoder<Value>,
  turns: LoopTurns,
): AsyncGenerator<Value, void, undefined> {
  const asked = ask();
  const { exchange, organizationId } = asked;
  const held = new HeldBytes(asked);
  try {
    const source = new EventSource(await asked.body, asked, decoder, held, turns);
    for (let event = await source.next(); event !== undefined; event = await source.next()) {
      const { length } = event.data;
      const holding = held.set(
        (length < LARGE_EVENT ? 0 : (parsableWeight(event.data) ?? 0)) + (decoder.keptBytes ?? 0),
      );
      if (holding !== undefined) await holding;
      if (length >= LONG_EVENT) await turns.next(organizationId);
      const value = valueOf(decoder, event);
      const isLast = decoder.isLast(event);
      if (value !== undefined && decoder.hasAnswerPart(value)) source.hasProgressed();
      else if (!isLast) source.requireProgress();
      if (isLast) {
        held.releaseAll();
        // So that the connection can be used again.
        source.leave();
        exchange.leaveRest();
        exchange.end();
        decoder.ended();
      }
      if (value !== undefined) yield value;
      if (isLast) return;
    }
    decoder.ended();
  } catch (error) {
    throw exchange.failureOf(error);
  } finally {
    held.releaseAll();
    exchange.end();
  }
}

function valueOf<Value>(decoder: StreamDecoder<Value>, event: ServerSentEvent): Value | undefined {
  try {
    return withinWork(event.data.length, () => decoder.read(event));
  } catch (error) {
    throw readingFailure(error);
  }
}

/** Reads the events of a body, and limits how long the provider is waited for: only time in which nothing else is waited for counts. */
class EventSource {
  private readonly events: EventReader;
  private readonly pieces: BodyPieces;
  /** Whether no event is left of the bytes that were added. */
  private isDrained = true;
  private awaited: keyof typeof AWAITED = 'firstEvent';
  /** Since when the provider is waited for; undefined while it is not. */
  private waitingSince: number | undefined;
  /** How long events were waited for since the last one with content, in milliseconds. */
  private silentMs = 0;
  /** How long it may still be waited for once the answer is complete: events without content could continue for ever. */
  private closingMs: number;

  constructor(
    { body, events }: EventBody,
    private readonly asked: AskedStream,
    private readonly decoder: Pick<StreamDecoder<unknown>, 'hasFinished' | 'keptBytes'>,
    private readonly held: HeldBytes,
    private readonly turns: LoopTurns,
  ) {
    this.events = events;
    this.pieces = new BodyPieces(body);
    this.closingMs = Math.min(MAXIMUM_END_MS, asked.timeouts.gap);
  }

  /** The next event. @returns undefined at the end of the body, or where the end of a complete answer has taken too long */
  async next(): Promise<ServerSentEvent | undefined> {
    const began = performance.now();
    for (;;) {
      if (!this.isDrained) {
        const turn = this.turn();
        // Every wait costs, and nearly no event has to.
        if (turn !== undefined) await this.unwaited(turn);
        const event = this.events.take();
        if (event !== undefined) {
          this.endWait();
          this.silentMs += performance.now() - began;
          this.awaited = 'gap';
          return event;
        }
        this.isDrained = true;
      }
      const holding = this.held.set(this.events.unfinishedLength * UNIT_BYTES + (this.decoder.keptBytes ?? 0));
      if (holding !== undefined) await this.unwaited(holding);
      this.beginWait();
      const piece = this.piece();
      if (piece === undefined) {
        await this.pieces.coming();
        continue;
      }
      if (piece !== null) this.events.add(piece);
      // The end of the body may complete an event.
      else if (!this.events.end()) return undefined;
      this.isDrained = false;
    }
  }

  /** Leaves what has not been read of the body. */
  leave(): void {
    this.pieces.leave();
  }

  /** An event with content has come. */
  hasProgressed(): void {
    this.silentMs = 0;
  }

  /** An event without content has come. @throws ProviderError once there was none with content for too long */
  requireProgress(): void {
    const { gap, firstEvent } = this.asked.timeouts;
    const longest = Math.max(MAXIMUM_SILENCE_MS, gap, firstEvent);
    if (this.silentMs <= longest) return;
    throw new ProviderError('timeout', `The provider sent nothing of its answer within ${longest} ms.`);
  }

  /** @returns undefined where it has come, and otherwise what to wait for */
  private turn(): Promise<void> | undefined {
    let begin: (() => void) | undefined;
    // Nearly every event is at once, and needs no promise.
    if (this.turns.piece(this.asked.organizationId, () => begin?.())) return undefined;
    return new Promise((resolve) => (begin = resolve));
  }

  /** Waits for something else than the provider. */
  private async unwaited(other: Promise<void>): Promise<void> {
    this.endWait();
    await other;
  }

  /** What has come of the body. @returns undefined for nothing, and null at its end, or where the end of a complete answer has taken too long */
  private piece(): Uint8Array | null | undefined {
    try {
      return this.pieces.take();
    } catch (error) {
      const isLate = error instanceof ProviderError && error.kind === 'timeout';
      if (isLate && this.decoder.hasFinished()) return null;
      throw error;
    }
  }

  /** Goes on with the wait for an event: what comes before it, such as comments, does not begin a new one. */
  private beginWait(): void {
    if (this.waitingSince !== undefined) return;
    this.waitingSince = performance.now();
    const { exchange, timeouts } = this.asked;
    const longest = this.decoder.hasFinished() ? Math.max(0, this.closingMs) : timeouts[this.awaited];
    exchange.limit.start(longest, AWAITED[this.awaited]);
  }

  private endWait(): void {
    if (this.waitingSince === undefined) return;
    this.asked.exchange.limit.stop();
    if (this.decoder.hasFinished()) this.closingMs -= performance.now() - this.waitingSince;
    this.waitingSince = undefined;
  }
}

class HeldBytes {
  private held = 0;
  private isReleased = false;

  constructor(private readonly asked: AskedStream) {}

  /**
   * Holds so many bytes in place of those that are held.
   *
   * @returns undefined where they are held, and otherwise what to wait for, which throws the reason of the signal, or AnswerMemoryExhausted
   */
  set(bytes: number): Promise<void> | undefined {
    const more = bytes - this.held;
    // Small changes are not worth a look at what all others hold.
    if (Math.abs(more) < LARGE_EVENT) return undefined;
    const { memory } = this.asked;
    if (more > 0 && !memory.tryHold(more)) return this.hold(more);
    if (more < 0) memory.release(-more);
    this.held = bytes;
    return undefined;
  }

  releaseAll(): void {
    this.isReleased = true;
    this.asked.memory.release(this.held);
    this.held = 0;
  }

  private hold(more: number): Promise<void> {
    const { memory, signal } = this.asked;
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', leave);
      memory
        .hold(more)
        .then(() => {
          this.held += more;
          if (this.isReleased) this.releaseAll();
          resolve();
        }, reject)
        .finally(() => signal.removeEventListener('abort', leave));
    });
  }
}
