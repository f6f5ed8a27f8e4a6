import type { AssistantMessage, ChatDelta, ChatMessage } from './chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from './json-values.js';
import { messagesFieldsOf, withMessagesFields, type WithMessagesFields } from './messages-fields.js';
import { extraContent, signatureOf } from './thought-signatures.js';

/** What may have thoughts that only their provider can read: a message of a request or of an answer, or a piece of one. */
type Thinking = ChatMessage | AssistantMessage | ChatDelta;

/** A call of such a message, or a piece of one. */
type Signed = Readonly<Record<string, unknown>>;

/** Where such a text stands, as adjustments of a request name it. */
export type OpaquePlace =
  'messages.*.reasoning_details' | 'messages.*.extra_content' | 'messages.*.tool_calls.*.extra_content';

/** Gives what stands in the place of a text that only its provider can read; undefined where nothing does. */
export type OpaqueChange = (text: string, place: OpaquePlace) => string | undefined;

/** The fields of details in which providers encrypt or sign thoughts. */
const OPAQUE_FIELDS = ['data', 'signature'] as const;

/** Whether a message has a field in which thoughts may stand that only their provider can read. */
export function mayHaveOpaqueThoughts({
  reasoning_details: details,
  tool_calls: calls,
  extra_content: extra,
}: Thinking): boolean {
  if ((details !== undefined && details !== null) || extra !== undefined) return true;
  return calls?.some((call) => call['extra_content'] !== undefined) === true;
}

/**
 * A message with other texts in the place of those that only the provider of its thoughts can read: what is encrypted, and what signs a
 * thought, a call or a text. Clients of every form hand them back, and every form is read into these fields.
 *
 * @param change of each such text. A detail that is encrypted goes with its text; one that is signed stays without its signature.
 * @returns the same message where nothing changes
 */
export function withOpaqueThoughts<Said extends Thinking>(said: Said, change: OpaqueChange): Said {
  if (!mayHaveOpaqueThoughts(said)) return said;
  const changed: { reasoning_details?: readonly JsonObject[]; tool_calls?: readonly Signed[] } = {};
  const { reasoning_details: details, tool_calls: calls } = said;
  let order: readonly unknown[] | undefined;
  if (details !== undefined && details !== null) {
    const kept = details.map((detail) => changedDetail(detail, change));
    if (kept.some((detail, index) => detail !== details[index])) {
      changed.reasoning_details = kept.filter((detail) => detail !== undefined);
      order = orderOf(said as WithMessagesFields, kept);
    }
  }
  const signed = calls?.map((call) => withSignature(call, 'messages.*.tool_calls.*.extra_content', change));
  if (signed?.some((call, index) => call !== calls![index]) === true) changed.tool_calls = signed;
  const whole = withSignature(said, 'messages.*.extra_content', change);
  if (Object.keys(changed).length === 0) return whole;
  const written = Object.assign({}, whole, changed);
  if (order === undefined) return written;
  const fields = { ...messagesFieldsOf(said as WithMessagesFields), block_order: order };
  return withMessagesFields(written, fields);
}

function changedDetail(detail: JsonObject, change: OpaqueChange): JsonObject | undefined {
  let changed = detail;
  for (const field of OPAQUE_FIELDS) {
    const text = nonEmptyText(detail[field]);
    if (text === undefined) continue;
    const other = change(text, 'messages.*.reasoning_details');
    if (other === text) continue;
    if (other !== undefined) changed = { ...changed, [field]: other };
    else if (field === 'data') return undefined;
    else changed = Object.fromEntries(Object.entries(changed).filter(([name]) => name !== field));
  }
  return changed;
}

/** The order of the blocks of a message without the thoughts that are left out; undefined where none is said, or it stays. */
function orderOf(said: WithMessagesFields, kept: readonly (JsonObject | undefined)[]): readonly unknown[] | undefined {
  const { block_order: order } = messagesFieldsOf(said);
  if (!Array.isArray(order) || !kept.includes(undefined)) return undefined;
  const left = kept.values();
  return (order as readonly unknown[]).filter((kind) => kind !== 'thought' || left.next().value !== undefined);
}

function withSignature<Said extends Signed>(said: Said, place: OpaquePlace, change: OpaqueChange): Said {
  const signature = signatureOf(said);
  if (signature === undefined) return said;
  const other = change(signature, place);
  if (other === signature) return said;
  const { google: _google, ...extra } = objectOf(said['extra_content'])!;
  const { thought_signature: _signature, ...google } = objectOf(objectOf(said['extra_content'])!['google'])!;
  const signed = other === undefined ? google : { ...google, ...objectOf(extraContent(other).extra_content['google']) };
  const content = Object.keys(signed).length === 0 ? extra : { ...extra, google: signed };
  const { extra_content: _extra, ...rest } = said;
  const written = Object.keys(content).length === 0 ? rest : { ...rest, extra_content: content };
  return written as unknown as Said;
}
