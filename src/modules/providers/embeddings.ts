/** A request for embeddings as a provider gets it. Fields that are not named here are handed on. */
export interface EmbeddingRequest {
  readonly model: string;
  /** One input (a text, or a list of tokens), or a list of them. */
  readonly input: unknown;
  readonly dimensions?: number | null;
  readonly encoding_format?: 'float' | 'base64' | null;
  readonly user?: string | null;
  readonly [field: string]: unknown;
}

/** The embedding of one input. */
export interface Embedding {
  /** The place of its input. */
  readonly index: number;
  /** Numbers, or the provider's base64 of them. */
  readonly embedding: readonly number[] | string;
}

/** An answer as a protocol has read it, in the order of the inputs. */
export interface EmbeddingList {
  readonly upstreamId: string | null;
  readonly data: readonly Embedding[];
  /** Tokens; null where the provider reported nothing. */
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number } | null;
}
