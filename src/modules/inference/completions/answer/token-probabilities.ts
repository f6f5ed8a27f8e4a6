import { codePointsOf } from '../../../../api/validation/constraints.js';
import { listOf, objectOf } from '../../../providers/json-values.js';

/** The probabilities of tokens in the legacy form: lists with an entry for each token. */
export interface TokenProbabilities {
  readonly tokens: readonly string[];
  /** Natural logarithms. */
  readonly token_logprobs: readonly number[];
  /** Those of the likeliest tokens and of the token itself; null where the provider names no others. */
  readonly top_logprobs: readonly Readonly<Record<string, number>>[] | null;
  /** Where each token begins in the answer, in characters. */
  readonly text_offset: readonly number[];
}

/** A token and the natural logarithm of its probability. */
type Token = readonly [text: string, logprob: number];

/** A token of an answer, and the likeliest ones at its place. */
interface AnswerToken {
  readonly token: Token;
  readonly likeliest: readonly Token[];
}

/**
 * Reads the probabilities of a choice, or of a piece of one.
 *
 * @param logprobs those of a chat, as a provider wrote them; what has not their form is left out
 * @param begin where the first token begins in the answer, in characters
 * @returns null where the provider gives none
 */
export function tokenProbabilitiesOf(logprobs: unknown, begin: number): TokenProbabilities | null {
  const read = listOf(objectOf(logprobs)?.['content']).flatMap(answerTokensIn);
  if (read.length === 0) return null;
  const tokens = read.map(({ token: [text] }) => text);
  return {
    tokens,
    token_logprobs: read.map(({ token: [, logprob] }) => logprob),
    top_logprobs: read.some(({ likeliest }) => likeliest.length > 0)
      ? read.map(({ token, likeliest }) => Object.fromEntries([...likeliest, token]))
      : null,
    text_offset: offsetsOf(tokens, begin),
  };
}

function answerTokensIn(value: unknown): AnswerToken[] {
  const likeliest = listOf(objectOf(value)?.['top_logprobs']).flatMap(tokensIn);
  return tokensIn(value).map((token) => ({ token, likeliest }));
}

/** The token that a value is; none if it is no token. */
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
