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

/** Whether a suffix selects a way of serving a model. */
export function isVariant(suffix: string): boolean {
  return VARIANTS.has(suffix);
}

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
  return isVariant(variant) ? { base: full.slice(0, separator), variant, full } : undefined;
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

/**
 * The names of models by what stands behind their author, so that a caller may leave the author out. Of several names of one model one
 * is kept; variants count as their base.
 *
 * @param modelsByName by every name, in lower case
 */
export function namesBySlug<Model>(modelsByName: ReadonlyMap<string, Model>): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const base of new Set([...modelsByName.keys()].map((name) => name.split(':', 1)[0]!))) {
    const slash = base.indexOf('/');
    if (slash === -1) continue;
    const slug = base.slice(slash + 1);
    const others = names.get(slug) ?? [];
    const model = modelsByName.get(base);
    const isKnown = model !== undefined && others.some((other) => modelsByName.get(other) === model);
    if (!isKnown) names.set(slug, [...others, base]);
  }
  return names;
}

/**
 * The full names that a name without variants may stand for.
 *
 * @param name in lower case, with or without an author
 * @returns the name itself if it has an author, or if nothing is known of it
 */
export function fullNamesOf(
  { namesBySlug: names }: { readonly namesBySlug: ReadonlyMap<string, readonly string[]> },
  name: string,
): readonly string[] {
  return name.includes('/') ? [name] : (names.get(name) ?? [name]);
}

/** The author of a model: the first part of its id. */
export function authorOf(modelId: string): string {
  return modelId.split('/')[0]!;
}
