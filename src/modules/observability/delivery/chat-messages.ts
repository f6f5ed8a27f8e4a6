import { isObject } from '../../../http/validation/constraints.js';
import type { EventContent, EventToolCall } from './generation-event.js';

/** A message of a conversation, read from the OpenAI form. */
export interface ChatMessage {
  readonly role: string;
  /** All its texts together; other parts are named by their type, such as `[image_url]`. */
  readonly text: string;
  readonly reasoning: string | null;
  readonly toolCalls: readonly EventToolCall[];
  /** The call that a message of the role `tool` answers. */
  readonly toolCallId: string | null;
  readonly name: string | null;
}

/** The conversation that a generation was given. A prompt without messages is one message of the user. */
export function conversationOf({ input }: EventContent): ChatMessage[] {
  if ('prompt' in input) return [{ ...EMPTY, role: 'user', text: input.prompt }];
  return Array.isArray(input.messages) ? input.messages.map(messageOf) : [];
}

/** What came back, as a message of the assistant; null where nothing did. */
export function answerOf({ output }: EventContent): ChatMessage | null {
  const { completion, reasoning, toolCalls } = output;
  if (completion === null && reasoning === null && toolCalls.length === 0) return null;
  return { ...EMPTY, text: completion ?? '', reasoning, toolCalls };
}

/** What came back, as a message in the OpenAI form; null where nothing did. */
export function openAiAnswerOf({ output }: EventContent): Readonly<Record<string, unknown>> | null {
  const { completion, reasoning, toolCalls } = output;
  if (completion === null && reasoning === null && toolCalls.length === 0) return null;
  return {
    role: 'assistant',
    content: completion,
    ...(reasoning !== null && { reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
}

const EMPTY: ChatMessage = {
  role: 'assistant',
  text: '',
  reasoning: null,
  toolCalls: [],
  toolCallId: null,
  name: null,
};

function messageOf(message: unknown): ChatMessage {
  if (!isObject(message)) return { ...EMPTY, role: 'user', text: typeof message === 'string' ? message : '' };
  return {
    role: textOf(message['role']) ?? 'user',
    text: textIn(message['content']),
    reasoning: textOf(message['reasoning']),
    toolCalls: listOf(message['tool_calls']).flatMap(toolCallOf),
    toolCallId: textOf(message['tool_call_id']),
    name: textOf(message['name']),
  };
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content).map(textOfPart).join('\n');
}

function textOfPart(part: unknown): string {
  if (!isObject(part)) return typeof part === 'string' ? part : '';
  return textOf(part['text']) ?? `[${textOf(part['type']) ?? 'part'}]`;
}

function toolCallOf(call: unknown): EventToolCall[] {
  if (!isObject(call)) return [];
  const called = isObject(call['function']) ? call['function'] : {};
  return [
    {
      id: textOf(call['id']) ?? '',
      name: textOf(called['name']) ?? '',
      arguments: textOf(called['arguments']) ?? '',
    },
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
