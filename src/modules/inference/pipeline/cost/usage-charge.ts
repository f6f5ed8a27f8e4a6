import { pricesInForce } from '../../../catalog/index.js';
import type { RecordingLength, TokenUsage } from '../../../codecs/index.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { costOf, NO_COST } from './cost.js';
import { estimatedPrompt } from './estimated-tokens.js';
import { usageOf } from './usage.js';
import { withinBounds } from './usage-bounds.js';
import type { Candidate } from '../request/candidate.js';
import type { Exchange } from '../request/exchange.js';
import type { RoutedBody } from '../request/operation.js';
import type { AttemptCharge } from './attempt-charge.js';

/** Charges what an attempt has come to (docs/interface/inference.md#cost). */
export function chargeOf<Body extends RoutedBody>(
  exchange: Pick<Exchange<Body>, 'operation' | 'request' | 'decision'>,
  candidate: Candidate,
  answered: AnswerOutcome,
): AttemptCharge {
  const { operation, request, decision } = exchange;
  const { pricing = candidate.endpoint.row.pricing } = answered;
  const counted = usageOf(answered, () => estimatedPrompt(exchange));
  const usage = withinBounds(counted, operation.usageBoundsOf(decision.sent, candidate));
  const prices = pricesInForce(pricing, { at: request.createdAt, promptTokens: usage.prompt_tokens });
  const isCounted =
    prices.image !== undefined ||
    prices.second !== undefined ||
    prices.character !== undefined ||
    answered.searchUnits !== undefined;
  const size = isCounted ? (decision.size ?? operation.sizeOf(decision.sent)) : undefined;
  const units = {
    requests: Math.min(answered.searchUnits ?? 1, size?.requests ?? 1),
    imagesInPrompt: prices.image === undefined ? 0 : (size?.images ?? 0),
    imagesInAnswer: answered.images ?? 0,
    ...(prices.character !== undefined && { characters: size?.characters ?? 0 }),
    ...(prices.second !== undefined && { seconds: secondsOf(answered.seconds, size?.recordingLength) }),
  };
  return {
    candidate,
    usage,
    units,
    prices,
    cost: isFreeOfCharge(answered, usage) ? NO_COST : costOf(usage, prices, units),
    isEstimated: isEstimate(counted, answered.usage),
    isCapped: usage !== counted && answered.usage !== null,
  };
}

/** The seconds that are charged: as the provider counts them, but no more than there can be; else what is likely. Whole milliseconds. */
function secondsOf(counted: number | undefined, length: RecordingLength | undefined): number {
  const { likely = 0, most = 0 } = length ?? {};
  return Math.round(Math.min(counted ?? likely, most) * 1000) / 1000;
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
