import { codePointsOf } from '../../../http/validation/constraints.js';
import { listOf, objectOf } from '../chat/json-values.js';
import type { FinishReason, ChatChunk, ChatChunkChoice, ChatCompletion } from '../chat/chat-completion.js';
import {
  type AnswerOrigin,
  type StreamEncoder,
  type AnswerEncoder,
  DONE,
  type StreamEvent,
  type AnswerUsage,
} from '../client-codec.js';
import { answerHead, errorChunk } from '../openai-chat/answer-encoder.js';
import { MAXIMUM_CHOICES } from '../chat/choice-count.js';
import { type CompletionRequest, sentPromptOf } from './request-decoder.js';

/** The probabilities of tokens in the legacy form: lists with an entry for each token. */
interface TokenProbabilities {
  readonly tokens: readonly string[];
  /** The natural logarithms of their probabilities. */
  readonly token_logprobs: readonly number[];
  /** The logarithms for the likeliest tokens and the token itself; for that alone where the provider gives no others. */
  readonly top_logprobs: readonly Readonly<Record<string, number>>[];
  /** Where each token begins in the answer, in characters. */
  readonly text_offset: readonly number[];
}

/** A token and the natural logarithm of its probability. */
type Token = readonly [text: string, logprob: number];

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
  const read = listOf(objectOf(logprobs)?.['content']).flatMap(answerTokensIn);
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

/** What a choice of a chat says, as a whole or in one of its pieces. */
interface SaidText {
  readonly text: string | null | undefined;
  readonly logprobs?: unknown;
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** Writes one choice of an answer, as a whole or piece by piece (docs/interface/completions.md#answers). */
class TextChoice {
  /** The length of the tokens so far, in characters. */
  private tokenLength = 0;

  /**
   * @param index of the choice, from 0
   * @param opening what stands before the answer
   */
  constructor(
    private readonly index: number,
    private opening: string,
  ) {}

  /** The next piece of the choice, or all of it. */
  write({ text, logprobs, finish_reason: reason, native_finish_reason: native }: SaidText): object {
    const probabilities = tokenProbabilitiesOf(logprobs, this.tokenLength);
    for (const token of probabilities?.tokens ?? []) this.tokenLength += codePointsOf(token);
    const { opening } = this;
    this.opening = '';
    return {
      text: opening + (text ?? ''),
      index: this.index,
      logprobs: probabilities,
      // The form has no calls of tools.
      finish_reason: reason === 'tool_calls' ? 'stop' : reason,
      native_finish_reason: native,
    };
  }
}

/** Writes one stream in the legacy form from the chunks of a chat (docs/interface/completions.md#streams). */
export class StreamedText implements StreamEncoder {
  private readonly head: object;
  private readonly choices = new Map<number, TextChoice>();

  /** @param opening what stands before the first choice that says something */
  constructor(
    private readonly origin: AnswerOrigin,
    private readonly opening: string,
  ) {
    this.head = answerHead(origin, 'text_completion');
  }

  /** Choices beyond those that can be asked for are left out. */
  chunk({ choices }: ChatChunk): readonly StreamEvent[] {
    const written = choices.filter(hasText).flatMap((choice) => {
      const { delta, ...rest } = choice;
      return this.choiceAt(choice.index)?.write({ ...rest, text: delta.content }) ?? [];
    });
    return written.length === 0 ? [] : [{ data: { ...this.head, choices: written } }];
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    const tier = serviceTier !== null && { service_tier: serviceTier };
    return [{ data: { ...this.head, choices: [], ...tier, usage, ...this.origin.routing() } }, DONE];
  }

  failure(error: unknown): readonly StreamEvent[] {
    return [{ data: errorChunk(this.origin, this.head, { text: '', logprobs: null }, error) }];
  }

  private choiceAt(index: number): TextChoice | undefined {
    const known = this.choices.get(index);
    if (known !== undefined || this.choices.size >= MAXIMUM_CHOICES) return known;
    const choice = new TextChoice(index, this.choices.size === 0 ? this.opening : '');
    this.choices.set(index, choice);
    return choice;
  }
}

/** Whether a chunk brings a choice anything that the form has a place for, which it has not for reasoning. */
function hasText({ delta, finish_reason: reason, logprobs }: ChatChunkChoice): boolean {
  return (delta.content ?? '') !== '' || reason !== null || (logprobs ?? null) !== null;
}

/** The form in which one completion is answered (docs/interface/completions.md#answers). */
export function completionsEncoder({ echo }: CompletionRequest): AnswerEncoder {
  const openingOf = ({ body }: AnswerOrigin): string => (echo === true ? sentPromptOf(body) : '');
  return {
    whole: (origin, completion, usage) =>
      wholeText(origin, choicesOf(completion, openingOf(origin)), completion, usage),
    stream: (origin) => new StreamedText(origin, openingOf(origin)),
  };
}

function wholeText(
  origin: AnswerOrigin,
  choices: readonly object[],
  { serviceTier, systemFingerprint }: ChatCompletion,
  usage: AnswerUsage,
): object {
  return {
    ...answerHead(origin, 'text_completion'),
    ...(systemFingerprint !== null && { system_fingerprint: systemFingerprint }),
    ...(serviceTier !== null && { service_tier: serviceTier }),
    choices,
    usage,
    ...origin.routing(),
  };
}

function choicesOf({ choices }: ChatCompletion, opening: string): object[] {
  return choices.map(({ index, message, ...choice }, position) =>
    new TextChoice(index, position === 0 ? opening : '').write({ ...choice, text: message.content }),
  );
}
