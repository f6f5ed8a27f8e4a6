import type { ChatMessage, ToolCall, ToolCallDelta } from '../../chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from '../../json-values.js';
import { GOOGLE_FORMAT } from '../reasoning-format.js';
import { isSameCallId } from '../tool-call-ids.js';

/** What a call or a message has beside the fields of this form. */
type Signed = Readonly<Record<string, unknown>>;

/**
 * The signature of a thought as a detail of reasoning, which clients of every form hand back: Gemini's own field stands in a call or
 * a message, where the forms of Messages and Responses have no place for it (docs/interface/providers.md#reasoning).
 *
 * @param callId of the call that it belongs to; undefined for a text
 * @returns none if there is no signature
 */
function signatureDetails(signed: Signed, index: number, callId: string | undefined): readonly JsonObject[] {
  const data = signatureOf(signed);
  if (data === undefined) return [];
  const type = 'reasoning.encrypted';
  return [{ type, format: GOOGLE_FORMAT, index, ...(callId !== undefined && { id: callId }), data }];
}

/** The details of the signatures of a message and of its calls, in this order. */
export function signaturesIn(message: Signed, calls: readonly ToolCall[] = []): readonly JsonObject[] {
  return [
    ...calls.flatMap((call, index) => signatureDetails(call, index, call.id)),
    ...signatureDetails(message, calls.length, undefined),
  ];
}

/**
 * The details of the signatures in parts of calls.
 *
 * @param idOf the id of the call in a place
 */
export function signaturesInParts(
  parts: readonly ToolCallDelta[],
  idOf: (place: number) => string | undefined,
): readonly JsonObject[] {
  return parts.flatMap((part) => signatureDetails(part, part.index, idOf(part.index)));
}

/** The details of the signature of a text, in a part of a streamed answer. */
export function signatureOfText(delta: Signed): readonly JsonObject[] {
  return signatureDetails(delta, 0, undefined);
}

/** Whether a detail signs thoughts of Gemini's models. It says nothing that could be read. */
export function isThoughtSignature({ type, format }: JsonObject): boolean {
  return type === 'reasoning.encrypted' && format === GOOGLE_FORMAT;
}

/**
 * A message with its signatures where Google wants them. Those that a client has kept in their own fields stand.
 *
 * @param details that the client sent back
 */
export function withSignatures(message: ChatMessage, details: readonly JsonObject[]): ChatMessage {
  const signatures = details.filter(isThoughtSignature);
  if (signatures.length === 0) return message;
  const own = signatures.find(({ id }) => nonEmptyText(id) === undefined);
  const calls = message.tool_calls?.map((call): ToolCall => {
    const its = signatures.find(({ id }) => isSameCallId(nonEmptyText(id) ?? '', call.id));
    return its === undefined || objectOf(call['extra_content']) !== undefined
      ? call
      : { ...call, ...extraContent(its) };
  });
  return {
    ...message,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(own !== undefined && objectOf(message['extra_content']) === undefined && extraContent(own)),
  };
}

/** What its provider takes in place of a signature, for calls that another model has made or a client has handed back without it. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A message whose first call has a signature, or what stands for one. @param noted is told of the latter */
export function withRequiredSignature(message: ChatMessage, noted: () => void): ChatMessage {
  const [first, ...others] = message.tool_calls ?? [];
  if (first === undefined || signatureOf(first) !== undefined) return message;
  const isSigned = (message.reasoning_details ?? []).some(
    (detail) => isThoughtSignature(detail) && isSameCallId(nonEmptyText(detail['id']) ?? '', first.id),
  );
  if (isSigned) return message;
  noted();
  return { ...message, tool_calls: [{ ...first, ...extraContent({ data: NO_SIGNATURE }) }, ...others] };
}

function signatureOf({ extra_content: extra }: Signed): string | undefined {
  return nonEmptyText(objectOf(objectOf(extra)?.['google'])?.['thought_signature']);
}

function extraContent({ data }: JsonObject): { readonly extra_content: JsonObject } {
  return { extra_content: { google: { thought_signature: data } } };
}
