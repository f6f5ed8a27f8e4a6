import type { Response } from 'express';
import { DomainError } from './errors/domain-error.js';

/** The client has closed its connection: what is thrown stands in no answer, for there is nobody to read it. */
export class ClientDisconnectedError extends DomainError {
  readonly status = 499;

  constructor() {
    super('client_disconnected');
  }
}

/**
 * A signal that is aborted when a client has closed its connection, or its request is answered.
 *
 * @returns the signal, whose reason is a {@link ClientDisconnectedError}
 */
export function clientSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new ClientDisconnectedError());
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}
