import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** The client has closed its connection before its request was worked on: nothing was done, and there is no one to answer. */
export class ClientGoneError extends Error {}

/** One error for all signals: every request ends with one, and recording its stack would cost more than the rest of the signal. */
const CLIENT_GONE = new ClientGoneError();

/**
 * Creates a signal that is aborted when the client closes its connection or the response is finished.
 *
 * @param controller of the signal, for who has other reasons to abort it
 * @returns the signal, whose reason is a {@link ClientGoneError}
 */
export function clientSignal(response: Response, controller = new AbortController()): AbortSignal {
  const abort = (): void => controller.abort(CLIENT_GONE);
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** The {@link clientSignal} of the request, as a parameter of a controller's method. */
export const ClientSignal = createParamDecorator((_: undefined, context: ExecutionContext): AbortSignal =>
  clientSignal(context.switchToHttp().getResponse<Response>()),
);
