import type { ChatMessage, ToolCall } from '../../../providers/chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';
import { type BlockKind, withBlockOrder } from '../../../providers/protocols/anthropic/block-order.js';
import { encryptedReasoning, reasoningText } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { detailsOfText } from '../../carried-reasoning.js';
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
      return [typeof content === 'string' ? { role, content } : assistantMessage(content)];
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

/** A chat message has no order of its blocks, so that it is noted for providers that take thoughts back only in their places. */
function assistantMessage(blocks: readonly Block[]): ChatMessage {
  const texts = blocks.filter((block) => !isThought(block) && !isCall(block));
  const thoughts = blocks.filter(isThought);
  const reasoning = thoughts.map(({ thinking }) => (typeof thinking === 'string' ? thinking : '')).join('');
  const details = thoughts.flatMap((thought, index) => detailsOf(thought, index));
  const calls = blocks.filter(isCall);
  const message: ChatMessage = {
    role: 'assistant',
    content: texts.length === 0 ? null : contentOf(texts),
    ...(reasoning !== '' && { reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  };
  return details.length === 0 ? message : withBlockOrder(message, blocks.flatMap(kindsOf));
}

function kindsOf(block: Block): readonly BlockKind[] {
  if (isThought(block)) return detailsOf(block, 0).map(() => 'thought');
  if (isCall(block)) return ['call'];
  const content = contentOf([block]);
  return typeof content === 'string' ? ['part'] : content.map(() => 'part');
}

function isThought({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isCall({ type }: Block): boolean {
  return type === 'tool_use';
}

/** What a provider wants back of a thought; nothing of one without a signature, because its text says everything. */
function detailsOf({ type, thinking, signature, data }: Block, index: number): readonly JsonObject[] {
  if (type === 'redacted_thinking') return [encryptedReasoning(index, String(data))];
  const signed = nonEmptyText(signature);
  if (signed === undefined) return [];
  return detailsOfText(signed) ?? [reasoningText(index, { text: String(thinking), signature: signed })];
}

function toolCall({ id, name, input, cache_control: mark }: Block): ToolCall {
  const called = { name: String(name), arguments: JSON.stringify(input ?? {}) };
  return withMessagesFields<ToolCall>(
    { id: String(id), type: 'function', function: called },
    { cache_control: objectOf(mark) },
  );
}
