import type { Request, Response } from 'express';
import { errorEnvelope } from './errors/error-envelope.js';
import type { GatehouseRequest } from './request.js';

/** Answers, in the envelope, a path that nothing else has answered. */
export function answerUnknownPath(request: Request, response: Response): void {
  const { requestId } = request as GatehouseRequest;
  response.status(404).json(errorEnvelope(404, requestId, { reason: 'route_not_found' }));
}
