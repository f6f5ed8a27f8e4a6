/** A request to rank documents as a provider gets it. Fields that are not named here are handed on. */
export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  /** Texts, or parts with a text or an image. */
  readonly documents: readonly unknown[];
  readonly top_n?: number | null;
  readonly [field: string]: unknown;
}

/** A document and how relevant it is. */
export interface RankedDocument {
  readonly index: number;
  readonly relevanceScore: number;
}

/** Documents as a provider has ranked them, the most relevant first. */
export interface RankedDocuments {
  readonly upstreamId: string | null;
  readonly results: readonly RankedDocument[];
  /** Tokens; null where the provider reported none. */
  readonly totalTokens: number | null;
  /** What the provider charges as searches; null where it does not say. */
  readonly searchUnits: number | null;
}
