import { nonEmptyText, objectOf, type JsonObject } from '../../../../codecs/chat/json-values.js';
import type { AnswerInspection, WholeAnswerText } from '../../../../content/answers/answer-inspection.js';
import { FUNCTION_NAME, OPAQUE_WORD } from '../../content/fields/message-fields.js';

/** The texts of a detail of reasoning. What is encrypted or signed is read by its provider alone. */
export const DETAIL_TEXTS = ['text', 'summary'] as const;

/**
 * Whether a filter may change or block anything of an answer. Then all is left out that may repeat what was taken out: probabilities of tokens,
 * which some providers give of calls too, and fields that are not known.
 */
export function isEnforced(inspection: AnswerInspection): boolean {
  return inspection.isEnforcedIn('response') || inspection.isEnforcedIn('tool_call');
}

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
  const [text] = await inspection.filtered([jsonText(place, value)]);
  return JSON.parse(text!) as Value;
}

/** Whether a name of a function is scanned: one of the usual form is not, as in requests. */
export function isScannedName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && !FUNCTION_NAME.test(name);
}

/** Whether the id of a call is scanned: one of the usual form is not, as in requests. */
export function isScannedId(id: unknown): id is string {
  return typeof id === 'string' && !OPAQUE_WORD.test(id);
}

/** What a provider's own filters say of a choice, in the words of Azure. */
export const PROVIDER_VERDICTS = 'content_filter_results';

/** Where what a block of the Messages form says belongs: the calls of a provider's own tools, or what these have found. */
export function placeOfBlock(block: unknown): WholeAnswerText['place'] {
  return String(objectOf(block)?.['type']).endsWith('tool_use') ? 'tool_call' : 'response';
}

/** The fields of a detail of reasoning besides its texts. */
const DETAIL_FIELDS = ['type', 'format', 'index', 'id', 'data', 'signature'] as const;

/**
 * A detail of reasoning without its texts, and without what may repeat them: fields that are not known, and ids, data and signatures that
 * could be words of a language.
 */
export function detailWithoutTexts(detail: JsonObject): JsonObject {
  return opaqueFieldsOf(detail, DETAIL_FIELDS);
}

/** What signs a thought or stands in the place of one; undefined for a detail that only has texts, or nothing. */
export function signatureOf({ data, signature }: JsonObject): string | undefined {
  return nonEmptyText(data) ?? nonEmptyText(signature);
}

/** A detail of reasoning without what signs its text, which is not what was signed any more. */
export function withoutSignature({ signature: _signature, ...detail }: JsonObject): JsonObject {
  return detail;
}

/** What a call of a function says besides its id, its name and its arguments: what signs the thoughts before it. */
export function callWithoutTexts({ extra_content: extra, ...call }: JsonObject): JsonObject {
  const signature = opaqueFieldsOf(objectOf(objectOf(extra)?.['google']) ?? {}, ['thought_signature']);
  return {
    ...opaqueFieldsOf(call, ['index', 'type']),
    ...(Object.keys(signature).length > 0 && { extra_content: { google: signature } }),
  };
}

/** The named fields of an object whose values cannot be words of a language. */
function opaqueFieldsOf(object: JsonObject, names: readonly string[]): JsonObject {
  const isOpaque = (value: unknown): boolean =>
    typeof value === 'number' || (typeof value === 'string' && OPAQUE_WORD.test(value));
  return Object.fromEntries(names.flatMap((name) => (isOpaque(object[name]) ? [[name, object[name]]] : [])));
}
