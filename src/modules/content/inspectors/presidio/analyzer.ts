import type { BuiltinSlug } from '../../content-filters.js';
import type { Span } from '../../../../../packages/content-detectors/index.js';

/** The builtin filters that look for what an analyzer finds. */
const ANALYZED_ENTITIES = ['person-name', 'address'] as const satisfies readonly BuiltinSlug[];

/** What an analyzer is asked to find. */
export type AnalyzedEntity = (typeof ANALYZED_ENTITIES)[number];

/** Whether a builtin filter needs the analyzer; all others have a detector of their own. */
export function isAnalyzed(slug: BuiltinSlug): slug is AnalyzedEntity {
  return (ANALYZED_ENTITIES as readonly BuiltinSlug[]).includes(slug);
}

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
