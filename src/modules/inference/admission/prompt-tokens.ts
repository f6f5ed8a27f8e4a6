import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RequestSize } from './request-size.js';

/** The tokens of a byte of text, in UTF-8, that every model is expected to stay below. */
const TOKENS_PER_BYTE = 1 / 2;

/** The tokens that providers put around each message, and around all of them. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 8;

/** From how many bytes on a text shows how many tokens a byte has: in a shorter one the provider's own tokens weigh more. */
const LONG_TEXT = 1_024;

/** How far what was seen raises the bound of others: a tokenizer has a token for each byte, at worst. */
const LARGEST_RATIO = 4;
const MOST_FURTHER_TOKENS = 4_096;

/** The number of models that something is known of. */
const MAXIMUM_MODELS = 10_000;

/** What a model was seen to do. */
interface Seen {
  readonly tokensPerByte: number;
  /** The tokens that it has besides. */
  readonly furtherTokens: number;
}

const NOTHING_SEEN: Seen = { tokensPerByte: TOKENS_PER_BYTE, furtherTokens: 0 };

/** The tokens that a prompt has at most. */
export interface PromptBound {
  /** Of its texts, and of their form. */
  readonly texts: number;
  /** Of its parts that are no texts. */
  readonly media: number;
}

/**
 * Bounds the tokens of prompts before a provider has counted them, from what each model was seen to count
 * (docs/budgets.md#the-worst-case). Each process learns by itself.
 */
@Injectable()
export class PromptTokens {
  private readonly models = new LRUCache<string, Seen>({ max: MAXIMUM_MODELS });

  /** The tokens that a prompt has at most. @param model its id */
  boundOf(model: string, size: RequestSize): PromptBound {
    const { tokensPerByte, furtherTokens } = this.models.get(model) ?? NOTHING_SEEN;
    const texts = Math.ceil(size.bytes * tokensPerByte) + furtherTokens + tokensOfForm(size);
    return { texts, media: size.mediaTokens };
  }

  /** Takes how many tokens a provider has counted. Of images and recordings nothing is learned: their tokens are not those of texts. */
  saw(model: string, size: RequestSize, promptTokens: number): void {
    if (size.mediaTokens > 0) return;
    const seen = this.models.get(model) ?? NOTHING_SEEN;
    const ofTexts = promptTokens - tokensOfForm(size);
    if (size.bytes >= LONG_TEXT) {
      const tokensPerByte = Math.min(LARGEST_RATIO, ofTexts / size.bytes);
      if (tokensPerByte > seen.tokensPerByte) this.models.set(model, { ...seen, tokensPerByte });
    } else {
      const furtherTokens = Math.min(MOST_FURTHER_TOKENS, ofTexts - Math.ceil(size.bytes * seen.tokensPerByte));
      if (furtherTokens > seen.furtherTokens) this.models.set(model, { ...seen, furtherTokens });
    }
  }
}

function tokensOfForm({ tokens, messages }: RequestSize): number {
  return tokens + TOKENS_PER_REQUEST + messages * TOKENS_PER_MESSAGE;
}
