import { isObject } from '../../../../http/validation/constraints.js';
import type { ChatMessage } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { messagesFieldsOf, type WithMessagesFields } from '../../../codecs/chat/messages-fields.js';

/** Anything that can carry `cache_control`. */
type Markable = WithMessagesFields & { readonly cache_control?: unknown };

/**
 * Whether a request asks a provider to keep a part of it in its cache for an hour: writing that costs more than writing what is kept
 * for the usual minutes (docs/budgets.md#the-worst-case).
 */
export function isKeptForAnHour(body: ClientChatRequest): boolean {
  return isMarked(body) || (body.tools ?? []).some(isMarked) || body.messages.some(isMarkedMessage);
}

function isMarkedMessage(message: ChatMessage): boolean {
  const { content, tool_calls: calls } = message;
  return isMarked(message) || (Array.isArray(content) && content.some(isMarked)) || (calls ?? []).some(isMarked);
}

function isMarked(part: Markable): boolean {
  return isHour(part.cache_control) || isHour(messagesFieldsOf(part)['cache_control']);
}

function isHour(mark: unknown): boolean {
  return isObject(mark) && mark.ttl === '1h';
}
