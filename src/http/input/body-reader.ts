import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import { BadRequestError, PayloadTooLargeError } from '../errors/domain-error.js';

/** The largest body that is read, in bytes (DECISIONS.md, section 1). */
export const MAXIMUM_BODY_BYTES = 1024 * 1024;

const readBytes = express.raw({ type: () => true, limit: MAXIMUM_BODY_BYTES });

/**
 * Reads a request's body as JSON (RFC 8259).
 *
 * It runs behind the guard: whoever has no credential cannot make the service read, let alone parse, a body.
 *
 * @returns the parsed value, of any JSON type
 * @throws BadRequestError for another content type, invalid UTF-8 or malformed JSON
 * @throws PayloadTooLargeError above {@link MAXIMUM_BODY_BYTES}, measured after decompression
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!isJson(request.headers['content-type'])) {
    throw malformed('unsupported_content_type', 'the Content-Type must be application/json');
  }
  return parseJson(decodeUtf8(await bytesOf(request, response)));
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

function bytesOf(request: Request, response: Response): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    readBytes(request, response, (fault?: unknown) => {
      if (fault !== undefined) reject(toDomainError(fault));
      // Without a body the parser leaves it undefined.
      else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

function toDomainError(fault: unknown): Error {
  const status = fault instanceof Error && 'status' in fault ? fault.status : undefined;
  if (status === 413) return new PayloadTooLargeError('body_too_large', { limit_bytes: MAXIMUM_BODY_BYTES });
  // An aborted request, a wrong Content-Length, a compression that is unknown or broken.
  if (typeof status === 'number' && status < 500) return malformed('malformed_body', 'the body could not be read');
  return fault instanceof Error ? fault : new Error('the body could not be read', { cause: fault });
}

function decodeUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw malformed('malformed_body', 'the body is not valid UTF-8');
  return new TextDecoder().decode(bytes);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's own message quotes the body, which may hold a secret.
    if (error instanceof SyntaxError) throw malformed('malformed_json', 'the body is not valid JSON');
    throw error;
  }
}

function malformed(reason: string, message: string): BadRequestError {
  return new BadRequestError(reason, [{ path: '', message }]);
}
