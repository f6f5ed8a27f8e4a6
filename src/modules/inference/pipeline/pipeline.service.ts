import { Injectable } from '@nestjs/common';
import type { GatehouseRequest } from '../../../api/request.js';
import { shareIdOf } from '../../../auth/principal.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { RequestSlots } from '../../../api/request-limits/request-slots.js';
import { RequestAdmissionService } from './admission/request-admission.service.js';
import { ShownRouting } from './routing-metadata/shown-routing.service.js';
import type { Exchange, OpenRequest } from './request/exchange.js';
import { OpenExchanges } from './open-exchanges.js';
import { OpenRequests } from './open-requests.js';
import { showRates } from './rates/rate-headers.js';
import type { PreparedRequest } from './request/prepared-request.js';
import { SettlementService } from './settlement/settlement.service.js';

/** How the requests of one operation are prepared and answered. */
interface ExchangeSteps<Body> {
  readonly prepare: (signal: AbortSignal) => Promise<PreparedRequest<Body>>;
  /** Settles the request, and sends its answer. */
  readonly send: (exchange: Exchange<Body>) => Promise<void>;
}

/** Takes requests of inference, of whatever operation, from their arrival to their record (docs/gateway.md). */
@Injectable()
export class ExchangesService {
  constructor(
    private readonly settlement: SettlementService,
    private readonly openExchanges: OpenExchanges,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly turns: LoopTurns,
    private readonly routing: ShownRouting,
    private readonly admission: RequestAdmissionService,
  ) {}

  /**
   * Answers a request, and records it: also when it is refused, and before the last byte of the answer.
   *
   * @throws DomainError for a request that is refused before a byte of its answer is sent
   */
  async answer<Body>(request: OpenRequest, steps: ExchangeSteps<Body>): Promise<void> {
    request.response.setHeader('X-Generation-Id', request.draft.id);
    await this.openExchanges.run(request.response, (signal) => this.answerUnder(signal, request, steps));
  }

  private async answerUnder<Body>(
    signal: AbortSignal,
    request: OpenRequest,
    { prepare, send }: ExchangeSteps<Body>,
  ): Promise<void> {
    const { caller, response, draft, rateHeaders } = request;
    // Work can continue after the client has left.
    const memory = (response.req as GatehouseRequest).heldMemory;
    const release = memory?.keep();
    try {
      // The client has left: no answer is needed, and nothing is counted for the request any more.
      signal.throwIfAborted();
      await this.openRequests.run(caller.organizationId, shareIdOf(caller), async () => {
        const prepared = await this.slots
          .run(caller.organizationId, (slot) => {
            draft.slot = slot;
            return prepare(signal);
          })
          .finally(() => showRates(response, draft.rates, rateHeaders));
        // To measure a request takes as long as to prepare it.
        await this.turns.nextIfLarge(caller.organizationId, draft.bodyBytes);
        const admitted = await this.admission.admit(request, prepared);
        await this.turns.nextIfLarge(caller.organizationId, draft.bodyBytes);
        await send({ prepared: admitted, signal, ...request });
      });
    } catch (error) {
      // What was answered in part has its record already.
      if (!response.headersSent) await this.settlement.recordRefusal(draft, error);
      const incoming = response.req as GatehouseRequest;
      incoming.envelopeFields = this.routing.fieldOf(incoming, draft);
      throw error;
    } finally {
      release?.();
      // What its client has not read of an answer that was ended is little.
      if (memory?.isEnding === true) memory.free();
    }
  }
}
