/** Suffixes that select a way of serving a model (DECISIONS.md, section 4). */
const VARIANTS: ReadonlySet<string> = new Set([
  'free',
  'extended',
  'thinking',
  'online',
  'nitro',
  'floor',
  'beta',
  'batch',
]);

/** A name that somebody asked for a model by, taken apart. In lower case: names are matched without regard to case. */
export interface ModelReference {
  /** `author/slug`. */
  readonly base: string;
  readonly variant: string | undefined;
  /** Both. */
  readonly full: string;
}

/**
 * Takes `author/slug` or `author/slug:variant` apart.
 *
 * @returns undefined for a variant that there is not
 */
export function parseModelReference(text: string): ModelReference | undefined {
  const full = text.toLowerCase();
  const separator = full.indexOf(':');
  if (separator === -1) return { base: full, variant: undefined, full };
  const variant = full.slice(separator + 1);
  return VARIANTS.has(variant) ? { base: full.slice(0, separator), variant, full } : undefined;
}
