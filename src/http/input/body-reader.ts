import { isAscii, isUtf8 } from 'node:buffer';
import { BadRequestError } from '../errors/bad-request-error.js';
import {
  BodyTooLarge,
  INVALID_PARAMETERS,
  MALFORMED_BODY,
  MALFORMED_JSON,
  UNSUPPORTED_CONTENT_TYPE,
  UNSUPPORTED_FORM_TYPE,
  UnsupportedContentEncoding,
} from '../errors/request.errors.js';
import type { GatehouseRequest } from '../request.js';
import type { BodyShare } from './body-memory.js';
import type { BodyWork } from './body-work.js';
import { BODY_BOUNDS, characterBytes, extentWithin, type JsonBounds, parsedIfJson } from './json-bounds.js';
import { ReceivedBytes } from './received-bytes.js';

/** How much of a body is taken in at a time, in bytes. */
const INTAKE_BYTES = 524_288;

/** What a chunk counts for at least, in bytes: the smallest take as long as one of this size. */
const CHUNK_WORK = 256;

/** What a parsed value takes besides its text, in bytes of the heap. */
const VALUE_BYTES = 64;

const EXCESS_MESSAGES: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `must not be nested deeper than ${BODY_BOUNDS.depth} levels`,
  values: `must not hold more than ${BODY_BOUNDS.values} values`,
};

/** The media type of bodies, unless an operation takes others. */
const JSON_TYPES: readonly string[] = ['application/json'];

/** How a body is read, and what that shares with the reading of others. */
export interface BodyReading {
  /** The media types that it may have, in lower case; {@link JSON_TYPES} if absent. */
  readonly types?: readonly string[];
  /** Media types that the operation takes besides, and that are read elsewhere. */
  readonly otherTypes?: readonly string[];
  /** Reserves memory for the body while it is read. */
  readonly share: BodyShare;
  readonly work: BodyWork;
}

/**
 * Reads a request's body as JSON (RFC 8259).
 *
 * It runs after the guard, so that a caller without a credential cannot make the service read or parse a body.
 *
 * @param limitBytes the body limit, in bytes
 * @returns the parsed value, of any JSON type
 * @throws BadRequestError for another content type, invalid UTF-8, malformed JSON or JSON beyond {@link BODY_BOUNDS}
 * @throws UnsupportedContentEncoding for a body that is compressed
 * @throws BodyTooLarge for a body that is larger than the limit, by its Content-Length or as it arrives
 * @throws TooManyUnfinishedBodies when too many bodies of the same sender are incomplete
 */
export async function readJsonBody(
  request: GatehouseRequest,
  limitBytes: number,
  reading: BodyReading,
): Promise<unknown> {
  const { types = JSON_TYPES, otherTypes = [] } = reading;
  if (!types.some((type) => hasType(request, type))) {
    throw BadRequestError.of([UNSUPPORTED_CONTENT_TYPE.at('', [...types, ...otherTypes])]);
  }
  return readBytes(request, limitBytes, reading, (received) => parseJson(received, reading));
}

/**
 * Reads a request's body as the text of a form (application/x-www-form-urlencoded), which is not decoded yet.
 *
 * @param limitBytes the body limit, in bytes
 * @throws BadRequestError for another content type, and for what is not in ASCII, as encoded forms are
 * @throws UnsupportedContentEncoding, BodyTooLarge, TooManyUnfinishedBodies as {@link readJsonBody} does
 */
export async function readFormText(
  request: GatehouseRequest,
  limitBytes: number,
  reading: BodyReading,
): Promise<string> {
  if (!hasType(request, 'application/x-www-form-urlencoded')) throw BadRequestError.of([UNSUPPORTED_FORM_TYPE.at('')]);
  return readBytes(request, limitBytes, reading, async (received) => {
    await reading.work.begin(received.length);
    const bytes = received.take();
    if (!isAscii(bytes)) throw BadRequestError.of([MALFORMED_BODY.at('', 'the body is not an encoded form')]);
    return new TextDecoder().decode(bytes);
  });
}

async function readBytes<Value>(
  request: GatehouseRequest,
  limitBytes: number,
  { share }: BodyReading,
  parse: (received: ReceivedBytes) => Promise<Value>,
): Promise<Value> {
  const received = new ReceivedBytes();
  return readChunks(request, limitBytes, share, {
    add: (chunk) => received.add(chunk),
    finish: () => parse(received),
  });
}

