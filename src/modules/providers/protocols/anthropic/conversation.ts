import { type ChatMessage, leadingInstructions } from '../../chat-completion.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import type { RequestAdjustments } from '../../request-adjustments.js';
import { contentWithName } from '../named-text.js';
import { portableCallId } from '../tool-call-ids.js';
import { assistantBlocksOf } from './assistant-blocks.js';
import { type ContentBlock, contentBlocksOf } from './content-blocks.js';

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
 * Writes the messages of a request. Instructions at the beginning stand apart. Later ones are for what comes after them, so they
 * stay in their place, as texts of the user. The results of tools become parts of the user's message. Messages of one role that
 * follow each other become one.
 *
 * @param adjustments is told which thoughts are not sent
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function conversationOf(messages: readonly ChatMessage[], adjustments?: RequestAdjustments): Conversation {
  const begin = leadingInstructions(messages);
  // A conversation needs a message of the user.
  if (begin === messages.length)
    return { system: [], messages: [{ role: 'user', content: messages.flatMap(blocksOf) }] };
  return {
    system: messages.slice(0, begin).flatMap(blocksOf),
    messages: withPossibleBeginning(inTurn(messages.slice(begin).map((message) => turnOf(message, adjustments)))),
  };
}

function turnOf(message: ChatMessage, adjustments?: RequestAdjustments): ConversationMessage {
  if (message.role === 'tool') return { role: 'user', content: [toolResult(message)] };
  if (message.role !== 'assistant') return { role: 'user', content: blocksOf(message) };
  return { role: 'assistant', content: assistantBlocksOf(message, adjustments) };
}

function toolResult(message: ChatMessage): ContentBlock {
  const { tool_call_id: id, content } = message;
  const blocks = contentBlocksOf(content);
  return {
    type: 'tool_result',
    tool_use_id: portableCallId(id ?? ''),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...messagesFieldsOf(message),
  };
}

/** The form has no field for a name. */
function blocksOf(message: ChatMessage): readonly ContentBlock[] {
  return contentBlocksOf(contentWithName(message));
}

function inTurn(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const turns: { role: ConversationMessage['role']; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }));
}

/** The provider refuses a result of a tool behind anything else. */
function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isResult = ({ type }: ContentBlock): boolean => type === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** The provider refuses the beginning of an answer that ends with a thought, as one that broke off leaves it, or with white space. */
function withPossibleBeginning(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && isThought(last.content.at(-1))) {
    const content = last.content.slice(0, last.content.findLastIndex((block) => !isThought(block)) + 1);
    const others = messages.slice(0, -1);
    return withPossibleBeginning(content.length === 0 ? others : [...others, { ...last, content }]);
  }
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const trimmed = { ...block, text: String(block['text']).trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}

function isThought(block: ContentBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
