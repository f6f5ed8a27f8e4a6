import { type ChatMessage, answerOf, conversationOf } from '../chat-messages.js';
import type { EventContent, GenerationEvent } from '../generation-event.js';

/** The operations whose answer is a message. */
const CHATS: ReadonlySet<GenerationEvent['operation']> = new Set(['chat', 'text_completion']);

/** A message in the form of OpenTelemetry's conventions for generative AI, v1.41. */
interface SemanticMessage {
  readonly role: string;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  readonly finish_reason?: string;
}

/** `gen_ai.input.messages`. */
export function inputMessagesOf(content: EventContent): readonly SemanticMessage[] {
  return conversationOf(content).map((message) => ({ role: message.role, parts: partsOf(message) }));
}

/** `gen_ai.output.messages`: empty where nothing came back. A model that refuses without a word has ended its answer all the same. */
export function outputMessagesOf(content: EventContent, event: GenerationEvent): readonly SemanticMessage[] {
  const answer = answerOf(content);
  if (answer === null) {
    const hasEnded = CHATS.has(event.operation) && event.error === null && event.finishReason !== null;
    return hasEnded ? [{ role: 'assistant', parts: [], finish_reason: event.finishReason }] : [];
  }
  return [{ role: answer.role, parts: partsOf(answer), finish_reason: event.finishReason ?? 'error' }];
}

function partsOf({ role, text, reasoning, toolCalls, toolCallId }: ChatMessage): Readonly<Record<string, unknown>>[] {
  if (role === 'tool') return [{ type: 'tool_call_response', id: toolCallId, response: text }];
  return [
    ...(reasoning === null ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...toolCalls.map((call) => ({ type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments })),
  ];
}
