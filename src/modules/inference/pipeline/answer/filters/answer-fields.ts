import { objectOf, type JsonObject } from '../../../../codecs/chat/json-values.js';
import type { AnswerInspection, WholeAnswerText } from '../../../../content/answers/answer-inspection.js';
import { FUNCTION_NAME } from '../../content/fields/message-fields.js';

/** The fields of a message that are known: under filters, others are left out, for they may repeat what was taken out. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'audio',
  'images',
  'annotations',
]);

/** The texts of a detail of reasoning. What is encrypted or signed is read by its provider alone. */
export const DETAIL_TEXTS = ['text', 'summary'] as const;

/** A value of an answer as a JSON text, which stays JSON under filters. */
export function jsonText(place: WholeAnswerText['place'], value: unknown): WholeAnswerText {
  return { place, kind: 'tool_arguments', text: JSON.stringify(value) };
}

/** What filters make of a value of an answer. @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans */
export async function filteredValue<Value>(
  inspection: AnswerInspection,
  place: WholeAnswerText['place'],
  value: Value,
): Promise<Value> {
  const [text] = await inspection.whole([jsonText(place, value)]);
  return JSON.parse(text!) as Value;
}

/** Whether a name of a function is scanned: one of the usual form is not, as in requests. */
export function isScannedName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && !FUNCTION_NAME.test(name);
}

/** Where what a block of the Messages form says belongs: the calls of a provider's own tools, or what these have found. */
export function placeOfBlock(block: unknown): WholeAnswerText['place'] {
  return String(objectOf(block)?.['type']).endsWith('tool_use') ? 'tool_call' : 'response';
}

/** A detail of reasoning without what signs its text, which is not what was signed any more. */
export function withoutSignature({ signature: _signature, ...detail }: JsonObject): JsonObject {
  return detail;
}
