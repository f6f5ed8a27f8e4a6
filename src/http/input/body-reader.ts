import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { BadRequestError, PayloadTooLargeError, UnsupportedMediaTypeError } from '../errors/domain-error.js';
import type { BodyShare } from './body-memory.js';
import { BODY_BOUNDS, excessOf, type JsonBounds } from './json-bounds.js';

const EXCESS_MESSAGES: Readonly<Record<keyof JsonBounds, string>> = {
  depth: `must not be nested deeper than ${BODY_BOUNDS.depth} levels`,
  values: `must not hold more than ${BODY_BOUNDS.values} values`,
};

/**
 * Reads a request's body as JSON (RFC 8259).
 *
 * It runs behind the guard: a caller without a credential cannot make the service read, let alone parse, a body.
 *
 * @param limitBytes how large the body may be
 * @param share the memory that the body is counted in while it is read
 * @returns the parsed value, of any JSON type
 * @throws BadRequestError for another content type, invalid UTF-8, malformed JSON or JSON beyond {@link BODY_BOUNDS}
 * @throws UnsupportedMediaTypeError for a body that is compressed
 * @throws PayloadTooLargeError for a body that is larger than the limit, by its Content-Length or as it arrives
 * @throws RateLimitExceededError when too many bodies of the same sender are incomplete
 */
export async function readJsonBody(request: Request, limitBytes: number, share: BodyShare): Promise<unknown> {
  if (!isJson(request.headers['content-type'])) {
    throw malformed('unsupported_content_type', 'the Content-Type must be application/json');
  }
  if (isEncoded(request.headers['content-encoding'])) {
    throw new UnsupportedMediaTypeError('unsupported_content_encoding');
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  try {
    return parseJson(await bytesOf(request, limitBytes, share));
  } finally {
    share.release();
  }
}

/** Whether a request has a body, though it were a malformed one (RFC 9112, section 6.3). */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function isJson(contentType: string | undefined): boolean {
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return mediaType.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '');
}

/** Whether something was done to the content that would have to be undone (RFC 9110, section 8.4). */
function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !['', 'identity'].includes(contentEncoding.trim().toLowerCase());
}

function bytesOf(request: Request, limitBytes: number, share: BodyShare): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (): void => {
      request.off('data', takeIn).off('end', finish).off('close', breakOff).off('error', breakOff);
    };
    const refuse = (error: unknown): void => {
      settle();
      // What is still to come is read and dropped, so that the connection can serve on.
      request.resume();
      reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
    };
    const takeIn = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) {
        refuse(tooLarge(limitBytes));
        return;
      }
      try {
        share.take(chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      chunks.push(chunk);
    };
    const finish = (): void => {
      settle();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    const breakOff = (): void => {
      settle();
      reject(malformed('malformed_body', 'the body could not be read'));
    };
    request.on('data', takeIn).on('end', finish).on('close', breakOff).on('error', breakOff);
  });
}

function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw malformed('malformed_body', 'the body is not valid UTF-8');
  const excess = excessOf(bytes, BODY_BOUNDS);
  if (excess !== undefined) throw malformed('invalid_parameters', EXCESS_MESSAGES[excess]);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    // The parser's own message quotes the body, which may hold a secret.
    if (error instanceof SyntaxError) throw malformed('malformed_json', 'the body is not valid JSON');
    throw error;
  }
}

function tooLarge(limitBytes: number): PayloadTooLargeError {
  return new PayloadTooLargeError('body_too_large', { limit_bytes: limitBytes });
}

function malformed(reason: string, message: string): BadRequestError {
  return new BadRequestError(reason, [{ path: '', message }]);
}
