import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** A signal that is aborted when the client of the request closes its connection before it has the answer. */
export const ClientGone = createParamDecorator((_: undefined, context: ExecutionContext): AbortSignal => {
  return signalOf(context.switchToHttp().getResponse<Response>());
});

function signalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  // 'close' is also what follows a whole answer.
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
}
