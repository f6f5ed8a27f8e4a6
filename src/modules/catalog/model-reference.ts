/** Suffixes that select a way of serving a model (docs/interface/catalog.md#names-of-models). */
const VARIANTS: ReadonlySet<string> = new Set([
  'free',
  'extended',
  'thinking',
  'online',
  'nitro',
  'floor',
  'exacto',
  'beta',
  'batch',
]);

/** The parts of a model name, in lower case: names are matched without case. */
export interface ModelReference {
  /** `author/slug`. */
  readonly base: string;
  readonly variant: string | undefined;
  /** Both. */
  readonly full: string;
}

/**
 * Parses `author/slug` or `author/slug:variant`.
 *
 * @returns undefined for an unknown variant
 */
export function parseModelReference(text: string): ModelReference | undefined {
  const full = text.toLowerCase();
  const separator = full.indexOf(':');
  if (separator === -1) return { base: full, variant: undefined, full };
  const variant = full.slice(separator + 1);
  return VARIANTS.has(variant) ? { base: full.slice(0, separator), variant, full } : undefined;
}

/** A model as guardrails and provider keys name it: its canonical slug, with the suffix of a variant. */
export function modelReferenceOf({
  id,
  canonicalSlug,
}: {
  readonly id: string;
  readonly canonicalSlug: string;
}): string {
  const suffix = id.indexOf(':');
  return suffix === -1 ? canonicalSlug : `${canonicalSlug}${id.slice(suffix)}`;
}
