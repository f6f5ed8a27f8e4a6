import type { Response } from 'express';
import { downloadHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/** An answer that is a file of text, and no JSON. */
export class TextAnswer {
  /**
   * @param pieces of the text, which are sent as they are, one after the other
   * @param contentType the media type with its parameters
   * @param fileName what a browser saves it as; in ASCII, without quotation marks
   */
  constructor(
    private readonly pieces: readonly Buffer[],
    private readonly contentType: string,
    private readonly fileName: string,
  ) {}

  /** Sends it with the status 200. */
  send(response: Response): void {
    const { requestId } = response.req as GatehouseRequest;
    const length = this.pieces.reduce((sum, piece) => sum + piece.length, 0);
    response.writeHead(200, downloadHead(requestId, length, this.contentType, this.fileName));
    for (const piece of this.pieces) response.write(piece);
    response.end();
  }
}
