/** The supported values of one parameter of an image endpoint. */
export type Capability =
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' };

/** The parameters of an image endpoint, by name. */
export type Capabilities = Readonly<Record<string, Capability>>;

/**
 * The union of the parameters of a model's endpoints (docs/interface/catalog.md#image-models): the values of enums in order
 * of first appearance, the smallest minimum and the largest maximum of ranges, a boolean if any endpoint has it.
 *
 * A parameter keeps the type of its first appearance; an endpoint that describes it with another type adds nothing.
 */
export function uniteCapabilities(endpoints: readonly Capabilities[]): Capabilities {
  const united = new Map<string, Capability>();
  for (const [name, capability] of endpoints.flatMap((endpoint) => Object.entries(endpoint))) {
    const known = united.get(name);
    united.set(name, known === undefined ? capability : unite(known, capability));
  }
  return Object.fromEntries(united);
}

function unite(known: Capability, added: Capability): Capability {
  if (known.type === 'enum' && added.type === 'enum') {
    return { type: 'enum', values: [...new Set([...known.values, ...added.values])] };
  }
  if (known.type === 'range' && added.type === 'range') {
    return { type: 'range', min: Math.min(known.min, added.min), max: Math.max(known.max, added.max) };
  }
  return known;
}
