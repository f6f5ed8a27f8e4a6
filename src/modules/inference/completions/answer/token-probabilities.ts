import type { LongWork } from '../../../../concurrency/long-work.js';
import { codePointsOf } from '../../../../api/validation/constraints.js';
import { listOf, objectOf } from '../../../providers/json-values.js';

/** The probabilities of tokens in the legacy form: lists with an entry for each token. */
export interface TokenProbabilities {
  readonly tokens: readonly string[];
  /** The natural logarithms of their probabilities. */
  readonly token_logprobs: readonly number[];
  /** The logarithms for the likeliest tokens and the token itself; for that alone where the provider gives no others. */
  readonly top_logprobs: readonly Readonly<Record<string, number>>[];
  /** Where each token begins in the answer, in characters. */
  readonly text_offset: readonly number[];
}

/** Entries read between two looks at the clock (under 1 ms). */
const TOKENS_AT_ONCE = 64;

/** A token and the natural logarithm of its probability. */
type Token = readonly [text: string, logprob: number];

/** A token of an answer. */
interface AnswerToken {
  readonly token: Token;
  /** The likeliest ones at its place, and the token itself. */
  readonly likeliest: Readonly<Record<string, number>>;
}

/**
 * Reads the probabilities of a choice, or of a piece of one.
 *
 * @param logprobs those of a chat, as a provider wrote them; entries of another form are left out
 * @param begin where the first token begins in the answer, in characters
 * @returns null where the provider gives none
 */
export function tokenProbabilitiesOf(logprobs: unknown, begin: number): TokenProbabilities | null {
  return probabilitiesOf(entriesOf(logprobs).flatMap(answerTokensIn), begin);
}

/** Reads the probabilities of a whole choice in turns of the event loop: a long answer may have many likeliest tokens for each of its tokens. */
export async function allTokenProbabilitiesOf(logprobs: unknown, work: LongWork): Promise<TokenProbabilities | null> {
  const read: AnswerToken[] = [];
  for (const [place, entry] of entriesOf(logprobs).entries()) {
    if (place % TOKENS_AT_ONCE === TOKENS_AT_ONCE - 1 && work.mustRest) await work.rest();
    for (const token of answerTokensIn(entry)) read.push(token);
  }
  return probabilitiesOf(read, 0);
}

function entriesOf(logprobs: unknown): readonly unknown[] {
  return listOf(objectOf(logprobs)?.['content']);
}

function probabilitiesOf(read: readonly AnswerToken[], begin: number): TokenProbabilities | null {
  if (read.length === 0) return null;
  const tokens = read.map(({ token: [text] }) => text);
  return {
    tokens,
    token_logprobs: read.map(({ token: [, logprob] }) => logprob),
    top_logprobs: read.map(({ likeliest }) => likeliest),
    text_offset: offsetsOf(tokens, begin),
  };
}

function answerTokensIn(value: unknown): AnswerToken[] {
  const likeliest = listOf(objectOf(value)?.['top_logprobs']).flatMap(tokensIn);
  return tokensIn(value).map((token) => ({ token, likeliest: Object.fromEntries([...likeliest, token]) }));
}

/** Reads a value as a token. @returns an empty list if it is not one */
function tokensIn(value: unknown): Token[] {
  const { token, logprob } = objectOf(value) ?? {};
  return typeof token === 'string' && typeof logprob === 'number' ? [[token, logprob]] : [];
}

function offsetsOf(tokens: readonly string[], begin: number): number[] {
  let end = begin;
  return tokens.map((token) => {
    const offset = end;
    end += codePointsOf(token);
    return offset;
  });
}
