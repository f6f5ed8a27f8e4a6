import { CHARGED_UNITS, type ChargedUnit, PRICES_OF_UNITS } from '../../../catalog/own-models/charged-units.js';
import { type Prices, pricesInForce } from '../../../catalog/price-rules.js';
import { cacheWritesOf } from '../../../codecs/chat/messages-fields.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { CountedUnits } from './charge-lines.js';
import { costOf, NO_COST } from './cost.js';
import { estimatedPrompt } from './estimated-tokens.js';
import { pricesAsWished } from './price-factors.js';
import { unitPricesOf } from './unit-prices.js';
import { type Units, UNITS } from './units.js';
import { usageOf } from './charged-usage.js';
import { withinBounds } from './usage-bounds.js';
import type { Candidate } from '../request/candidate.js';
import type { Exchange } from '../request/exchange.js';
import type { RoutedBody } from '../request/operation.js';
import type { RequestSize } from '../request/request-size.js';
import type { AttemptCharge } from './attempt-charge.js';

/** What decides about the charge of an answer. */
type ChargedAnswer = Omit<AnswerOutcome, 'hasFailed' | 'nativeFinishReason' | 'upstreamId' | 'serviceTier' | 'output'>;

/** Charges what an attempt has come to (docs/interface/inference.md#cost). */
export function chargeOf<Body extends RoutedBody>(
  exchange: Pick<Exchange<Body>, 'operation' | 'request' | 'decision'>,
  candidate: Candidate,
  answered: ChargedAnswer,
): AttemptCharge {
  const { operation, request, decision } = exchange;
  const { imageSizes = [], pricing = operation.pricingOf?.(candidate, decision.sent, imageSizes) } = answered;
  const counted = usageOf(answered, () => estimatedPrompt(exchange));
  const usage = withinBounds(counted, operation.usageBoundsOf(decision.sent, candidate));
  const listed = pricesInForce(pricing ?? candidate.endpoint.row.pricing, {
    at: request.createdAt,
    promptTokens: usage.prompt_tokens,
  });
  const prices = pricesAsWished(listed, decision.sent, candidate, answered.usage);
  const written = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  const isMeasured =
    CHARGED_UNITS.some((unit) => isChargedOfRequest(unit, prices)) ||
    answered.units?.request !== undefined ||
    written > 0;
  const size = isMeasured ? (decision.size ?? operation.sizeOf(decision.sent)) : undefined;
  const units = {
    ...chargedUnits(answered.units, size, prices),
    ...uncountedImageTokens(usage, answered),
    ...(size?.isKeptForAnHour === true && { writtenForAnHour: mostWrittenForAnHour(usage, written) }),
  };
  return {
    candidate,
    usage,
    units,
    prices,
    cost: isFreeOfCharge(answered, usage)
      ? NO_COST
      : costOf(usage, unitPricesOf(prices, candidate.model.author), units),
    isEstimated: isEstimate(counted, answered.usage),
    isCapped: usage !== counted && answered.usage !== null,
  };
}

/** The most of the written tokens that a cache may keep for an hour, where a request asked for that: all that are not said to be kept for less. */
function mostWrittenForAnHour(usage: TokenUsage, written: number): number {
  return Math.max(0, written - (cacheWritesOf(usage)?.ephemeral_5m_input_tokens ?? 0));
}

/**
 * The tokens of the images of an answer whose provider does not say how many they are: what is neither reasoning, nor audio, nor the text
 * that came.
 */
function uncountedImageTokens(
  { completion_tokens: tokens, completion_tokens_details: details }: TokenUsage,
  { units: { image: images = 0 } = {}, delivered }: ChargedAnswer,
): Pick<CountedUnits, 'imageTokensInAnswer'> {
  if (images === 0 || (details?.image_tokens ?? 0) > 0) return {};
  const others = (details?.reasoning_tokens ?? 0) + (details?.audio_tokens ?? 0) + delivered.texts;
  return { imageTokensInAnswer: Math.max(0, tokens - others) };
}

/** Whether a unit is charged that the request has, because it has a price. */
function isChargedOfRequest(unit: ChargedUnit, prices: Prices): boolean {
  return UNITS[unit].isOfRequest === true && prices[PRICES_OF_UNITS[unit]] !== undefined;
}

/**
 * The amounts that are charged: as the provider counts them, but no more than there can be of what the request has; else what is likely. To
 * the thousandth.
 */
function chargedUnits(counted: Units = {}, size: RequestSize | undefined, prices: Prices): Units {
  const charged: Partial<Record<ChargedUnit, number>> = {};
  for (const unit of CHARGED_UNITS) {
    if (isChargedOfRequest(unit, prices)) {
      const most = size?.units?.[unit] ?? 0;
      const amount = Math.min(counted[unit] ?? size?.likelyUnits?.[unit] ?? most, most);
      charged[unit] = Math.round(amount * 1000) / 1000;
    } else if (UNITS[unit].isOfRequest !== true) charged[unit] = counted[unit] ?? 0;
  }
  charged.request = Math.min(counted.request ?? 1, size?.units?.request ?? 1);
  return charged;
}

/**
 * Whether an answer costs nothing: it has no token, and did not end by itself. An answer that its client left, or that the gateway gave up,
 * is charged, because the provider has read its prompt.
 */
function isFreeOfCharge(answered: ChargedAnswer, { completion_tokens: tokens }: TokenUsage): boolean {
  const { isWithoutTokens, isCancelled, isGivenUp, finishReason } = answered;
  if (isWithoutTokens === true || tokens > 0 || isGivenUp === true) return false;
  return finishReason === 'error' || (finishReason === null && !isCancelled);
}

/** Whether one of two counts is not the provider's. */
function isEstimate(usage: TokenUsage, reported: TokenUsage | null): boolean {
  return usage.prompt_tokens !== reported?.prompt_tokens || usage.completion_tokens !== reported.completion_tokens;
}
