import type { ChatMessage, ToolCall, ToolCallDelta } from './chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from './json-values.js';
import { isSameCallId, portableCallId } from './tool-call-ids.js';

/** The `format` of reasoning_details that came from a provider of the Responses interface, and can be sent back to one alone. */
export const OPENAI_RESPONSES_FORMAT = 'openai-responses-v1';

/** The `format` of reasoning_details that came from blocks of the Messages form, and can be sent back to it alone. */
export const ANTHROPIC_FORMAT = 'anthropic-claude-v1';

/** The `format` of reasoning_details that have what signs the thoughts of Gemini's models, which only Google takes back. */
export const GOOGLE_FORMAT = 'google-gemini-v1';

/** What a call or a message has beside the fields of this form. */
type Signed = Readonly<Record<string, unknown>>;

/** The detail of a signature. @param id of the call that it belongs to, or {@link idOfSignedPart}; undefined for the text of an answer */
export function thoughtSignature(data: string, index: number, id?: string): JsonObject {
  return { type: 'reasoning.encrypted', format: GOOGLE_FORMAT, index, ...(id !== undefined && { id }), data };
}

/** Where a signed part of an answer stands that is no call: providers want a signature back in the part that had it. */
export interface SignedPlace {
  /** UTF-16 units of text before the part. */
  readonly text: number;
  /** Calls of tools before it. */
  readonly calls: number;
  /** UTF-16 units of the part, which may be none. */
  readonly length: number;
}

const PLACE = /^after-(\d{1,9})-(\d{1,6})-(\d{1,9})$/;

/** The `id` of the detail of a signature in a text: clients of chats hand back details untouched. */
export function idOfSignedPart({ text, calls, length }: SignedPlace): string {
  return `after-${text}-${calls}-${length}`;
}

/** Reads {@link idOfSignedPart}. @returns undefined for a detail that says no place */
export function signedPlaceOf({ id }: JsonObject): SignedPlace | undefined {
  const [, text, calls, length] = PLACE.exec(nonEmptyText(id) ?? '') ?? [];
  return text === undefined ? undefined : { text: Number(text), calls: Number(calls), length: Number(length) };
}

/** Whether a detail is the signature of a text, and of no call. */
export function isSignatureOfText(detail: JsonObject): boolean {
  if (!isThoughtSignature(detail)) return false;
  return nonEmptyText(detail['id']) === undefined || signedPlaceOf(detail) !== undefined;
}

/**
 * The signature of a thought as a detail of reasoning, which clients of every form hand back: Gemini's own field stands in a call or
 * a message, where the forms of Messages and Responses have no place for it (docs/interface/providers.md#reasoning).
 *
 * @param callId of the call that it belongs to; undefined for a text
 * @returns none if there is no signature
 */
function signatureDetails(signed: Signed, index: number, callId: string | undefined): readonly JsonObject[] {
  const data = signatureOf(signed);
  return data === undefined ? [] : [thoughtSignature(data, index, callId)];
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
  const own = signatures.find(isSignatureOfText);
  const ofCalls = new Map<string, JsonObject>();
  for (const signature of signatures.toReversed()) {
    ofCalls.set(portableCallId(nonEmptyText(signature['id']) ?? ''), signature);
  }
  const calls = message.tool_calls?.map((call): ToolCall => {
    const its = ofCalls.get(portableCallId(call.id));
    return its === undefined || objectOf(call['extra_content']) !== undefined
      ? call
      : { ...call, ...extraContent(its['data']) };
  });
  return {
    ...message,
    ...(calls !== undefined && { tool_calls: calls }),
    ...(own !== undefined && objectOf(message['extra_content']) === undefined && extraContent(own['data'])),
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
  return { ...message, tool_calls: [{ ...first, ...extraContent(NO_SIGNATURE) }, ...others] };
}

/** The signature beside a call or a text, in the field of Google's form of chats. */
export function signatureOf({ extra_content: extra }: Signed): string | undefined {
  return nonEmptyText(objectOf(objectOf(extra)?.['google'])?.['thought_signature']);
}

/** That field, for a signature. */
export function extraContent(signature: unknown): { readonly extra_content: JsonObject } {
  return { extra_content: { google: { thought_signature: signature } } };
}
