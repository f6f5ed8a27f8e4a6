import type { Response } from 'express';
import { keptHead } from '../json-head.js';
import type { GatehouseRequest } from '../request.js';
import { hasEntityTag } from './if-none-match.js';
import type { Rendition } from './rendition.js';

/** Answers with a rendition, or 304 where the caller has it already. */
export function sendRendition(response: Response, { content, contentType, entityTag }: Rendition): unknown {
  const request = response.req as GatehouseRequest;
  const vary = response.hasHeader('Vary') ? 'Authorization, Origin' : undefined;
  const head = keptHead(request.requestId, entityTag, vary);
  if (hasEntityTag(request.headers['if-none-match'], entityTag)) {
    response.writeHead(304, head);
    return response.end();
  }
  response.writeHead(200, ['Content-Type', contentType, 'Content-Length', String(content.length), ...head]);
  return response.end(content);
}
