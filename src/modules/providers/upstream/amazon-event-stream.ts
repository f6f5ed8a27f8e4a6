import { crc32 } from 'node:zlib';
import { brokenOff } from '../../codecs/event-document.js';
import { nonEmptyText, objectOf, parsed } from '../../codecs/chat/json-values.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { ServerSentEvent } from '../../codecs/upstream-codec.js';
import { MAXIMUM_EVENT_LENGTH } from './server-sent-events.js';

/** The total length of a message, the length of its headers, and a checksum of both. */
const PRELUDE_BYTES = 12;

/** What a message has besides its headers and its payload: the prelude, and a checksum of everything before it. */
const FRAME_BYTES = 16;

const CHECKSUM_BYTES = 4;

/** The longest headers of a message, in bytes. */
const MAXIMUM_HEADERS_LENGTH = 128 * 1024;

/** The types of the values of headers that are a length and then bytes, or text of UTF-8. */
const [BYTES, TEXT] = [6, 7];

/** The bytes of the values of the other types: true, false, integers of four sizes, a time and a UUID. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const NOTHING = Buffer.alloc(0);

/**
 * Reads the messages of Amazon's binary event streams (`application/vnd.amazon.eventstream`,
 * https://smithy.io/2.0/aws/amazon-eventstream.html) as events, in the order in which they come. Both checksums and all lengths of a
 * message are checked: nothing is skipped. Exceptions and errors become events of the name `error`, and what `InvokeModel` wraps in
 * base64 is unwrapped. No more is read than events are taken.
 */
export class AmazonEvents {
  /** Bytes that have not been read. */
  private pieces: Buffer[] = [];
  private length = 0;
  /** How many bytes have to be there before anything can be read: a prelude, then the message that it begins. */
  private awaited = PRELUDE_BYTES;

  /** UTF-16 code units, as which bytes that have not come whole are counted. */
  get unfinishedLength(): number {
    return this.length;
  }

  /** Adds bytes, cut anywhere. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.length += piece.length;
  }

  /**
   * Takes the next event of the bytes that were added.
   *
   * @returns undefined if there is none
   * @throws ProviderError for a message that is too long, that a checksum does not fit, or that is of no known form
   */
  take(): ServerSentEvent | undefined {
    if (this.length < this.awaited) return undefined;
    const bytes = this.joined();
    if (this.awaited === PRELUDE_BYTES) this.awaited = messageLengthOf(bytes);
    if (this.length < this.awaited) return undefined;
    const message = bytes.subarray(0, this.awaited);
    this.length -= message.length;
    this.pieces = this.length === 0 ? [] : [bytes.subarray(message.length)];
    this.awaited = PRELUDE_BYTES;
    return eventOf(message);
  }

  /**
   * Ends the stream: no more bytes come.
   *
   * @returns false, because that completes no event
   * @throws ProviderError if a message has begun
   */
  end(): boolean {
    if (this.length > 0) throw brokenOff();
    return false;
  }

  private joined(): Buffer {
    if (this.pieces.length > 1) this.pieces = [Buffer.concat(this.pieces, this.length)];
    return this.pieces[0] ?? NOTHING;
  }
}

/** @throws ProviderError for a prelude that its checksum does not fit, or whose lengths cannot be */
function messageLengthOf(bytes: Buffer): number {
  requireChecksum(bytes.subarray(0, PRELUDE_BYTES));
  const [length, headers] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  if (length > MAXIMUM_EVENT_LENGTH) throw invalid('of more than 8 MiB');
  if (headers > MAXIMUM_HEADERS_LENGTH || FRAME_BYTES + headers > length) throw invalid('with wrong lengths');
  return length;
}

/** @param bytes with their checksum at the end */
function requireChecksum(bytes: Buffer): void {
  const end = bytes.length - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw invalid('with a wrong checksum');
}

function eventOf(message: Buffer): ServerSentEvent {
  requireChecksum(message);
  const end = PRELUDE_BYTES + message.readUInt32BE(4);
  const headers = headersOf(message.subarray(PRELUDE_BYTES, end));
  const payload = message.toString('utf8', end, message.length - CHECKSUM_BYTES);
  switch (headers.get(':message-type')) {
    case 'event':
      return unwrapped({ event: headers.get(':event-type'), data: payload });
    case 'exception':
      return failure(headers.get(':exception-type'), objectOf(parsed(payload)) ?? { message: payload });
    case 'error':
      return failure(headers.get(':error-code'), { message: headers.get(':error-message') });
    default:
      throw invalid('of an unknown type');
  }
}

/** The texts among the headers of a message, by their names. */
function headersOf(bytes: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let at = 0;
  const next = (length: number): Buffer => {
    if (at + length > bytes.length) throw invalid('with broken headers');
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const name = next(next(1).readUInt8()).toString();
    const type = next(1).readUInt8();
    const size = type === BYTES || type === TEXT ? next(2).readUInt16BE() : SIZES.get(type);
    if (size === undefined) throw invalid('with broken headers');
    const value = next(size);
    if (type === TEXT) texts.set(name, value.toString());
  }
  return texts;
}

/** The event of a model's own form within one of `InvokeModel`; any other is itself. */
function unwrapped(event: ServerSentEvent): ServerSentEvent {
  if (event.event !== 'chunk') return event;
  const bytes = nonEmptyText(objectOf(parsed(event.data))?.['bytes']);
  if (bytes === undefined || !BASE64.test(bytes)) throw invalid('without the bytes of its model');
  return { event: undefined, data: Buffer.from(bytes, 'base64').toString() };
}

/** A failure in the form that every dialect reads. */
function failure(word: string | undefined, fields: object): ServerSentEvent {
  return { event: 'error', data: JSON.stringify({ error: { ...fields, type: word } }) };
}

function invalid(what: string): ProviderError {
  return new ProviderError('invalid', `The provider sent a message ${what} in its stream.`);
}
