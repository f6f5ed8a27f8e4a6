import { Injectable, Optional } from '@nestjs/common';
import { ClientGoneError } from '../../../api/client-signal.js';
import { DomainError } from '../../../api/errors/domain-error.js';
import type { GatehouseRequest } from '../../../api/request.js';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../telemetry/metrics/metrics.js';
import { type PricedRequest, pricesInForce } from '../../catalog/price-rules.js';
import { GenerationsService } from '../../generations/generations.service.js';
import type { TokenUsage } from '../../providers/chat-completion.js';
import { unitsOf } from '../../spend/decimal-amount.js';
import { PromptTokens } from '../admission/prompt-tokens.js';
import type { AnswerOutcome } from '../answer/answer-outcome.js';
import { givenUp, isGivingUp } from '../answer/given-up.js';
import { type Cost, costOf, NO_COST } from '../answer/cost.js';
import { estimatedPrompt } from '../answer/estimated-tokens.js';
import { shownErrorOf } from '../answer/shown-error.js';
import { type AnswerUsage, answerUsage, usageOf } from '../answer/usage.js';
import type { Candidate } from '../attempts/candidate.js';
import type { Exchange } from '../exchange.js';
import type { GenerationDraft, GenerationEnd } from '../generation-draft.js';
import { RequestRates } from '../rates/request-rates.service.js';

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
    private readonly promptTokens: PromptTokens,
    private readonly rates: RequestRates,
    private readonly logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /** Charges an answer that was delivered at least in part, and records it. @returns its usage and cost */
  async settle(exchange: Exchange<unknown>, candidate: Candidate, answered: AnswerOutcome): Promise<AnswerUsage> {
    const { caller, draft, prepared } = exchange;
    draft.model = candidate.model.row.id;
    const { usage: reported, isCancelled } = answered;
    const usage = usageOf(answered, () => estimatedPrompt(prepared));
    const cost = isFreeOfCharge(answered, usage)
      ? NO_COST
      : costOf(usage, pricesInForce(candidate.endpoint.row.pricing, pricedBy(draft, usage)), {
          inPrompt: imagesIn(exchange, candidate),
          inAnswer: answered.images ?? 0,
        });
    // Nothing is learned from own keys: what they count must not change what is reserved for the keys of the deployment.
    if (draft.size !== undefined && reported !== null && !candidate.isByok) {
      this.promptTokens.learn(caller.organizationId, draft.model, draft.size, reported.prompt_tokens);
    }
    const overrun = overrunOf(draft, candidate, cost);
    if (overrun !== undefined) this.metrics?.gateway.overrun();
    const end: GenerationEnd = {
      status: answered.isUnbegun === true ? (answered.error?.status ?? CLIENT_CLOSED_REQUEST) : 200,
      ...(answered.refusal !== undefined && { refusal: answered.refusal }),
      cancelled: isCancelled,
      usage,
      cost,
      overrun,
      images: answered.images,
      finishReason: answered.hasFailed ? 'error' : answered.finishReason,
      nativeFinishReason: answered.nativeFinishReason,
      upstreamId: answered.upstreamId,
      serviceTier: answered.serviceTier,
      output: answered.output,
      error: isCancelled ? CLIENT_HAS_LEFT : answered.error,
    };
    draft.isSettled = true;
    const tokens = usage.prompt_tokens + usage.completion_tokens;
    await Promise.all([
      this.generations.recordInAnyCase(draft.finished(end)),
      this.rates.settle(caller.organizationId, draft, tokens),
    ]);
    this.metrics?.gateway.ofEndpoint(candidate.endpoint.provider.slug, draft.model).own(draft.clock.ownSeconds);
    return answerUsage(usage, cost, candidate.isByok);
  }

  /**
   * Charges a request that the client has left, or the gateway has given up, before anything of the answer came: the provider has read its
   * prompt, and may have thought. Others that got no answer are left to {@link recordRefusal}.
   *
   * @param left its outcome if the client has left
   * @param error what ended the answer
   */
  async settleUnbegun(
    exchange: Exchange<unknown>,
    candidate: Candidate,
    left: AnswerOutcome,
    error: unknown,
  ): Promise<void> {
    if (!isGivingUp(error) && !(error instanceof ClientGoneError)) return;
    const outcome = isGivingUp(error) ? { ...givenUp(left, error), refusal: error.reason } : left;
    try {
      await this.settle(exchange, candidate, { ...outcome, isUnbegun: true });
    } catch (failure) {
      this.logger.failure((exchange.response.req as GatehouseRequest).requestId, failure);
    }
  }

  /** Records a request that got no answer. The caller is told of the refusal even if it cannot be recorded. */
  async recordRefusal(draft: GenerationDraft, error: unknown): Promise<void> {
    const cancelled = error instanceof ClientGoneError;
    const refused = error instanceof DomainError ? error : undefined;
    this.metrics?.gateway.refusal(cancelled ? CLIENT_LEFT : (refused?.reason ?? INTERNAL_ERROR));
    // Already settled: if the write failed, it is retried later.
    if (draft.isSettled) return;
    const status = cancelled ? CLIENT_CLOSED_REQUEST : (refused?.status ?? 500);
    try {
      const end: GenerationEnd = {
        status,
        cancelled,
        error: cancelled ? CLIENT_HAS_LEFT : shownErrorOf(error),
        ...(refused !== undefined && { refusal: refused.reason }),
      };
      const record = draft.finished(end);
      const recorded = draft.isReserved ? this.generations.recordInAnyCase(record) : this.generations.record(record);
      await Promise.all([recorded, this.rates.settle(record.organizationId, draft, 0)]);
    } catch (cause) {
      this.logger.warn(`a refused request could not be recorded: ${(cause as Error).message}`);
    }
  }

  /** Counts a request that was refused before anything was done with it, and that gets no record. */
  async countRefusal(
    { organizationId }: ApiKeyPrincipal,
    draft: GenerationDraft,
    { reason }: DomainError,
  ): Promise<void> {
    this.metrics?.gateway.refusal(reason);
    this.metrics?.gateway.unrecordedRefusal();
    await this.rates.settle(organizationId, draft, 0);
  }
}

