import type { Response } from 'express';
import { jsonHead } from '../../../api/json-head.js';
import type { GatehouseRequest } from '../../../api/request.js';

/** Sends a whole answer. */
export function sendDocument(response: Response, document: object): void {
  const text = JSON.stringify(document);
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(200, jsonHead(requestId, Buffer.byteLength(text)));
  response.end(text);
}
