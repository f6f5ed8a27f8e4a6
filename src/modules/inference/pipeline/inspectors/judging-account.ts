import type { Prices } from '../../../catalog/price-rules.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { unitsOf } from '../../../spend/decimal-amount.js';
import type { AttemptCharge } from '../cost/attempt-charge.js';
import { costOf } from '../cost/cost.js';
import { unitPricesOf } from '../cost/unit-prices.js';
import type { Candidate } from '../request/candidate.js';
import type { JudgingAmounts } from './judging-worst-case.js';

/** What one question to a judge model has used. */
export interface JudgeUse {
  readonly usage: TokenUsage;
  readonly prices: Prices;
  readonly isEstimated: boolean;
  readonly isCapped: boolean;
}

/** A question that may be asked. */
interface NewQuestion {
  readonly inspectorId: string;
  readonly candidate: Candidate;
  /** The most that it may cost. */
  readonly worst: bigint;
  /** What it is charged where its provider has the question, and nothing is known of the answer. */
  readonly unanswered: () => JudgeUse;
}

/** A question that is asked. */
export interface OpenQuestion {
  /** Its provider has it. */
  sent(): void;
  /** It was answered. @returns what it costs */
  answered(use: JudgeUse): bigint;
  /** It got no answer. @param isCharged whether its provider may charge for it, if it has the question @returns what it costs */
  failed(isCharged: boolean): bigint;
}

/**
 * What judge models cost for one request: it never begins a question that is not paid for by what was reserved. Equal prices are charged
 * together, so that a record has a charge for each judge and endpoint, however many windows an answer has.
 */
export class JudgingAccount {
  private bounds: JudgingAmounts | undefined;
  private readonly used = { ofDeployment: 0n, ofOrganization: 0n };
  private readonly open = new Set<{ readonly question: NewQuestion; isSent: boolean }>();
  private readonly charged = new Map<string, AttemptCharge>();

  /** Questions cost no more than this from now on; without a limit of spending anything. */
  limitTo(amounts: JudgingAmounts): void {
    this.bounds = amounts;
  }

  /** @returns undefined where what was reserved does not pay for it */
  begin(question: NewQuestion): OpenQuestion | undefined {
    const keys = question.candidate.isByok ? 'ofOrganization' : 'ofDeployment';
    if (this.bounds !== undefined && this.used[keys] + question.worst > this.bounds[keys]) return undefined;
    const asked = { question, isSent: false };
    this.open.add(asked);
    this.used[keys] += question.worst;
    const end = (use: JudgeUse | undefined): bigint => {
      // What comes behind the end of the request was charged with it.
      if (!this.open.delete(asked)) return 0n;
      const cost = use === undefined ? 0n : this.charge(question, use);
      this.used[keys] += cost - question.worst;
      return cost;
    };
    return {
      sent: () => void (asked.isSent = true),
      answered: end,
      failed: (isCharged) => end(isCharged && asked.isSent ? question.unanswered() : undefined),
    };
  }

  /** What is charged for the request, now that it ends: questions that are still under way as those without an answer. */
  settled(): readonly AttemptCharge[] {
    for (const asked of this.open) {
      this.open.delete(asked);
      if (asked.isSent) this.charge(asked.question, asked.question.unanswered());
    }
    return [...this.charged.values()];
  }

  private charge({ inspectorId, candidate }: NewQuestion, { usage, prices, ...marks }: JudgeUse): bigint {
    const { model, endpoint, isByok } = candidate;
    const key = JSON.stringify([inspectorId, model.row.id, endpoint.row.tag, isByok, prices]);
    const known = this.charged.get(key);
    const questions = (known?.judging?.questions ?? 0) + 1;
    const longestPrompt = Math.max(known?.judging?.longestPrompt ?? 0, usage.prompt_tokens);
    const sum = known === undefined ? usage : withUsage(known.usage, usage);
    const units = { request: questions, writtenForAnHour: 0 };
    const cost = costOf(sum, unitPricesOf(prices, model.author), units);
    this.charged.set(key, {
      candidate,
      usage: sum,
      units,
      prices,
      cost,
      isEstimated: marks.isEstimated || known?.isEstimated === true,
      isCapped: marks.isCapped || known?.isCapped === true,
      judging: { inspectorId, questions, longestPrompt },
    });
    return unitsOf(cost.total) - unitsOf(known?.cost.total ?? '0');
  }
}

/**
 * The usage of a question as it is charged: tokens of texts alone, each of one kind, so that the cost of several questions is that of their
 * sum.
 */
export function chargedUsageOf(usage: TokenUsage): TokenUsage {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = usage.prompt_tokens_details ?? {};
  const cached = Math.min(read, prompt);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: Math.min(written, prompt - cached) },
    completion_tokens_details: {
      reasoning_tokens: Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, completion),
    },
  };
}

function withUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = (of: (usage: TokenUsage) => number | null | undefined): number => (of(one) ?? 0) + (of(other) ?? 0);
  return {
    prompt_tokens: sum(({ prompt_tokens: tokens }) => tokens),
    completion_tokens: sum(({ completion_tokens: tokens }) => tokens),
    total_tokens: sum(({ total_tokens: tokens }) => tokens),
    prompt_tokens_details: {
      cached_tokens: sum((usage) => usage.prompt_tokens_details?.cached_tokens),
      cache_write_tokens: sum((usage) => usage.prompt_tokens_details?.cache_write_tokens),
    },
    completion_tokens_details: {
      reasoning_tokens: sum((usage) => usage.completion_tokens_details?.reasoning_tokens),
    },
  };
}
