import type { Prices } from '../../../catalog/price-rules.js';
import type { UsageCharge } from '../../../generations/generation-details.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { unitsOf } from '../../../spend/decimal-amount.js';
import { type CountedUnits, writtenForAnHourIn } from './charge-lines.js';
import type { Cost } from './cost.js';
import { recordedUnits } from './units.js';
import type { Candidate } from '../request/candidate.js';

/** What one attempt of a request is charged. */
export interface AttemptCharge {
  readonly candidate: Candidate;
  readonly usage: TokenUsage;
  readonly units: CountedUnits;
  /** The prices in force, with what the wishes of the request made of them. */
  readonly prices: Prices;
  readonly cost: Cost;
  /** Whether tokens were estimated, because the provider has not counted them. */
  readonly isEstimated: boolean;
  /** Whether the provider has counted more than there can be, so that less is charged (docs/budgets.md#impossible-usage). */
  readonly isCapped: boolean;
  /** Set for questions to a judge model, all together. */
  readonly judging?: {
    readonly inspectorId: string;
    readonly questions: number;
    /** The tokens of the longest of their prompts, by which the prices in force were chosen. */
    readonly longestPrompt: number;
  };
}

/** A charge as the record keeps it, so that it can be calculated again. */
export function recordedCharge({ candidate, usage, units, prices, cost, ...marks }: AttemptCharge): UsageCharge {
  const { prompt_tokens_details: ofPrompt, completion_tokens_details: ofAnswer } = usage;
  const counts = {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens: ofPrompt?.cached_tokens,
    cacheWriteTokens: ofPrompt?.cache_write_tokens,
    cacheWriteForAnHourTokens: writtenForAnHourIn(usage, units),
    promptAudioTokens: ofPrompt?.audio_tokens,
    promptImageTokens: ofPrompt?.image_tokens,
    reasoningTokens: ofAnswer?.reasoning_tokens,
    completionAudioTokens: ofAnswer?.audio_tokens,
    completionImageTokens: units.imageTokensInAnswer ?? ofAnswer?.image_tokens,
    ...recordedUnits(units),
  };
  const { judging } = marks;
  const kept = Object.entries(counts).filter(([, count]) => (count ?? 0) > 0);
  return {
    model: candidate.model.row.id,
    endpoint: candidate.endpoint.row.tag,
    isByok: candidate.isByok,
    costUsd: cost.total,
    prices,
    usage: Object.fromEntries(kept),
    ...(judging !== undefined && { inspectorId: judging.inspectorId, longestPromptTokens: judging.longestPrompt }),
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
