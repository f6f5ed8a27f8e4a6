import type { WithKnownModel } from './known-model.js';

/** A request for embeddings as a provider gets it. Fields that are not named here are handed on. */
export interface EmbeddingRequest extends WithKnownModel {
  readonly model: string;
  /** One input (a text, or a list of tokens), or a list of them. */
  readonly input: unknown;
  readonly dimensions?: number | null;
  readonly encoding_format?: 'float' | 'base64' | null;
  readonly user?: string | null;
  readonly [field: string]: unknown;
}

/** The inputs of a request; a list of numbers is one input, given as tokens. */
export function inputsOf(input: unknown): readonly unknown[] {
  return Array.isArray(input) && typeof input[0] !== 'number' ? (input as unknown[]) : [input];
}

/** The embedding of one input. */
export interface Embedding {
  readonly index: number;
  /** Numbers, or the provider's base64 of them. */
  readonly embedding: readonly number[] | string;
}

/** What the tokens of inputs are of. */
export const EMBEDDED_TOKENS = ['text_tokens', 'image_tokens', 'audio_tokens', 'video_tokens', 'file_tokens'] as const;

/** Tokens that a provider counted. */
export interface EmbeddingUsage {
  readonly prompt_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: Readonly<Partial<Record<(typeof EMBEDDED_TOKENS)[number], number>>>;
}

/** An answer as a protocol has read it, in the order of the inputs. */
export interface EmbeddingList {
  readonly upstreamId: string | null;
  readonly data: readonly Embedding[];
  /** Tokens; null where the provider reported nothing. */
  readonly usage: EmbeddingUsage | null;
}

/** Whether a value is a vector. JSON has numbers that no double can hold, and it has no infinite ones to hand on. */
export function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}
