import { possiblePrices } from '../../../catalog/price-rules.js';
import type { JudgeQuestion } from '../../../inspectors/protocols/model.js';
import { largerOf } from '../../../spend/decimal-amount.js';
import type { PromptBound } from '../admission/prompt-tokens.js';
import { type PricedWishes, pricesAsWished } from '../cost/price-factors.js';
import { highestAnswerTokenPrice, highestPromptTokenPrice, unitPricesOf } from '../cost/unit-prices.js';
import { costOfUnit } from '../cost/units.js';
import type { Candidate } from '../request/candidate.js';
import type { RequestSize } from '../request/request-size.js';

/** Messages in a question at most; a provider may add tokens to each. */
const MESSAGES = 2;

/** The size by which it is found out how many tokens a byte may have, in bytes. */
const MEASURED = 1_048_576;

const PLAIN = { hasImages: false, hasAudio: false } as const;

/** Parts of a whole number by which counts of tokens are multiplied with prices. */
const MILLION = 1_000_000;

/** What asking a judge model may cost, at the most expensive of its candidates, in the smallest units of a US dollar. */
export class JudgePrice {
  private readonly perRequest: bigint;
  private readonly perPromptToken: bigint;
  private readonly perAnswerToken: bigint;
  /** The tokens of a question without texts, and those of a byte. */
  private readonly tokensOfForm: number;
  private readonly tokensOfByte: number;

  /**
   * @param candidates at least one
   * @param at when the request came
   * @param boundOf the tokens that a prompt of a size has at most. It is asked once, so that what is learned while a request is answered
   * does not change what was reserved for it.
   */
  constructor(
    candidates: readonly Candidate[],
    at: Date,
    wishes: PricedWishes,
    templateTokens: number,
    boundOf: (size: RequestSize) => PromptBound,
  ) {
    const prices = candidates.flatMap((candidate) => highestPricesAt(candidate, at, wishes));
    const highest = (of: (price: HighestPrices) => bigint): bigint => prices.map(of).reduce(largerOf, 0n);
    this.perRequest = highest(({ request }) => request);
    this.perPromptToken = highest(({ prompt }) => prompt);
    this.perAnswerToken = highest(({ answer }) => answer);
    const form = { messages: MESSAGES, tokens: templateTokens };
    this.tokensOfForm = boundOf({ ...form, bytes: 0 }).texts;
    this.tokensOfByte = (boundOf({ ...form, bytes: MEASURED }).texts - this.tokensOfForm) / MEASURED;
  }

  /**
   * The most that questions may cost.
   *
   * @param bytes of the texts of all of them, in UTF-8
   * @param questions how many, perhaps in parts: what many questions cost for one token of an answer
   */
  costOf(bytes: number, { maxTokens }: Pick<JudgeQuestion, 'maxTokens'>, questions = 1): bigint {
    const tokens = questions * this.tokensOfForm + Math.ceil(bytes * this.tokensOfByte);
    return (
      times(this.perRequest, questions) +
      times(this.perPromptToken, tokens) +
      times(this.perAnswerToken, questions * maxTokens)
    );
  }
}

interface HighestPrices {
  readonly request: bigint;
  readonly prompt: bigint;
  readonly answer: bigint;
}

/** Of all prices that may be in force for a prompt that the context holds. */
function highestPricesAt(candidate: Candidate, at: Date, wishes: PricedWishes): HighestPrices[] {
  const { pricing, contextLength: promptTokens } = candidate.endpoint.row;
  return possiblePrices(pricing, { at, promptTokens }).map(({ prices }) => {
    const listed = unitPricesOf(pricesAsWished(prices, wishes, candidate), candidate.model.author);
    return {
      request: costOfUnit('request', {}, listed.units),
      prompt: highestPromptTokenPrice(listed, { ...PLAIN, isKeptForAnHour: false }),
      answer: highestAnswerTokenPrice(listed, PLAIN),
    };
  });
}

/** A price so many times, perhaps not a whole number; rounded up. */
function times(price: bigint, count: number): bigint {
  const parts = price * BigInt(Math.ceil(count * MILLION));
  return (parts + BigInt(MILLION) - 1n) / BigInt(MILLION);
}
