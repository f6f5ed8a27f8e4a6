import { type JsonObject, objectOf } from '../../json-values.js';

/** The mark of a part or a tool up to which the provider is to keep the prompt, as the field of a block. */
export function cacheControlOf(marked: JsonObject): { readonly cache_control?: JsonObject } {
  const mark = objectOf(marked['cache_control']);
  return mark === undefined ? {} : { cache_control: mark };
}