/**
 * Whether an answer costs nothing: it has no token, and did not end by itself. An answer that its client left, or the gateway gave
 * up, is charged, because the provider has read its prompt.
 */
function isFreeOfCharge(answered: AnswerOutcome, { completion_tokens: tokens }: TokenUsage): boolean {
  const { isWithoutTokens, isCancelled, isGivenUp, finishReason } = answered;
  if (isWithoutTokens === true || isGivenUp === true || tokens > 0) return false;
  return finishReason === 'error' || (finishReason === null && !isCancelled);
}

/** What decides by which prices an answer is charged: those in force when its request came. */
function pricedBy({ createdAt }: GenerationDraft, { prompt_tokens: promptTokens }: TokenUsage): PricedRequest {
  return { at: createdAt, promptTokens };
}

/** The number of images in a prompt; 0 if they have no price. */
function imagesIn({ draft, prepared }: Exchange<unknown>, { endpoint }: Candidate): number {
  const { overrides = [], ...pricing } = endpoint.row.pricing;
  if (![pricing, ...overrides].some((prices) => 'image' in prices)) return 0;
  return (draft.size ?? prepared.size()).images;
}

/** The part of a cost above what was reserved for it; undefined if it is not above, or if nothing was reserved. */
function overrunOf({ reserved }: GenerationDraft, { isByok }: Candidate, { total }: Cost): bigint | undefined {
  if (reserved === undefined) return undefined;
  const overrun = unitsOf(total) - (isByok ? reserved.byokAmount : reserved.amount);
  return overrun > 0n ? overrun : undefined;
}
