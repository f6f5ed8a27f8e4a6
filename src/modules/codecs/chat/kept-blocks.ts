import { untranslatable } from '../errors/provider-error.js';
import type { ChatMessage, ContentPart } from './chat-completion.js';
import { type JsonObject, nonEmptyText } from './json-values.js';
import { KEPT_BLOCK, messagesFieldsOf } from './messages-fields.js';
import type { RequestAdjustments } from './request-adjustments.js';

/**
 * A message without the blocks that only the Messages form knows. What an earlier answer had from its provider's own tools is
 * left out; the summary of a compacted conversation is a text.
 *
 * @param adjustments is told what is left out
 * @param isLeftOut whether a provider has no counterpart of a block: of none, unless it knows some
 * @returns none for a message that had nothing else
 * @throws ProviderError for such a block of anyone but the assistant: without it something else would be asked
 */
export function withoutKeptBlocks(
  message: ChatMessage,
  adjustments?: RequestAdjustments,
  isLeftOut: (block: JsonObject) => boolean = () => true,
): readonly ChatMessage[] {
  const { content } = message;
  const isDropped = (part: ContentPart): boolean => isKept(part) && isLeftOut(messagesFieldsOf(part));
  if (!Array.isArray(content) || !(content as readonly ContentPart[]).some(isDropped)) return [message];
  const parts = (content as readonly ContentPart[]).flatMap((part): readonly ContentPart[] => {
    if (!isDropped(part)) return [part];
    const block = messagesFieldsOf(part);
    const summary = block['type'] === 'compaction' ? nonEmptyText(block['content']) : undefined;
    if (summary !== undefined) return [{ type: 'text', text: summary }];
    if (message.role !== 'assistant') throw untranslatable(`blocks of type ${typeOf(block)}`);
    adjustments?.leftOut('messages.*.content', 'block_without_counterpart');
    return [];
  });
  if (parts.length > 0) return [{ ...message, content: parts }];
  return (message.tool_calls ?? []).length === 0 ? [] : [{ ...message, content: null }];
}

function isKept(part: ContentPart): boolean {
  return part.type === KEPT_BLOCK && messagesFieldsOf(part)['type'] !== undefined;
}

/** The type as an error shows it. The rules of requests let it be a word of small letters alone. */
function typeOf({ type }: JsonObject): string {
  return String(type);
}
