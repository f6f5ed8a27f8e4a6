import type { Response } from 'express';
import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import { eventStreamHead } from '../../../../http/json-head.js';
import { isLongerThan, LARGE_JSON } from '../../../../http/json-length.js';
import type { BrokenAnswers } from '../../../../http/broken-answers.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { LongWork } from '../../../../concurrency/long-work.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import type { StreamEvent } from '../../../codecs/client-codec.js';
import { writeChunk } from './chunked-body.js';
import { drained, hasClientLeft } from './client-reading.js';

/** Silence after which a keep-alive is sent, in ms: intermediaries close connections that are silent for longer. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** From which length on events are counted in the memory until they are sent, in UTF-16 code units. */
const LARGE_LENGTH = 16_384;

/** Within which time after a write a text is one of several that came together, in milliseconds. */
const AT_ONCE_MS = 1;

/** How many events are written without letting others use the event loop. */
const MANY_EVENTS = 512;

const COMMENTS = { specification: ': PROCESSING\n\n', public: ': OPENROUTER PROCESSING\n\n' } as const;

/**
 * The server-sent events of an answer (https://html.spec.whatwg.org/multipage/server-sent-events.html). Headers are
 * sent with the first event, so that an error can still have its own status; after 10 s without events a keep-alive comment is sent, and the
 * headers with it.
 */
export class EventStream {
  /** The event or comment that is sent after a silence. */
  private readonly keepAlive: string;
  private timer: NodeJS.Timeout;
  private lastSentAt = performance.now();
  /** What is sent once the work on all that came with it is done. */
  private unsent = '';

  /**
   * @param keepAlive the event that is sent after a silence; by default a comment in the words of the dialect
   * @param memory holds large events until they are sent
   * @param work takes turns of the event loop for long ones
   */
  constructor(
    private readonly response: Response,
    dialect: keyof typeof COMMENTS,
    keepAlive?: StreamEvent,
    private readonly memory: AnswerMemory = UNCOUNTED_MEMORY,
    private readonly work?: LongWork,
  ) {
    this.keepAlive = keepAlive === undefined ? COMMENTS[dialect] : serialized([keepAlive]);
    this.timer = this.wakeAfter(KEEP_ALIVE_AFTER_MS);
    response.once('close', () => clearTimeout(this.timer));
  }

  /** Whether the status has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /**
   * Sends events.
   *
   * @returns undefined where more can be sent at once, and otherwise what to wait for while the client does not read, which
   *   throws as this does
   * @throws ClientGoneError, AnswerMemoryExhausted
   */
  send(events: readonly StreamEvent[]): Promise<void> | undefined {
    if (hasClientLeft(this.response)) throw new ClientGoneError();
    if (events.length === 0) return undefined;
    if (events.length > MANY_EVENTS || events.some((event) => this.isLong(event))) return this.sendInTurns(events);
    const text = serialized(events);
    if (text.length >= LARGE_LENGTH) return this.sendLarge(text);
    return this.writeWithNext(text) ? undefined : this.drained();
  }

  /** Gives the stream up before its first event, because another answer is sent: a keep-alive would send the headers of a stream. */
  abandon(): void {
    clearTimeout(this.timer);
  }

  /**
   * Ends a stream that is complete with its last events. Some repeat all of a long answer.
   *
   * @throws ClientGoneError
   */
  async end(events: readonly StreamEvent[]): Promise<void> {
    await this.sendLast(events);
    this.response.end();
  }

  /**
   * Ends a stream that is not complete with the events that say why.
   *
   * @param brokenAnswers ends the answer
   * @throws ClientGoneError
   */
  async breakOff(events: readonly StreamEvent[], brokenAnswers: BrokenAnswers): Promise<void> {
    await this.sendLast(events);
    brokenAnswers.end(this.response);
  }

  private async sendLast(events: readonly StreamEvent[]): Promise<void> {
    clearTimeout(this.timer);
    if (hasClientLeft(this.response)) throw new ClientGoneError();
    // The memory of what they repeat is held with what is kept of the answer.
    const rest = await this.inTurns(events, (text) => this.writeRead(text));
    if (this.unsent + rest !== '') this.write(rest);
  }

