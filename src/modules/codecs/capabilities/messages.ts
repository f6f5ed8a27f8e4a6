import type { ChatOperation, ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import {
  type ChatMessage,
  type ContentPart,
  isInstructing,
  leadingInstructions,
  type ToolCall,
} from '../chat/chat-completion.js';
import { messagesFieldsOf, withoutFields } from '../chat/messages-fields.js';
import { withTextResults } from '../openai-chat/request-encoder.js';
import { contentWithName } from '../chat/named-text.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { idOfSpoken, withIdOfSpoken, withTranscript } from '../chat/spoken-answers.js';
import { withRequiredSignature } from '../chat/thought-signatures.js';
import { inputOfCall } from '../chat/tool-arguments-reader.js';
import { withCallIds } from './call-ids.js';
import { translatedMedia } from './media.js';
import { withReturnedThoughts } from './returned-thoughts.js';
import type { TranslatedToolNames } from './tool-names.js';
import { withPossibleEnding, withPossibleTurns, withResultsBehindCalls } from './turns.js';

/** Fields of the reasoning of earlier turns, which are written as the provider wants them back. */
const OF_REASONING: ReadonlySet<string> = new Set(['reasoning', 'reasoning_content', 'reasoning_details']);

/** The mark of a part at which a cached prompt ends. */
const BREAKPOINT = 'prompt_cache_breakpoint';

interface MessageContext {
  readonly capabilities: ModelCapabilities;
  /** The operation of the provider that is called. */
  readonly operation: ChatOperation;
  /** Whether the provider speaks the usual form of chats; else its protocol writes roles, names and marks in its own. */
  readonly isChatForm: boolean;
  readonly names: TranslatedToolNames;
  /** Whether the model is asked not to think. */
  readonly thoughtsAreOff: boolean;
  readonly adjustments: RequestAdjustments;
}

/** The messages of a request as its provider takes them (docs/interface/capabilities.md#fields). */
export function translatedMessages(messages: readonly ChatMessage[], context: MessageContext): readonly ChatMessage[] {
  const { capabilities, isChatForm, operation, adjustments } = context;
  const isBuiltin = isOfBuiltin(context);
  const spoken = isBuiltin ? messages : withSpoken(messages, context);
  const ordered = withCallIds(withResultsBehindCalls(spoken, adjustments, !isBuiltin), capabilities);
  // Authors first: their names stand before what they say, and not before the media of a result that go with it.
  const authored = isChatForm ? ordered.map((message) => withKnownAuthor(message, capabilities)) : ordered;
  const hasTextResults = isChatForm || (operation === 'generate_content' && capabilities.media_in_results !== true);
  const written = (hasTextResults ? withTextResults(authored) : authored).map((message, index) =>
    translatedMessage(message, index, context),
  );
  const instructed = withPossibleInstructions(written, context);
  if (!isChatForm) return withPossibleEnding(instructed, capabilities, adjustments);
  const thoughts = { form: capabilities.returned_thoughts, areOff: context.thoughtsAreOff, adjustments };
  return withPossibleTurns(withReturnedThoughts(instructed, thoughts), capabilities, adjustments);
}

/** Whether the messages are for the builtin provider, which gets all that came. */
function isOfBuiltin({ operation, isChatForm }: MessageContext): boolean {
  return operation === 'chat' && !isChatForm;
}

/** Messages with what earlier answers have spoken: by its id where the provider keeps it, else as a text. */
function withSpoken(messages: readonly ChatMessage[], context: MessageContext): readonly ChatMessage[] {
  const { isChatForm, capabilities, adjustments } = context;
  if (!messages.some(({ audio }) => audio != null)) return messages;
  const isKept = isChatForm && capabilities.message_fields?.includes('audio') !== false;
  return messages.map((message, index) => {
    if (isKept && idOfSpoken(message) !== undefined) return withIdOfSpoken(message);
    const written = withTranscript(message);
    if (written !== message) adjustments.changed(['messages', index, 'audio'], 'audio_as_text');
    return written;
  });
}

/** A message with a role and a name that the provider knows. */
function withKnownAuthor(message: ChatMessage, { developer_role, author_names }: ModelCapabilities): ChatMessage {
  const known: ChatMessage =
    message.role === 'developer' && developer_role !== true ? { ...message, role: 'system' } : message;
  if (known.name === undefined || known.role === 'tool' || author_names === true) return known;
  const { name: _name, ...others } = known;
  return { ...others, content: contentWithName(message) ?? null };
}

function translatedMessage(message: ChatMessage, index: number, context: MessageContext): ChatMessage {
  const path = ['messages', index];
  let written = withCalls(message, path, context);
  if (Array.isArray(written.content)) {
    const parts = written.content as readonly ContentPart[];
    const content = parts.map((part, place) =>
      translatedMedia(
        part,
        { ...context.capabilities, isChatForm: context.isChatForm || context.operation === 'generate_content' },
        [...path, 'content', place],
        context.adjustments,
      ),
    );
    if (content.some((part, place) => part !== parts[place])) written = { ...written, content };
  }
  if (context.isChatForm) return inChatForm(withSignature(written, context), path, context);
  const signed = context.operation === 'generate_content' ? withSignature(written, context) : written;
  return withoutUnknownBreakpoints(signed, context.capabilities);
}

/** Servers of the Responses interface may refuse the marks that OpenAI has there; the Messages form has its own. */
function withoutUnknownBreakpoints(
  message: ChatMessage,
  { cache_breakpoints: areKnown }: ModelCapabilities,
): ChatMessage {
  if (areKnown === true || !Array.isArray(message.content)) return message;
  const parts = message.content as readonly ContentPart[];
  if (!parts.some((part) => BREAKPOINT in part)) return message;
  return { ...message, content: parts.map((part) => withoutFields(part, new Set([BREAKPOINT]))) };
}

function withSignature(message: ChatMessage, { capabilities, adjustments }: MessageContext): ChatMessage {
  if (capabilities.thought_signatures !== 'required') return message;
  return withRequiredSignature(message, () =>
    adjustments.changed('messages.*.tool_calls.*.extra_content', 'demanded_by_provider'),
  );
}

/** With names of calls that the provider takes, and without a list of no calls, which many refuse. */
function withCalls(message: ChatMessage, path: readonly (string | number)[], context: MessageContext): ChatMessage {
  const { names, isChatForm } = context;
  const { tool_calls: calls, name } = message;
  if (calls?.length === 0 || calls === null) {
    const { tool_calls: _none, ...others } = message;
    return others;
  }
  if (calls === undefined && names.areUnchanged) return message;
  const callFor = (call: ToolCall, index: number): ToolCall =>
    isChatForm ? withArguments(names.ofCall(call), [...path, 'tool_calls', index], context) : names.ofCall(call);
  return {
    ...message,
    ...(calls === undefined ? {} : { tool_calls: calls.map(callFor) }),
    ...(message.role === 'tool' && name !== undefined ? { name: names.sentOf(name) } : {}),
  };
}

/** A call with an object as arguments where it has none, or what is cut or no JSON: servers parse them, and fail if they cannot. */
function withArguments(call: ToolCall, path: readonly (string | number)[], { adjustments }: MessageContext): ToolCall {
  const given = call.function.arguments.trim();
  // What begins and ends as an object is not read to its end: conversations have very many calls.
  if (given.startsWith('{') && given.endsWith('}')) return call;
  const json = JSON.stringify(inputOfCall(call));
  adjustments.changed([...path, 'function', 'arguments'], json === '{}' ? 'arguments_missing' : 'arguments_no_object');
  return { ...call, function: { ...call.function, arguments: json } };
}

function inChatForm(message: ChatMessage, path: readonly (string | number)[], context: MessageContext): ChatMessage {
  const { capabilities, adjustments } = context;
  let written = message;
  if (Array.isArray(written.content))
    written = { ...written, content: withoutMarks(written.content as readonly ContentPart[], capabilities) };
  written = withPlainContent(written, path, context);
  const { message_fields: fields } = capabilities;
  if (fields === undefined) return written;
  const refused = Object.keys(written).filter((field) => !fields.includes(field) && !OF_REASONING.has(field));
  if (refused.length === 0) return written;
  for (const field of refused) adjustments.leftOut([...path, field], 'unknown_field');
  return withoutFields(written, new Set(refused));
}

function withoutMarks(
  parts: readonly ContentPart[],
  { cache_marks: marks = false, cache_breakpoints: breakpoints = false }: ModelCapabilities,
): readonly ContentPart[] {
  const unknown = [...(marks ? [] : ['cache_control']), ...(breakpoints ? [] : [BREAKPOINT])];
  if (!parts.some((part) => unknown.some((field) => field in part))) return parts;
  return parts.map((part) => withoutFields(part, new Set(unknown)));
}

/** With one text in place of a list of texts, for roles whose content may be no list. A list with media stays one. */
function withPlainContent(
  message: ChatMessage,
  path: readonly (string | number)[],
  { capabilities: { list_content: roles }, adjustments }: MessageContext,
): ChatMessage {
  const { role, content } = message;
  if (roles === undefined || roles.includes(role) || !Array.isArray(content)) return message;
  const parts = content as readonly ContentPart[];
  if (!parts.every(({ type }) => type === 'text')) return message;
  adjustments.changed([...path, 'content'], 'texts_joined');
  return { ...message, content: parts.map(({ text }) => text ?? '').join('\n') };
}

/** With as many messages of the system as the model may have. */
function withPossibleInstructions(messages: readonly ChatMessage[], context: MessageContext): readonly ChatMessage[] {
  const { system_messages: instructions } = context.capabilities;
  if (instructions === 'one') return withOneSystemMessage(messages, context);
  return instructions === 'none' ? messages.map((message, index) => asUser(message, index, context)) : messages;
}

/** A message that is no instruction, in its place. */
function asUser(message: ChatMessage, index: number, { adjustments }: MessageContext): ChatMessage {
  if (!isInstructing(message.role)) return message;
  adjustments.changed(['messages', index, 'role'], 'system_message_as_user');
  return { ...message, role: 'user' };
}

/** Instructions at the beginning become one message; later ones become messages of the user, in their place. */
function withOneSystemMessage(messages: readonly ChatMessage[], context: MessageContext): readonly ChatMessage[] {
  const { adjustments } = context;
  const leading = messages.slice(0, leadingInstructions(messages));
  const later = messages.slice(leading.length);
  const [first] = leading;
  if (leading.length > 1) adjustments.changed('messages', 'system_messages_joined');
  return [
    ...(first === undefined ? [] : [leading.length === 1 ? first : { ...first, content: joined(leading) }]),
    ...later.map((message, index) => asUser(message, leading.length + index, context)),
  ];
}

function joined(messages: readonly ChatMessage[]): ChatMessage['content'] {
  const contents = messages.map(({ content }) => content ?? '');
  const isMarked = (part: ContentPart): boolean => Object.keys(messagesFieldsOf(part)).length > 0;
  const areTexts = contents.every(
    (content) => typeof content === 'string' || content.every((part) => part.type === 'text' && !isMarked(part)),
  );
  const partsOf = (content: string | readonly ContentPart[]): readonly ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const parts = contents.flatMap(partsOf);
  return areTexts ? parts.map(({ text }) => text ?? '').join('\n\n') : parts;
}
