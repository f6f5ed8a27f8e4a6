import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import { IMAGE_TOKENS } from '../cost/media-tokens.js';
import { RecentMaximum } from './recent-maximum.js';
import type { RequestSize } from '../request/request-size.js';

/** The tokens of a byte of text, in UTF-8, that every model is expected to stay below. */
const TOKENS_PER_BYTE = 1 / 2;

/** The tokens that providers put around each message, and around all of them. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REQUEST = 8;

/** The size from which a text shows how many tokens a byte has, in bytes: in shorter texts the provider's own tokens weigh more. */
const LONG_TEXT = 1_024;

/** How far counts of a provider raise the bound of later prompts: at worst, a tokenizer has a token for each byte. */
const MAXIMUM_RATIO = 4;
const MAXIMUM_FURTHER_TOKENS = 4_096;
const MAXIMUM_IMAGE_TOKENS = 65_536;

/** Maximum remembered (organization, model) pairs. */
const MAXIMUM_MODELS = 10_000;

/** The largest recent counts of a model. */
class SeenModel {
  readonly tokensPerByte = new RecentMaximum(TOKENS_PER_BYTE, MAXIMUM_RATIO);
  /** The tokens besides those of the text. */
  readonly furtherTokens = new RecentMaximum(0, MAXIMUM_FURTHER_TOKENS);
  readonly tokensPerImage = new RecentMaximum(0, MAXIMUM_IMAGE_TOKENS);
}

/** A model of the catalog, which may know how many tokens its images have. */
type BoundedModel = Pick<CatalogModel['row'], 'id' | 'traits'>;

/** The tokens that a prompt has at most. */
export interface PromptBound {
  /** Of its texts, and of their form. */
  readonly texts: number;
  /** The tokens of its parts that are not texts. */
  readonly media: number;
}

/**
 * Bounds the tokens of prompts before a provider has counted them, from what each model was seen to count
 * (docs/budgets.md#the-worst-case). Each process learns by itself, and separately for each organization, so that the prompts of one do not
 * change the bounds of others.
 */
@Injectable()
export class PromptTokens {
  private readonly models = new LRUCache<string, SeenModel>({ max: MAXIMUM_MODELS });

  boundOf(organizationId: string, { id, traits }: BoundedModel, size: RequestSize): PromptBound {
    const seen = this.models.get(nameOf(organizationId, id)) ?? new SeenModel();
    const tokensPerImage = Math.max(seen.tokensPerImage.value, traits?.image_tokens ?? IMAGE_TOKENS);
    const ofImages = Math.ceil(imagesOf(size) * (tokensPerImage - IMAGE_TOKENS));
    return { texts: textBound(seen, size), media: (size.mediaTokens ?? 0) + ofImages };
  }

  /**
   * Learns from the tokens that a provider has counted for a prompt of a model, which is given by its id. Prompts with images teach the tokens
   * of an image; prompts with recordings or files teach nothing, because their share of the tokens is unknown.
   */
  learn(organizationId: string, model: string, size: RequestSize, promptTokens: number): void {
    if ((size.recordings ?? 0) > 0) return;
    const name = nameOf(organizationId, model);
    const seen = this.models.get(name) ?? new SeenModel();
    const ofTexts = promptTokens - tokensOfForm(size);
    const images = imagesOf(size);
    if (images > 0) seen.tokensPerImage.record((promptTokens - textBound(seen, size)) / images);
    else if (size.bytes >= LONG_TEXT) seen.tokensPerByte.record(ofTexts / size.bytes);
    else seen.furtherTokens.record(ofTexts - Math.ceil(size.bytes * seen.tokensPerByte.value));
    this.models.set(name, seen);
  }
}

function nameOf(organizationId: string, model: string): string {
  return `${organizationId} ${model}`;
}

function textBound({ tokensPerByte, furtherTokens }: SeenModel, size: RequestSize): number {
  return Math.ceil(size.bytes * tokensPerByte.value) + furtherTokens.value + tokensOfForm(size);
}

function imagesOf({ units }: RequestSize): number {
  return units?.input_image ?? 0;
}

function tokensOfForm({ tokens = 0, messages }: RequestSize): number {
  return tokens + TOKENS_PER_REQUEST + messages * TOKENS_PER_MESSAGE;
}
