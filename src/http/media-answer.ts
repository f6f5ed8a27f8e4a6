import type { Response } from 'express';
import { emptyHead, jsonHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/** An answer in a media type of its own that is written as JSON, such as `application/scim+json`, with its status and headers. */
export class MediaAnswer {
  /**
   * @param contentType the media type with its parameters
   * @param body undefined for an answer without one, which then has no media type either
   * @param headers further names and values, in turn
   */
  constructor(
    private readonly status: number,
    private readonly contentType: string,
    private readonly body?: object,
    private readonly headers: readonly string[] = [],
  ) {}

  /** Sends it. */
  send(response: Response): void {
    const { requestId } = response.req as GatehouseRequest;
    if (this.body === undefined) {
      response.writeHead(this.status, [...emptyHead(requestId), ...this.headers]).end();
      return;
    }
    const text = JSON.stringify(this.body);
    const head = jsonHead(requestId, Buffer.byteLength(text), this.contentType);
    response.writeHead(this.status, [...head, ...this.headers]).end(text);
  }
}
