import { Injectable, Optional } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import { DomainError } from '../../../../http/errors/domain-error.js';
import { unavailabilityOf } from '../../../../http/errors/unavailability.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import { GenerationsService, type NewGeneration } from '../../../generations/generations.service.js';
import { refusingGuardrailsOf } from '../../../guardrails/refusing-guardrails.js';
import { BroadcastOutbox } from '../../../observability/delivery/outbox/broadcast-outbox.service.js';
import { refusingLimitOf } from '../../../spend/spend.errors.js';
import { textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import { PromptTokens } from '../admission/prompt-tokens.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { givenUp, isGivingUp } from './given-up.js';
import type { Cost } from '../cost/cost.js';
import type { AnswerUsage } from '../../../codecs/client-codec.js';
import { brokenAnswerErrorOf, shownErrorOf } from '../../../codecs/errors/shown-error.js';
import { answerUsage } from '../cost/charged-usage.js';
import type { Candidate } from '../request/candidate.js';
import type { Exchange, RequestState } from '../request/exchange.js';
import type { RoutedBody } from '../request/operation.js';
import type { RatedRequest } from '../request/decision.js';
import { eventOf } from './broadcast-event.js';
import { type GenerationEnd, generationOf } from './generation-record.js';
import { RequestRates } from '../rates/request-rates.service.js';
import type { AttemptCharge } from '../cost/attempt-charge.js';
import { cachedCharge } from '../cost/cached-charge.js';
import { chargeOf } from '../cost/usage-charge.js';

/** The status of a record if the client left before there was an answer. It is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** The `error` in the logged content if the client disconnected early. */
const CLIENT_HAS_LEFT = { status: CLIENT_CLOSED_REQUEST, message: 'The client left before the end.' };

/** Metric labels for ends without a refusal reason. */
const CLIENT_LEFT = 'client_left';
const INTERNAL_ERROR = 'internal_error';

/** Charges and records requests, each once (docs/interface/inference.md#cost). */
@Injectable()
export class SettlementService {
  constructor(
    private readonly generations: GenerationsService,
    private readonly outbox: BroadcastOutbox,
    private readonly promptTokens: PromptTokens,
    private readonly rates: RequestRates,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /** Charges an answer that was delivered at least in part, and records it. @returns its usage and cost */
  async settle<Body extends RoutedBody>(
    exchange: Exchange<Body>,
    candidate: Candidate,
    answered: AnswerOutcome,
  ): Promise<AnswerUsage> {
    const { request, decision, outcome } = exchange;
    const { usage: reported, isCancelled } = answered;
    const hit = exchange.cache?.hit;
    const charge =
      hit === undefined
        ? chargeOf(exchange, candidate, answered)
        : cachedCharge(exchange, hit, answered, this.environment.responseCacheChargePercent);
    const { usage, isCapped } = charge;
    const model = candidate.model.row.id;
    // Nothing is learned from own keys: what they count must not change what is reserved for the keys of the deployment.
    if (decision.size !== undefined && reported !== null && !candidate.isByok && !isCapped) {
      this.promptTokens.learn(request.organizationId, model, decision.size, reported.prompt_tokens);
    }
    const end: GenerationEnd = {
      status:
        answered.isUnbegun === true ? (answered.error?.status ?? CLIENT_CLOSED_REQUEST) : (answered.status ?? 200),
      ...(answered.refusal !== undefined && { refusal: answered.refusal }),
      cancelled: isCancelled,
      charge,
      images: answered.units?.image,
      finishReason: answered.hasFailed ? 'error' : answered.finishReason,
      finishReasons: answered.hasFailed ? undefined : answered.finishReasons,
      nativeFinishReason: answered.nativeFinishReason,
      upstreamId: hit === undefined ? answered.upstreamId : null,
      cacheSource: hit,
      serviceTier: answered.serviceTier,
      output: answered.output,
      error: isCancelled ? CLIENT_HAS_LEFT : answered.error,
    };
    outcome.isSettled = true;
    await Promise.all([this.store(exchange, end), this.keep(exchange, charge, answered)]);
    if (hit === undefined) {
      this.metrics?.gateway.ofEndpoint(candidate.endpoint.provider.slug, model).own(request.clock.ownSeconds);
    }
    const further = [...outcome.givenUp, ...judgingOf(exchange)];
    return answerUsage(usage, costWith(further, charge.cost), candidate.isByok);
  }

  /**
   * Charges a request that the client has left, or the gateway has given up, before anything of the answer came: the provider has read its
   * prompt, and may have thought. Others that got no answer are left to {@link recordRefusal}.
   *
   * @param left its outcome if the client has left
   * @param error what ended the answer
   */
  async settleUnbegun<Body extends RoutedBody>(
    exchange: Exchange<Body>,
    candidate: Candidate,
    left: AnswerOutcome,
    error: unknown,
  ): Promise<void> {
    if (!isGivingUp(error) && !(error instanceof ClientGoneError)) return;
    const outcome = isGivingUp(error) ? { ...givenUp(left, error), refusal: error.reason } : left;
    try {
      await this.settle(exchange, candidate, { ...outcome, isUnbegun: true });
    } catch (failure) {
      this.logger.failure(exchange.request.http.requestId, failure);
    }
  }

  /** Records a request that got no answer. The caller is told of the refusal even if it cannot be recorded. */
  async recordRefusal(state: RequestState, error: unknown): Promise<void> {
    const cancelled = error instanceof ClientGoneError;
    const refused = error instanceof DomainError ? error : undefined;
    this.metrics?.gateway.refusal(cancelled ? CLIENT_LEFT : (refused?.reason ?? INTERNAL_ERROR));
    // Already settled: if the write failed, it is retried later.
    if (state.outcome.isSettled) return;
    const status = cancelled ? CLIENT_CLOSED_REQUEST : (refused?.status ?? 500);
    const limitedBy = refusingLimitOf(error);
    const refusingGuardrailIds = refusingGuardrailsOf(error);
    try {
      await this.store(state, {
        status,
        cancelled,
        error: cancelled ? CLIENT_HAS_LEFT : shownErrorOf(error),
        ...(refused !== undefined && { refusal: refused.reason }),
        ...(limitedBy !== undefined && { limitedBy }),
        ...(refusingGuardrailIds.length > 0 && { refusingGuardrailIds }),
      });
    } catch (cause) {
      this.logger.warn(`a refused request could not be recorded: ${(cause as Error).message}`);
    }
  }

  /** Keeps an answer for equal requests, unless it was cut to what a limit could pay for. Before its end is sent, as the record. */
  private async keep<Body extends RoutedBody>(
    { request, decision, cache }: Exchange<Body>,
    { candidate, usage }: AttemptCharge,
    answered: AnswerOutcome,
  ): Promise<void> {
    if ((decision.reservation?.cappedTokens ?? null) !== null || answered.isCut === true) return;
    await cache?.keep(answered, {
      sourceId: request.id,
      keptAt: Date.now(),
      model: candidate.model.row.id,
      endpoint: candidate.endpoint.row.tag,
      usage,
      units: answered.units,
    });
  }

  /** Stores the record of a request, and counts what is unusual about its cost. */
  private async store(state: RequestState, end: GenerationEnd): Promise<void> {
    const { decision, outcome } = state;
    const record = generationOf(state, end);
    const charges = end.charge === undefined ? outcome.givenUp : [...outcome.givenUp, end.charge];
    for (const { kind, outcome: would } of record.details.observed ?? []) this.metrics?.gateway.observed(kind, would);
    if (record.details.overrunUsd !== undefined) this.metrics?.gateway.overrun();
    if (charges.some(({ isCapped }) => isCapped)) this.metrics?.gateway.impossibleUsage();
    const tokens = charges.reduce((sum, { usage }) => sum + usage.prompt_tokens + usage.completion_tokens, 0);
    const judging = judgingOf(state);
    if (judging.some(({ isCapped }) => isCapped)) this.metrics?.gateway.impossibleUsage();
    const mustBeStored = decision.mayBeReserved === true || charges.length + judging.length > 0;
    const toStore = await this.withOutbox(state, end, record);
    const afterFailure = (error: unknown): Promise<NewGeneration> => {
      const shown = endAfterFailure(state, end, error);
      return this.withOutbox(state, shown, generationOf(state, shown));
    };
    const stored = mustBeStored
      ? this.generations.recordInAnyCase(toStore, afterFailure)
      : this.generations.record(toStore);
    await Promise.all([stored, this.rates.settle(record.organizationId, decision.rates, tokens)]);
  }

  /** The record with what destinations get of the request, where any gets some. */
  private async withOutbox(state: RequestState, end: GenerationEnd, record: NewGeneration): Promise<NewGeneration> {
    const { broadcast } = state.decision;
    const event = broadcast && eventOf(state, end, record);
    if (broadcast === undefined || event === undefined) return record;
    const outbox = await this.outbox.entryOf(event, broadcast.destinations);
    return Object.assign({}, record, { outbox });
  }

  /** Counts a request that was refused before anything was done with it, and that gets no record. */
  async countRefusal(
    { organizationId }: ApiKeyPrincipal,
    rates: RatedRequest | undefined,
    { reason }: DomainError,
  ): Promise<void> {
    this.metrics?.gateway.refusal(reason);
    this.metrics?.gateway.unrecordedRefusal();
    await this.rates.settle(organizationId, rates, 0);
  }
}

/**
 * How a request ended whose record could not be stored before the end of its answer: its client was told of that in place of the answer, or
 * within it. What it costs stays.
 *
 * @param end how it would have ended
 */
function endAfterFailure({ request }: RequestState, end: GenerationEnd, error: unknown): GenerationEnd {
  // Its client was told of another error before, or has left.
  if (end.error !== undefined) return end;
  if (request.description.streamed) return { ...end, finishReason: 'error', error: brokenAnswerErrorOf(error) };
  const refusal = error instanceof DomainError ? error : unavailabilityOf(error);
  const shown = shownErrorOf(refusal ?? error);
  const { status } = shown;
  return { ...end, status, finishReason: 'error', error: shown, ...(refusal && { refusal: refusal.reason }) };
}

/** What judge models are charged for a request. */
function judgingOf({ decision }: RequestState): readonly AttemptCharge[] {
  return decision.inspection?.account.settled() ?? [];
}

/** What an answer costs together with the attempts before it that were given up, and with judge models. */
function costWith(further: readonly AttemptCharge[], cost: Cost): Cost {
  if (further.length === 0) return cost;
  const costs = [...further.map((charge) => charge.cost), cost];
  const sum = (of: (one: Cost) => string): string =>
    textOfUnits(costs.reduce((units, one) => units + unitsOf(of(one)), 0n));
  return {
    ...cost,
    total: sum(({ total }) => total),
    prompt: sum(({ prompt }) => prompt),
    completion: sum(({ completion }) => completion),
  };
}