  /** Lets others use the event loop before a long event, and between very many. */
  private turnFor(event: StreamEvent, index: number): Promise<void> | undefined {
    return this.isLong(event) || index % MANY_EVENTS === MANY_EVENTS - 1 ? this.work?.rest() : undefined;
  }

  private isLong({ data }: StreamEvent): boolean {
    return this.work !== undefined && typeof data === 'object' && isLongerThan(data, LARGE_JSON);
  }

  private async sendInTurns(events: readonly StreamEvent[]): Promise<void> {
    const rest = await this.inTurns(events, (text) => this.sendLarge(text));
    if (rest !== '') await this.sendLarge(rest);
  }

  /** Sends events in pieces. @returns what is left of the last one */
  private async inTurns(events: readonly StreamEvent[], send: (text: string) => Promise<void>): Promise<string> {
    let text = '';
    for (const [index, event] of events.entries()) {
      const turn = this.turnFor(event, index);
      if (turn !== undefined) await turn;
      text += serialized([event]);
      if (text.length < LARGE_LENGTH) continue;
      await send(text);
      text = '';
    }
    return text;
  }

  /** Writes a text, and waits for the client to read it where its connection holds no more. */
  private async writeRead(text: string): Promise<void> {
    if (hasClientLeft(this.response)) throw new ClientGoneError();
    if (!this.write(text)) await this.drained();
  }

  private async sendLarge(text: string): Promise<void> {
    // The text, and its bytes.
    const size = 2 * text.length;
    if (!this.memory.tryHold(size)) await this.memory.hold(size);
    try {
      if (hasClientLeft(this.response)) throw new ClientGoneError();
      if (!this.write(text)) await this.drained();
    } finally {
      this.memory.release(size);
    }
  }

  private wakeAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.sendKeepAlive(), milliseconds).unref();
  }

  /** Sends a keep-alive if there was no event meanwhile, else waits for the rest of the time: so events need no timers of their own. */
  private sendKeepAlive(): void {
    if (hasClientLeft(this.response)) return;
    const rest = this.lastSentAt + KEEP_ALIVE_AFTER_MS - performance.now();
    const canWrite = this.response.socket?.writableNeedDrain !== true;
    if (rest <= 0 && canWrite) this.write(this.keepAlive);
    this.timer = this.wakeAfter(rest <= 0 ? KEEP_ALIVE_AFTER_MS : Math.ceil(rest));
  }

  /**
   * Writes a text. What follows another at once, because it came from the provider in the same read, leaves in one write with all that does: a
   * write costs more than all else that is done for a chunk.
   *
   * @returns false where the connection should drain before more is written
   */
  private writeWithNext(text: string): boolean {
    const isAtOnce = performance.now() - this.lastSentAt < AT_ONCE_MS;
    if (!this.hasBegun || !isAtOnce || this.unsent.length + text.length >= LARGE_LENGTH) return this.write(text);
    if (this.unsent === '') process.nextTick(() => this.writeUnsent());
    this.unsent += text;
    return this.response.socket?.writableNeedDrain !== true;
  }

  private writeUnsent(): void {
    if (this.unsent !== '' && !hasClientLeft(this.response)) this.write('');
  }

  /** Writes what is unsent, and a text behind it. */
  private write(more: string): boolean {
    const text = this.unsent + more;
    this.unsent = '';
    this.lastSentAt = performance.now();
    if (this.hasBegun) return writeChunk(this.response, text);
    const request = this.response.req as GatehouseRequest;
    request.isStreamed = true;
    this.response.writeHead(200, eventStreamHead(request.requestId));
    return this.response.write(text);
  }

  private async drained(): Promise<void> {
    if (!(await drained(this.response))) throw new ClientGoneError();
  }
}

function serialized(events: readonly StreamEvent[]): string {
  let all = '';
  for (const { event, data } of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    all += event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
  }
  return all;
}
