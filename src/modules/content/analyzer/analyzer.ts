import type { Span } from '../engine/detector.js';

/** What an analyzer is asked to find. */
export type AnalyzedEntity = 'person-name' | 'address';

/** A name or an address in a text. */
export interface EntitySpan extends Span {
  readonly entity: AnalyzedEntity;
}

/** What a text is analyzed for, and for whom. */
export interface AnalysisRequest {
  readonly organizationId: string;
  readonly text: string;
  readonly entities: readonly AnalyzedEntity[];
  readonly signal?: AbortSignal;
}

/** The analyzer does not answer as its protocol says, or not in time, or there is none. */
export class AnalyzerFailure extends Error {}
