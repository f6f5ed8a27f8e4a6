import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader, ApiNotModifiedResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import fresh from 'fresh';
import { conditionalHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

const gzip = promisify(zlib.gzip);

/** The bytes of a response and their entity tag, for conditional requests (RFC 9110). */
export class Representation {
  private constructor(
    readonly content: Buffer,
    readonly contentType: string,
    /** Strong (RFC 9110, section 8.8.3): the same tag means the same bytes, on every replica. */
    readonly entityTag: string,
  ) {}

  static ofJson(body: object): Representation {
    return Representation.of(JSON.stringify(body), 'application/json; charset=utf-8');
  }

  static of(text: string, contentType: string): Representation {
    return Representation.ofBytes(Buffer.from(text), contentType);
  }

  static ofBytes(content: Buffer, contentType: string): Representation {
    const digest = createHash('sha256').update(content).digest('base64url');
    return new Representation(content, contentType, `"${digest.slice(0, 27)}"`);
  }

  /** The representation in the encoding gzip, with a tag of its own (RFC 9110, section 8.8.3.3). */
  async gzipped(): Promise<Representation> {
    return new Representation(await gzip(this.content), this.contentType, this.entityTag.replace(/"$/, '-gzip"'));
  }

  /** Sends the response of an operation: 200, or 304 if the caller already has this representation. */
  send(response: Response): void {
    const request = response.req as GatehouseRequest;
    const vary = response.hasHeader('Vary') ? 'Authorization, Origin' : undefined;
    this.sendWith(response, conditionalHead(request.requestId, this.entityTag, vary));
  }

  /** Sends 200, or 304 as {@link send} does. @param head names and values of the headers besides those of the content */
  sendWith(response: Response, head: string[]): void {
    if (this.matches(response.req)) {
      response.writeHead(304, head).end();
      return;
    }
    const { content, contentType } = this;
    response.writeHead(200, ['Content-Type', contentType, 'Content-Length', String(content.length), ...head]);
    response.end(content);
  }

  /** Whether If-None-Match of a request has this entity tag, so that the response is a 304 (RFC 9110, section 13.1.2). */
  private matches({ headers }: IncomingMessage): boolean {
    // Only this header: Cache-Control of a request is for caches, which the service is not.
    return fresh({ 'if-none-match': headers['if-none-match'] }, { etag: this.entityTag });
  }
}

const CONDITIONAL_GET_METADATA = 'gatehouse:conditional-get';

/**
 * Adds an `ETag` to the response of a reading operation, and returns 304 when `If-None-Match` has the ETag of the current
 * response (RFC 9110, sections 8.8.3 and 13.1.2). Each request is authenticated and authorized as usual.
 */
export function ConditionalGet(): MethodDecorator {
  return applyDecorators(
    SetMetadata(CONDITIONAL_GET_METADATA, true),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of an earlier response. If the response is unchanged, the status is 304.',
      schema: { type: 'string' },
      example: '"cgA3tkXNpRSMAjVqUUZfPV3qwtI"',
    }),
    ApiNotModifiedResponse({ description: 'Not modified' }),
  );
}

/** Whether a controller method is decorated with {@link ConditionalGet}. */
export function isConditionalGet(handler: object): boolean {
  return Reflect.hasOwnMetadata(CONDITIONAL_GET_METADATA, handler);
}
