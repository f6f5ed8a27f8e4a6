import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ClientGoneError } from './errors/client-gone-error.js';

/**
 * A signal that is aborted when a client has closed its connection, or its request is answered.
 *
 * @returns the signal, whose reason is a {@link ClientGoneError}
 */
export function clientSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new ClientGoneError());
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** The {@link clientSignal} of the request, as a parameter of a controller's method. */
export const ClientSignal = createParamDecorator((_: undefined, context: ExecutionContext): AbortSignal =>
  clientSignal(context.switchToHttp().getResponse<Response>()),
);
