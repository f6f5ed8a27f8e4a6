import type { ChatMessage, ToolCall } from '../../../providers/chat-completion.js';
import { type JsonObject, objectOf } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';
import { encryptedReasoning, reasoningText } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import type { Block, BlockContent, MessageParam } from './blocks.js';
import { contentOf } from './content-parts.js';

/**
 * Reads the instructions and messages of a request as those of a chat: results of tools become messages of their own, before the
 * rest of the user's message, and what the model thought becomes its reasoning, with the provider's signatures.
 */
export function chatMessagesOf(
  system: BlockContent | null | undefined,
  messages: readonly MessageParam[],
): ChatMessage[] {
  const instructions = system == null || system.length === 0 ? [] : [systemMessage(system)];
  return [...instructions, ...messages.flatMap(chatMessages)];
}

function chatMessages({ role, content }: MessageParam): readonly ChatMessage[] {
  switch (role) {
    case 'system':
      return [systemMessage(content)];
    case 'assistant':
      return typeof content === 'string' ? [{ role, content }] : turnsOf(content).map(assistantMessage);
    case 'user':
      return typeof content === 'string' ? [{ role, content }] : userMessages(content);
  }
}

function systemMessage(content: BlockContent): ChatMessage {
  return { role: 'system', content: contentOf(content) };
}

function userMessages(blocks: readonly Block[]): readonly ChatMessage[] {
  const said = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...blocks.filter(({ type }) => type === 'tool_result').map(toolMessage),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, content: contentOf(said) }]),
  ];
}

function toolMessage({ tool_use_id: id, content, is_error: isError, cache_control: mark }: Block): ChatMessage {
  const message = {
    role: 'tool' as const,
    tool_call_id: String(id),
    content: contentOf((content ?? '') as BlockContent),
  };
  return withMessagesFields<ChatMessage>(message, {
    ...(isError === true && { is_error: true }),
    cache_control: objectOf(mark),
  });
}

/**
 * The messages that an answer consists of: a chat message has its reasoning before its text, and its calls after both, so
 * a thought after a text begins another message. After a call none does, because its result must be the next message.
 */
function turnsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const turns: Block[][] = [];
  for (const block of blocks) {
    const turn = turns.at(-1);
    const begins = isThought(block) && turn?.some(({ type }) => type === 'text') && !turn.some(isCall);
    if (turn === undefined || begins === true) turns.push([block]);
    else turn.push(block);
  }
  return turns;
}

function assistantMessage(blocks: readonly Block[]): ChatMessage {
  const texts = blocks.filter((block) => !isThought(block) && !isCall(block));
  const thoughts = blocks.filter(isThought);
  const reasoning = thoughts.map(({ thinking }) => (typeof thinking === 'string' ? thinking : '')).join('');
  const calls = blocks.filter(isCall);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : contentOf(texts),
    ...(reasoning !== '' && { reasoning }),
    ...(thoughts.length > 0 && { reasoning_details: thoughts.map(reasoningDetail) }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  };
}

function isThought({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isCall({ type }: Block): boolean {
  return type === 'tool_use';
}

function reasoningDetail({ type, thinking, signature, data }: Block, index: number): JsonObject {
  if (type === 'redacted_thinking') return encryptedReasoning(index, String(data));
  return reasoningText(index, {
    text: String(thinking),
    ...(typeof signature === 'string' && { signature }),
  });
}

function toolCall({ id, name, input, cache_control: mark }: Block): ToolCall {
  const called = { name: String(name), arguments: JSON.stringify(input ?? {}) };
  return withMessagesFields<ToolCall>(
    { id: String(id), type: 'function', function: called },
    { cache_control: objectOf(mark) },
  );
}
