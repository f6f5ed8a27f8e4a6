import { additionalFieldsOf, amountOf } from './additional-fields.js';
import type { OutgoingGeneration } from './generation-event.js';
import { jsonText } from './json-text.js';
import { cutText, type TextLimit } from './text-cut.js';
import type { TraceFields } from './trace-fields.js';

/** A plain value of the metadata of a generation. */
export type MetadataValue = string | number | boolean;

/** Of a value, where the whole generation has room. */
const VALUE_LIMIT: TextLimit = { length: 10_000, unit: 'characters' };

/**
 * What is said about a generation beside its content, its tokens and its costs, as plain values by their names: fields of the request's
 * `trace` and `metadata` (nested ones as JSON), who has served it, and the additional fields. Types with an interface of their own get it.
 *
 * @param limit of a text that the caller has written
 */
export function metadataOf(
  generation: OutgoingGeneration,
  trace: TraceFields,
  limit: TextLimit | null,
): Record<string, MetadataValue> {
  const { event } = generation;
  const entries: [string, unknown][] = [
    ...trace.others,
    ['provider_name', event.provider.name],
    ['provider_slug', event.provider.slug],
    ['requested_model', event.model.requested],
    ['finish_reason', event.finishReason],
    ['native_finish_reason', event.nativeFinishReason],
    ['api_key_name', event.key.name],
    ['entity_id', event.organizationId],
    ['creator_user_id', event.creatorUserId],
    ['is_byok', event.isByok],
    ['input_unit_price', amountOf(event.cost.inputUnitPrice)],
    ['output_unit_price', amountOf(event.cost.outputUnitPrice)],
    ['attempts', event.attempts.length],
    ['is_test', event.isTest],
    ...additionalFieldsOf(generation),
  ];
  const plain = entries.flatMap(([name, value]): [string, MetadataValue][] => {
    const kept = plainValueOf(value, limit ?? VALUE_LIMIT);
    return kept === null ? [] : [[name, kept]];
  });
  return Object.fromEntries(plain);
}

/** A value as it is, or as JSON; null for what says nothing or cannot be written. */
function plainValueOf(value: unknown, limit: TextLimit): MetadataValue | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text === undefined ? null : cutText(text, limit);
}
