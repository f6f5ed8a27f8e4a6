import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { shareIdOf } from '../../../auth/principal.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { type CacheUse, ResponseCaching } from './cache/response-caching.service.js';
import { RequestAdmissionService } from './admission/request-admission.service.js';
import { RequestInspectors } from './inspectors/request-inspectors.service.js';
import { OpenExchanges } from './open-exchanges.js';
import { OpenRequests } from './open-requests.js';
import { Preparation } from './preparation.service.js';
import { type RateHeaders, showRates } from './rates/rate-headers.js';
import { type Admitted, type Decision, saying, undecided } from './request/decision.js';
import type { Exchange } from './request/exchange.js';
import type { InferenceRequest } from './request/inference-request.js';
import type { InferenceOperation, RoutedBody } from './request/operation.js';
import { Outcome } from './request/outcome.js';
import { ShownRouting } from './routing-metadata/shown-routing.service.js';
import { SettlementService } from './settlement/settlement.service.js';

/** A request that has come, and how it is answered. */
interface OpenRequest<Body extends RoutedBody> {
  readonly operation: InferenceOperation<Body>;
  readonly request: InferenceRequest;
  readonly body: Body;
  readonly response: Response;
  /** The headers that the clients of the operation read about limits per minute, besides those of every operation. */
  readonly rateHeaders?: RateHeaders | undefined;
  /** Asks candidates, answers and settles: the last steps, which whole and streamed answers take in different ways. */
  readonly answer: (exchange: Exchange<Body>) => Promise<void>;
}

/**
 * The way of a request of inference, of whatever operation (docs/gateway.md): context, rates, policy, content and candidates
 * ({@link Preparation}), the cache of answers where it is asked for, admission, judge models, then attempts, answer and settlement.
 */
@Injectable()
export class InferencePipeline {
  constructor(
    private readonly openExchanges: OpenExchanges,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly turns: LoopTurns,
    private readonly preparation: Preparation,
    private readonly caching: ResponseCaching,
    private readonly admission: RequestAdmissionService,
    private readonly inspectors: RequestInspectors,
    private readonly settlement: SettlementService,
    private readonly routing: ShownRouting,
  ) {}

  /**
   * Answers a request, and records it: also when it is refused, and before the last byte of the answer.
   *
   * @throws DomainError for a request that is refused before a byte of its answer is sent
   */
  async run<Body extends RoutedBody>(open: OpenRequest<Body>): Promise<void> {
    const { request, response } = open;
    response.setHeader('X-Generation-Id', request.id);
    await this.openExchanges.run(response, (signal) => this.runUnder(signal, open));
  }

  private async runUnder<Body extends RoutedBody>(signal: AbortSignal, open: OpenRequest<Body>): Promise<void> {
    const { operation, request, body, response, rateHeaders, answer } = open;
    const { caller, http } = request;
    const { organizationId } = caller;
    // Work can continue after the client has left.
    const memory = http.heldMemory;
    const release = memory?.keep();
    const outcome = new Outcome();
    let decision = undecided(request, body);
    try {
      // The client has left: no answer is needed, and nothing is counted for the request any more.
      signal.throwIfAborted();
      await this.openRequests.run(organizationId, shareIdOf(caller), async () => {
        await this.slots.run(organizationId, async (slot) => {
          decision = await this.preparation.decide(operation, request, body, { slot, signal });
          showRates(response, decision.rates, rateHeaders);
          requireNoRefusal(decision);
        });
        // To measure a request takes as long as to prepare it.
        await this.turns.nextIfLarge(organizationId, request.bodyBytes);
        const use = await this.caching.use(operation, request, decision);
        decision = await this.admitted(operation, request, decision, use);
        requireNoRefusal(decision);
        decision = await this.inspectors.inspectByModels(operation, request, decision, signal);
        requireNoRefusal(decision);
        if (use !== undefined) this.caching.show(response, use);
        await this.turns.nextIfLarge(organizationId, request.bodyBytes);
        const cache = use?.cache;
        await answer({ operation, request, response, decision: decision as Admitted<Body>, cache, outcome, signal });
      });
    } catch (error) {
      const state = { request, decision, outcome };
      // What was answered in part has its record already.
      if (!response.headersSent) await this.settlement.recordRefusal(state, error);
      http.envelopeFields = this.routing.fieldOf(state);
      throw error;
    } finally {
      release?.();
      // What its client has not read of an answer that was ended is little.
      if (memory?.isEnding === true) memory.free();
    }
  }

  /** Nothing is reserved for an answer that costs nothing, unless what judges it does. */
  private async admitted<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: InferenceRequest,
    decision: Decision<Body>,
    use: CacheUse | undefined,
  ): Promise<Decision<Body>> {
    if (use !== undefined && this.caching.isFree(use) && decision.judging?.worstCase === undefined)
      return saying(decision, { sent: decision.inspected! });
    return this.admission.admit(operation, request, decision);
  }
}

/** @throws the refusal of a decision */
function requireNoRefusal({ refusal }: Decision<unknown>): void {
  if (refusal !== undefined) throw refusal;
}
