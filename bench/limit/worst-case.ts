import { unitsOf } from '../../src/modules/spend/decimal-amount.js';
import type { WorstCase } from '../../src/modules/spend/worst-case.js';

/** What the limit reads of the body of a chat. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

/** What the service takes for the tokens of a byte, and adds for each message and for all of them (docs/budgets.md#the-worst-case). */
const TOKENS_PER_BYTE = 1 / 2;
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 8;

/** The model that is asked for, as the starter catalog has it: US dollars for a token, and the longest answer. */
const PROMPT_TOKEN = unitsOf('0.000005');
const COMPLETION_TOKEN = unitsOf('0.00003');
const MAXIMUM_ANSWER_TOKENS = 128_000;

/** What a chat may cost at most at the only provider there is. */
export function worstCaseOf({ messages }: ChatBody): WorstCase {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const tokens = Math.ceil(bytes * TOKENS_PER_BYTE) + messages.length * TOKENS_PER_MESSAGE + TOKENS_PER_REQUEST;
  const fixed = BigInt(tokens) * PROMPT_TOKEN;
  return {
    candidates: [{ fixed, perToken: COMPLETION_TOKEN, longestAnswer: MAXIMUM_ANSWER_TOKENS, isByok: false }],
    namedTokens: null,
  };
}
