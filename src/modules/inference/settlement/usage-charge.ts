import { type Prices, pricesInForce } from '../../catalog/price-rules.js';
import type { UsageCharge } from '../../generations/generation-details.js';
import { cacheWritesOf } from '../../providers/cache-writes.js';
import type { TokenUsage } from '../../providers/chat-completion.js';
import { unitsOf } from '../../spend/decimal-amount.js';
import type { AnswerOutcome } from '../answer/answer-outcome.js';
import { type Cost, type CountedImages, costOf, NO_COST } from '../answer/cost.js';
import { estimatedPrompt } from '../answer/estimated-tokens.js';
import { usageOf } from '../answer/usage.js';
import { withinBounds } from '../answer/usage-bounds.js';
import type { Candidate } from '../attempts/candidate.js';
import type { Exchange } from '../exchange.js';

/** What one attempt of a request is charged. */
export interface AttemptCharge {
  readonly candidate: Candidate;
  readonly usage: TokenUsage;
  readonly images: CountedImages;
  /** Those that were in force. */
  readonly prices: Prices;
  readonly cost: Cost;
  /** Whether tokens were estimated, because the provider has not counted them. */
  readonly isEstimated: boolean;
  /** Whether the provider has counted more than there can be, so that less is charged (docs/budgets.md#impossible-usage). */
  readonly isCapped: boolean;
}

/** Charges what an attempt has come to (docs/interface/inference.md#cost). */
export function chargeOf(
  exchange: Pick<Exchange<unknown>, 'draft' | 'prepared'>,
  candidate: Candidate,
  answered: AnswerOutcome,
): AttemptCharge {
  const { draft, prepared } = exchange;
  const { pricing } = candidate.endpoint.row;
  const counted = usageOf(answered, () => estimatedPrompt(prepared));
  const usage = withinBounds(counted, prepared.usageBounds(prepared.body, candidate));
  const prices = pricesInForce(pricing, { at: draft.createdAt, promptTokens: usage.prompt_tokens });
  const images = {
    inPrompt: prices.image === undefined ? 0 : (draft.size ?? prepared.size()).images,
    inAnswer: answered.images ?? 0,
  };
  return {
    candidate,
    usage,
    images,
    prices,
    cost: isFreeOfCharge(answered, usage) ? NO_COST : costOf(usage, prices, images),
    isEstimated: isEstimate(counted, answered.usage),
    isCapped: usage !== counted && answered.usage !== null,
  };
}

/** A charge as the record keeps it, so that it can be calculated again. */
export function recordedCharge({ candidate, usage, images, prices, cost, ...marks }: AttemptCharge): UsageCharge {
  const { prompt_tokens_details: ofPrompt, completion_tokens_details: ofAnswer } = usage;
  const counts = {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens: ofPrompt?.cached_tokens,
    cacheWriteTokens: ofPrompt?.cache_write_tokens,
    cacheWriteForAnHourTokens: cacheWritesOf(usage)?.ephemeral_1h_input_tokens,
    promptAudioTokens: ofPrompt?.audio_tokens,
    promptImageTokens: ofPrompt?.image_tokens,
    reasoningTokens: ofAnswer?.reasoning_tokens,
    completionAudioTokens: ofAnswer?.audio_tokens,
    promptImages: images.inPrompt,
    completionImages: images.inAnswer,
  };
  const kept = Object.entries(counts).filter(([, count]) => (count ?? 0) > 0);
  return {
    model: candidate.model.row.id,
    endpoint: candidate.endpoint.row.tag,
    isByok: candidate.isByok,
    costUsd: cost.total,
    prices,
    usage: Object.fromEntries(kept),
    ...(marks.isEstimated && { isEstimated: true }),
    ...(marks.isCapped && { isCapped: true }),
  };
}

/** The costs of attempts, through whichever keys. */
export function costOfAttempts(charges: readonly AttemptCharge[], isByok?: boolean): bigint {
  return charges
    .filter(({ candidate }) => isByok === undefined || candidate.isByok === isByok)
    .reduce((sum, { cost }) => sum + unitsOf(cost.total), 0n);
}

/**
 * Whether an answer costs nothing: it has no token, and did not end by itself. An answer that its client left, or that the gateway gave up,
 * is charged, because the provider has read its prompt.
 */
function isFreeOfCharge(answered: AnswerOutcome, { completion_tokens: tokens }: TokenUsage): boolean {
  const { isWithoutTokens, isCancelled, isGivenUp, finishReason } = answered;
  if (isWithoutTokens === true || tokens > 0 || isGivenUp === true) return false;
  return finishReason === 'error' || (finishReason === null && !isCancelled);
}

/** Whether one of two counts is not the provider's. */
function isEstimate(usage: TokenUsage, reported: TokenUsage | null): boolean {
  return usage.prompt_tokens !== reported?.prompt_tokens || usage.completion_tokens !== reported.completion_tokens;
}
