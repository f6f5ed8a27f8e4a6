import { isAscii } from 'node:buffer';
import { DONE } from '../../codecs/client-codec.js';
import { parsed } from '../../codecs/chat/json-values.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { ServerSentEvent } from '../../codecs/upstream-codec.js';
import { createParser, type ParseError } from 'eventsource-parser';

/** UTF-16 code units of one event, with what stands before it, where nothing says otherwise. */
export const MAXIMUM_EVENT_LENGTH = 8 * 1024 * 1024;

/** Lines of no known form before one event: the parser makes an error of each, which takes a thousand times as long as another line. */
const MAXIMUM_ODD_LINES = 10_000;

/** Bytes that are parsed at once: the parser searches the rest of what it is given for each line that a CR ends. */
const SLICE = 8 * 1024;

const CARRIAGE_RETURN = 0x0d;

/** From which on bytes belong to a character of several. */
const BEYOND_ASCII = 0x80;

/** How JSON begins, and no event. */
const BEGIN_OF_DOCUMENT = /^\s*[{[]/;

const NOTHING = new Uint8Array(0);

/**
 * Reads the events of a stream in the order in which they come. Comments, ids and retry times are left out, and so is an event whose
 * data the end of the stream cuts. No more is parsed than events are taken.
 */
export class ServerSentEvents {
  private readonly decoder = new TextDecoder();
  private readonly parser = createParser({
    onEvent: ({ event, data }) => this.events.push({ event, data }),
    onError: (error) => this.addOdd(error),
  });
  private events: ServerSentEvent[] = [];
  private taken = 0;
  /** UTF-16 code units that were read since the last event. */
  private withoutEvent = 0;
  /** How many lines of no known form were read since the last event. */
  private oddLines = 0;
  private piece: Uint8Array = NOTHING;
  /** How much of the piece is parsed. */
  private position = 0;
  private last: number | undefined;
  /** Whether the bytes that were decoded end with a whole character, and the first of the stream were among them. */
  private isBetweenCharacters = false;
  /** The pieces of a document that came in place of events; undefined for events, and null before any text. */
  private document: string[] | null | undefined = null;

  /** @param longest UTF-16 code units of one event, with what stands before it */
  constructor(private readonly longest = MAXIMUM_EVENT_LENGTH) {}

  /** UTF-16 code units that are kept of an event that has not come whole. */
  get unfinishedLength(): number {
    return this.withoutEvent;
  }

  /** Adds bytes, cut anywhere, when no event is left to {@link take}. */
  add(piece: Uint8Array): void {
    this.piece = piece;
    this.position = 0;
    this.last = piece.at(-1) ?? this.last;
  }

  /**
   * Takes the next event of the bytes that were added.
   *
   * @returns undefined if there is none
   * @throws ProviderError for more than the longest event, or 10,000 lines of no known form, without an event
   */
  take(): ServerSentEvent | undefined {
    for (;;) {
      const event = this.events[this.taken];
      if (event !== undefined) {
        this.taken += 1;
        return event;
      }
      if (this.withoutEvent > this.longest) {
        throw new ProviderError(
          'invalid',
          `The provider sent more than ${Math.round(this.longest / 2 ** 20)} MiB without an event.`,
        );
      }
      if (this.oddLines > MAXIMUM_ODD_LINES) {
        throw new ProviderError('invalid', 'The provider sent something else than a stream of events.');
      }
      if (this.position >= this.piece.length) return undefined;
      const end = this.position + SLICE;
      this.feed(this.decoded(this.piece.subarray(this.position, end)));
      this.position = end;
    }
  }

  /**
   * Ends the stream: no more bytes come. An event whose data is whole ends with it: some servers leave out the blank line behind their last
   * one, and the parser waits for the LF that may follow a CR.
   *
   * @returns whether that has completed an event
   */
  end(): boolean {
    if (Array.isArray(this.document)) return this.endDocument(this.document);
    if (this.last === undefined) return false;
    this.feed(this.last === CARRIAGE_RETURN ? '\n' : '');
    this.last = undefined;
    if (this.events.length > 0) return true;
    this.feed('\n\n');
    this.events = this.events.filter(({ data }) => isWhole(data));
    return this.events.length > 0;
  }

  /** The text of some bytes. The decoder takes four times as long for those of ASCII, as most are. */
  private decoded(bytes: Uint8Array): string {
    if (this.isBetweenCharacters && isAscii(bytes)) {
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    }
    this.isBetweenCharacters = bytes.at(-1)! < BEYOND_ASCII;
    return this.decoder.decode(bytes, { stream: true });
  }

  /** Some servers write a failure as a field of its own, `error: {...}`, which the standard does not know: it is one more event. */
  private addOdd({ field, value }: ParseError): void {
    if (field === 'error') this.events.push({ event: field, data: value ?? '' });
    else this.oddLines += 1;
  }

  /** No line of an event begins with a bracket. */
  private isOfDocument(text: string): boolean {
    if (this.document === null && text.trim() !== '') this.document = BEGIN_OF_DOCUMENT.test(text) ? [] : undefined;
    return Array.isArray(this.document);
  }

  /** Google sends some failures so, though events were asked for. */
  private endDocument(pieces: readonly string[]): boolean {
    this.document = undefined;
    this.feed(asEventStream(pieces.join('')));
    return true;
  }

  private feed(text: string): void {
    this.events = [];
    this.taken = 0;
    this.withoutEvent += text.length;
    if (this.isOfDocument(text)) {
      this.document!.push(text);
      return;
    }
    this.parser.feed(text);
    if (this.events.length > 0) [this.withoutEvent, this.oddLines] = [0, 0];
  }
}

/** Whether the data of an event that the end of its stream has completed are whole, and no beginning of more. */
function isWhole(data: string): boolean {
  return data === DONE.data || parsed(data) !== undefined;
}

/**
 * Writes a document as a stream that says it in one event, and then ends as that of OpenAI's form does.
 *
 * @param document JSON, in which ends of lines mean nothing
 */
export function asEventStream(document: string): string {
  return `data: ${document.replaceAll(/[\r\n]/g, ' ')}\n\ndata: [DONE]\n\n`;
}
