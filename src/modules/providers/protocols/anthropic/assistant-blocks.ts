import type { ChatMessage, ContentPart } from '../../chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../json-values.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import type { RequestAdjustments } from '../../request-adjustments.js';
import { contentWithName } from '../named-text.js';
import type { BlockKind } from './block-order.js';
import { type ContentBlock, contentBlocksOf } from './content-blocks.js';
import { splitParts } from './split-parts.js';
import { isOfMessagesForm, thinkingBlocksOf, wholeThoughtsOf } from './thinking-blocks.js';
import { type ThoughtPlace, thoughtPlaceOf } from './thought-place.js';
import { toolUseBlock } from './tool-use.js';

/** What an assistant message consists of, each in its own order. */
interface Said {
  readonly details: readonly JsonObject[];
  readonly parts: readonly ContentPart[];
  readonly calls: readonly ContentBlock[];
  /** The text of a refusal, which stands behind everything that was said. */
  readonly refusal: readonly ContentBlock[];
}

/**
 * Writes an assistant message as blocks, in the order in which the provider gave them: it refuses signed thoughts in another
 * one. The forms of clients that have blocks or items say that order themselves; in a chat the details of the thoughts say where
 * each stood (`thoughtPlaceOf`).
 *
 * @param adjustments is told which thoughts are left out
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function assistantBlocksOf(message: ChatMessage, adjustments?: RequestAdjustments): readonly ContentBlock[] {
  const said: Said = {
    details: message.reasoning_details ?? [],
    parts: partsOf(contentWithName(message)),
    calls: (message.tool_calls ?? []).map((call) => toolUseBlock(call)),
    refusal: contentBlocksOf(nonEmptyText(message['refusal'])),
  };
  const blocks = inStatedOrder(said, messagesFieldsOf(message)['block_order']) ?? inPlacesOfThoughts(said);
  const thoughts = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').length;
  if (thoughts < thinkingBlocksOf(said.details).length) adjustments?.leftOut(DETAILS, 'thoughts_without_place');
  else if (said.details.some((detail) => !isOfMessagesForm(detail))) {
    adjustments?.leftOut(DETAILS, 'thoughts_of_other_provider');
  }
  return blocks;
}

/** Where the thoughts of a message stand. */
const DETAILS = 'messages.*.reasoning_details';

function partsOf(content: ChatMessage['content']): readonly ContentPart[] {
  if (content === null || content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** @returns undefined if no order is stated, or it is not one of these details, parts and calls */
function inStatedOrder({ details, parts, calls, refusal }: Said, order: unknown): readonly ContentBlock[] | undefined {
  if (!Array.isArray(order)) return undefined;
  const kinds = order as readonly BlockKind[];
  const count = (kind: BlockKind): number => kinds.filter((one) => one === kind).length;
  if (count('thought') !== details.length || count('part') !== parts.length || count('call') !== calls.length) {
    return undefined;
  }
  const [nextDetail, nextPart, nextCall] = [details.values(), parts.values(), calls.values()];
  const blocks = kinds.flatMap((kind): readonly ContentBlock[] => {
    if (kind === 'thought') return thinkingBlocksOf([nextDetail.next().value!]);
    return kind === 'part' ? contentBlocksOf([nextPart.next().value!]) : [nextCall.next().value!];
  });
  return [...blocks, ...refusal];
}

/** Puts each thought behind what stood before it. Thoughts that say no place, or an impossible one, are left out. */
function inPlacesOfThoughts({ details, parts, calls, refusal }: Said): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let [rest, at]: [readonly ContentPart[], ThoughtPlace] = [parts, { text: 0, calls: 0 }];
  for (const [position, thought] of wholeThoughtsOf(details).entries()) {
    const place = thoughtPlaceOf(thought) ?? (position === 0 || calls.length + parts.length <= 1 ? at : undefined);
    if (place === undefined || place.text < at.text || place.calls < at.calls || place.calls > calls.length) continue;
    const { before, after } = splitParts(rest, place.text - at.text);
    blocks.push(...contentBlocksOf(before), ...calls.slice(at.calls, place.calls), ...thinkingBlocksOf([thought]));
    [rest, at] = [after, place];
  }
  return [...blocks, ...contentBlocksOf(rest), ...refusal, ...calls.slice(at.calls)];
}
