import type { ChatAnswer, ToolCall } from '../../api/chat';
import type { Schema } from '../../api/types';
import type { Picture } from './picture-field';

type ChatRequest = Schema<'ChatCompletionRequest'>;
type ChatMessage = ChatRequest['messages'][number];

/** What the form of the playground has. */
export interface PlaygroundDraft {
  /** Empty for the first of the person's keys. */
  readonly keyHash: string;
  /** One or two, which are asked side by side. Empty for the usual one. */
  readonly models: readonly string[];
  readonly system: string;
  /** JSON, or empty. */
  readonly tools: string;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly text: string;
  readonly pictures: readonly Picture[];
}

/** A form that nobody has filled in. */
export const EMPTY_DRAFT: PlaygroundDraft = {
  keyHash: '',
  models: [''],
  system: '',
  tools: '',
  temperature: null,
  maxTokens: null,
  text: '',
  pictures: [],
};

/** What one model has answered. */
export interface Side {
  readonly model: string;
  readonly answer: ChatAnswer;
  readonly error: Error | null;
  /** Whether more may come. */
  readonly isOpen: boolean;
  /** What the tools gave that it has called, by the ids of the calls. */
  readonly results: Readonly<Record<string, string>>;
}

/** What the person has said, and what each model has answered. */
export interface Turn {
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly sides: readonly Side[];
}

/** What a chat needs besides its model and messages. @throws Error for tools that are no JSON, or no list */
export function settingsOf({
  tools,
  temperature,
  maxTokens,
}: PlaygroundDraft): Pick<ChatRequest, 'tools'> & { temperature?: number; max_tokens?: number } {
  return {
    ...(tools.trim() !== '' && { tools: toolsIn(tools) }),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
  };
}

/** Tools that were filled in; whatever else is wrong with them the service says in its answer. */
function toolsIn(text: string): Schema<'ChatFunctionTool'>[] {
  const tools: unknown = JSON.parse(text);
  if (!Array.isArray(tools)) throw new Error('It is no list: write the tools between [ and ].');
  return tools as Schema<'ChatFunctionTool'>[];
}

/** The conversation that one model has had, with the system prompt first where there is one. */
export function messagesOf(system: string, turns: readonly Turn[], side: number): ChatMessage[] {
  return [
    ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...turns.flatMap((turn) => [saidBy(turn), ...answeredBy(turn.sides[side])]),
  ];
}

/** What the person says, with pictures behind the text. */
export function saidBy({ text, pictures }: Pick<Turn, 'text' | 'pictures'>): ChatMessage {
  if (pictures.length === 0) return { role: 'user', content: text };
  return {
    role: 'user',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...pictures.map(({ url }) => ({ type: 'image_url' as const, image_url: { url } })),
    ],
  };
}

/** What a model has answered, and what the tools gave that it has called; nothing where it was refused. */
function answeredBy(side: Side | undefined): ChatMessage[] {
  if (side === undefined) return [];
  const { text, calls } = side.answer;
  if (text === '' && calls.length === 0) return [];
  return [
    { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls.map(toCall) }) },
    ...calls.map(({ id, name }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      name,
      content: side.results[id] ?? '',
    })),
  ];
}

function toCall({ id, name, arguments: text }: ToolCall): Schema<'ChatToolCall'> {
  return { id, type: 'function', function: { name, arguments: text } };
}
