import type { RequestHandler } from 'express';
import { errorEnvelope } from './errors/error-envelope.js';
import type { WarmExpressAdapter } from './express-adapter.js';
import type { GatehouseRequest } from './request.js';

/** Answers, in the envelope, a path that nothing else has answered. */
export function answerUnknownPath(adapter: WarmExpressAdapter): RequestHandler {
  return (request, response) => {
    const { requestId } = request as GatehouseRequest;
    adapter.reply(response, errorEnvelope(404, requestId, { reason: 'route_not_found' }), 404);
  };
}
