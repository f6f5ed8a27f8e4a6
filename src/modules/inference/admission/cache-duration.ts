import { isObject } from '../../../api/validation/constraints.js';
import type { ChatMessage } from '../../providers/chat-completion.js';
import { messagesFieldsOf, type WithMessagesFields } from '../../providers/messages-fields.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';

/** What may have a mark up to which the provider is to keep the prompt in its cache. */
type Markable = WithMessagesFields & { readonly cache_control?: unknown };

/**
 * Whether a request asks a provider to keep a part of it in its cache for an hour: to write that there costs more than what is kept
 * for the usual minutes (docs/budgets.md#the-worst-case).
 */
export function isKeptForAnHour(body: ChatCompletionRequest): boolean {
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
