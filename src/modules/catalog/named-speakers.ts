import type { CatalogEndpoint } from './catalog-endpoint.js';
import type { CatalogModel } from './catalog-model.js';

/** A part of the names of models that say who speaks, such as OpenAI's `gpt-4o-transcribe-diarize`. */
const DIARIZES = /diari[sz]/i;

/** Whether the transcriptions of a model say who speaks, by its name here or at a provider (docs/interface/audio.md#speakers). */
export function namesSpeakers({ row: { id, canonicalSlug } }: CatalogModel, { row }: CatalogEndpoint): boolean {
  return [id, canonicalSlug, row.upstreamId ?? ''].some((name) => DIARIZES.test(name));
}
