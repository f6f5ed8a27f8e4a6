type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The value of a claim by its name, or by the path to it: `realm_access.roles` is `roles` within `realm_access`. A claim whose name has dots
 * itself, such as `https://example.com/roles`, comes before a path, on each level (docs/interface/sign-in.md#names-of-claims).
 *
 * @param name what a claim is called, or names that are joined by dots
 * @returns undefined where there is no such claim
 */
export function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const first = name.slice(0, dot);
    const within = Object.hasOwn(claims, first) ? claims[first] : undefined;
    const found = isObject(within) ? claimAt(within, name.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
