import type { ChatMessage } from '../../chat-completion.js';
import { textOf } from '../../json-values.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import { type ContentBlock, contentBlocksOf } from './content-blocks.js';
import { thinkingBlocksOf } from './thinking-blocks.js';
import { toolUseBlock, toolUseId } from './tool-use.js';

/** A message in the form of the Messages API. */
export interface ConversationMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** Messages as the Messages API has them: instructions apart, and the two roles in turn. */
export interface Conversation {
  readonly system: readonly ContentBlock[];
  readonly messages: readonly ConversationMessage[];
}

/**
 * Writes the messages of a request. Instructions go before everything, wherever they stood. The results of tools become parts
 * of the user's message. Messages of one role that follow each other become one.
 *
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function conversationOf(messages: readonly ChatMessage[]): Conversation {
  const system = messages.filter(isInstruction).flatMap(blocksOf);
  const others = messages.filter((message) => !isInstruction(message)).map(turnOf);
  // A conversation needs a message of the user.
  if (others.length === 0) return { system: [], messages: [{ role: 'user', content: system }] };
  return { system, messages: withoutTrailingSpace(inTurn(others)) };
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

function turnOf(message: ChatMessage): ConversationMessage {
  if (message.role === 'tool') return { role: 'user', content: [toolResult(message)] };
  if (message.role !== 'assistant') return { role: 'user', content: blocksOf(message) };
  return {
    role: 'assistant',
    content: [
      ...thinkingBlocksOf(message.reasoning_details ?? []),
      ...blocksOf(message),
      ...(message.tool_calls ?? []).map(toolUseBlock),
    ],
  };
}

function toolResult(message: ChatMessage): ContentBlock {
  const { tool_call_id: id, content } = message;
  const blocks = contentBlocksOf(content);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId(id ?? ''),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...messagesFieldsOf(message),
  };
}

/** The form has no field for a name, so it is put before the text. */
function blocksOf({ name, content }: ChatMessage): readonly ContentBlock[] {
  const blocks = contentBlocksOf(content);
  const [first, ...rest] = blocks;
  if (textOf(name) === undefined || first?.type !== 'text') return blocks;
  return [{ ...first, text: `${name!}: ${String(first['text'])}` }, ...rest];
}

function inTurn(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const turns: { role: ConversationMessage['role']; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns;
}

/** The provider refuses the beginning of an answer that ends with white space. */
function withoutTrailingSpace(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const trimmed = { ...block, text: String(block['text']).trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}
