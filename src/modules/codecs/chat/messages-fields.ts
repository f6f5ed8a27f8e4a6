import type { JsonObject } from './json-object.js';

/**
 * Where a part of a chat keeps what only the form of the Messages API can say: marks for its cache, a result that is an error,
 * how it is to think. A protocol of that form writes them back; JSON has no symbols, so that no other provider gets them, and no
 * client can send them past what reads its request.
 */
export const MESSAGES_FIELDS: unique symbol = Symbol('fields of the Messages form');

/** The type of a part that is a block of the Messages form, kept whole for providers of that form. */
export const KEPT_BLOCK = 'messages_block';

/** A part of a chat that may have fields of the Messages form. */
export interface WithMessagesFields {
  readonly [MESSAGES_FIELDS]?: JsonObject;
}

/** The fields of the Messages form that a part of a chat has; none for one that came in another form. */
export function messagesFieldsOf(part: WithMessagesFields | null | undefined): JsonObject {
  return part?.[MESSAGES_FIELDS] ?? {};
}

/** A copy of an object without some of its fields. Those of the Messages form, whose names are symbols, stay. */
export function withoutFields<Whole extends object>(whole: Whole, names: ReadonlySet<string>): Whole {
  const kept = Object.fromEntries(Object.entries(whole).filter(([name]) => !names.has(name)));
  for (const symbol of Object.getOwnPropertySymbols(whole)) Reflect.set(kept, symbol, Reflect.get(whole, symbol));
  return kept as Whole;
}

/** A part of a chat with fields of the Messages form; those that are undefined are left out. */
export function withMessagesFields<Part extends object>(part: Part, fields: JsonObject): Part & WithMessagesFields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? part : { ...part, [MESSAGES_FIELDS]: Object.fromEntries(given) };
}

/** Tokens that were written to a provider's cache, by how long it keeps them, as the Messages form says it. */
export interface CacheWrites {
  readonly ephemeral_5m_input_tokens: number;
  readonly ephemeral_1h_input_tokens: number;
}

/** The tokens written to a cache by how long it keeps them; undefined where the provider does not say. */
export function cacheWritesOf(usage: WithMessagesFields | null): CacheWrites | undefined {
  return messagesFieldsOf(usage)['cache_creation'] as CacheWrites | undefined;
}