/** What takes a body as it arrives. */
export interface ChunkSink<Value> {
  /** @throws what the body is refused with */
  readonly add: (chunk: Buffer) => void;
  /** Is called when all of it has come. @returns what has become of it @throws what the body is refused with */
  readonly finish: () => Promise<Value>;
}

/**
 * Reads a request's body of any kind, in the chunks that it comes in.
 *
 * @param share reserves memory for the body until it has become a value
 * @throws UnsupportedContentEncoding, BodyTooLarge, TooManyUnfinishedBodies as {@link readJsonBody} does, and what the sink throws
 * @throws BadRequestError for a body that breaks off
 */
export async function readChunks<Value>(
  request: GatehouseRequest,
  limitBytes: number,
  share: BodyShare,
  { add, finish }: ChunkSink<Value>,
): Promise<Value> {
  if (isEncoded(request.headers['content-encoding'])) {
    throw new UnsupportedContentEncoding();
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyTooLarge({ limit_bytes: limitBytes });
  askFor(request);
  try {
    await takeChunks(request, limitBytes, share, add);
    return await finish();
  } finally {
    share.release();
  }
}

/** Asks for the body where the client waits for that: as late as this, so that it sends none that is refused. */
function askFor(request: GatehouseRequest): void {
  if (request.awaitsContinue !== true) return;
  request.awaitsContinue = false;
  request.res!.writeContinue();
}

/** Whether a request has a body, possibly a malformed one (RFC 9112, section 6.3). */
export function hasBody({ headers }: GatehouseRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether the content is of a media type, in UTF-8. */
function hasType(request: GatehouseRequest, wanted: string): boolean {
  const [, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return isOfType(request, wanted) && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

/** Whether the content is of a media type, whatever its parameters are. @param wanted in lower case */
export function isOfType({ headers }: GatehouseRequest, wanted: string): boolean {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() === wanted;
}

/** Whether the content has an encoding such as gzip (RFC 9110, section 8.4). */
function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !['', 'identity'].includes(contentEncoding.trim().toLowerCase());
}

/**
 * Has a body taken in a part at a time, because reading many large ones at once holds the event loop. So is the rest of a body
 * that is refused, however early: what has begun to be read is not thrown away by Node.js at its own pace.
 *
 * @param intake waits until more may be taken in
 */
export function paceIntake(request: GatehouseRequest, intake: () => Promise<void>): void {
  let taken = 0;
  request.on('data', (chunk: Buffer) => {
    taken += Math.max(chunk.length, CHUNK_WORK);
    if (taken < INTAKE_BYTES) return;
    taken = 0;
    request.pause();
    void intake().then(() => request.resume());
  });
}

function takeChunks(
  request: GatehouseRequest,
  limitBytes: number,
  share: BodyShare,
  add: ChunkSink<unknown>['add'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0;
    const settle = (): void => {
      request.off('data', takeIn).off('end', finish).off('close', breakOff).off('error', breakOff);
    };
    const refuse = (error: unknown): void => {
      settle();
      // The rest of the body is read and discarded, so that the connection remains usable.
      request.resume();
      reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
    };
    const takeIn = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) {
        refuse(new BodyTooLarge({ limit_bytes: limitBytes }));
        return;
      }
      try {
        share.take(chunk.length);
        add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const finish = (): void => {
      settle();
      resolve();
    };
    const breakOff = (): void => {
      settle();
      reject(BadRequestError.of([MALFORMED_BODY.at('', 'the body could not be read')]));
    };
    request.on('data', takeIn).on('end', finish).on('close', breakOff).on('error', breakOff);
  });
}

async function parseJson(received: ReceivedBytes, { share, work }: BodyReading): Promise<unknown> {
  await work.begin(received.length);
  const bytes = received.take();
  if (!isUtf8(bytes)) throw BadRequestError.of([MALFORMED_BODY.at('', 'the body is not valid UTF-8')]);
  await work.turnIfLarge();
  const text = new TextDecoder().decode(bytes);
  await work.turnIfLarge();
  // Checked before the JSON is parsed, so that a body beyond a bound has this error even if it is malformed.
  const extent = extentWithin(text, BODY_BOUNDS);
  if (typeof extent === 'string') throw BadRequestError.of([INVALID_PARAMETERS.at('', EXCESS_MESSAGES[extent])]);
  await work.turnIfLarge();
  const value = parsedIfJson(text);
  if (value === undefined) throw BadRequestError.of([MALFORMED_JSON.at('')]);
  share.hold?.(bytes.length * (characterBytes(text) - 1) + extent.values * VALUE_BYTES);
  return value;
}
