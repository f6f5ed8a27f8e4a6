import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { clientSignal } from '../../../http/client-signal.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { ServiceStopping } from '../inference.errors.js';

/** Knows the requests of inference that are in progress, so that a process that stops can end them (docs/operations.md#shutdown). */
@Injectable()
export class OpenExchanges {
  private readonly open = new Set<AbortController>();
  private isStopped = false;
  private allEnded: (() => void) | undefined;

  /**
   * Runs a request to its record.
   *
   * @param work receives a signal that is aborted when the client leaves, with a ClientGoneError, the process ends what is left, with a
   *   {@link ServiceStopping}, or there is no memory for the answer, with an AnswerMemoryExhausted
   */
  async run<Result>(response: Response, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    if (this.isStopped) controller.abort(new ServiceStopping());
    this.open.add(controller);
    (response.req as GatehouseRequest).heldMemory?.endsWith((error) => {
      controller.abort(error);
      // A client that does not read would not read the error either, and what it has not read takes memory.
      if (response.socket?.writableNeedDrain === true) response.destroy();
    });
    try {
      return await work(clientSignal(response, controller));
    } finally {
      this.open.delete(controller);
      if (this.open.size === 0) this.allEnded?.();
    }
  }

  /** Ends the requests in progress, and those that still come. */
  stop(): void {
    this.isStopped = true;
    const reason = new ServiceStopping();
    for (const controller of this.open) controller.abort(reason);
  }

  /** Resolves when no request is in progress any more. */
  async ended(): Promise<void> {
    if (this.open.size > 0) await new Promise<void>((resolve) => (this.allEnded = resolve));
  }
}
