import { type JsonObject, objectOf } from '../../json-values.js';
import type { RequestAdjustments } from '../../request-adjustments.js';

/** How many marks for its cache the provider takes in a request. */
const MOST_MARKS = 4;

/** How many of the last marks of the messages stay: with two of them a conversation that goes on is found again in the cache. */
const LAST_OF_MESSAGES = 2;

const MARK = 'cache_control';

/** A block with a mark, and whether it stands in the messages. */
interface MarkedBlock {
  readonly block: JsonObject;
  readonly isOfMessages: boolean;
}

/**
 * A body with no more marks for the cache than the provider takes: it refuses more. Those in the messages go first, the earliest before the
 * later ones, because each later mark covers what stands before it.
 *
 * @param adjustments is told if marks are left out
 */
export function withPossibleMarks(body: JsonObject, adjustments: RequestAdjustments): JsonObject {
  const { tools, system, messages } = body;
  const marked = [...markedIn([tools, system], false), ...markedIn(messages, true)];
  const excess = marked.length + (MARK in body ? 1 : 0) - MOST_MARKS;
  if (excess <= 0) return body;
  adjustments.leftOut(`*.${MARK}`, 'above_maximum');
  const ofMessages = marked.filter(({ isOfMessages }) => isOfMessages).slice(0, -LAST_OF_MESSAGES);
  const others = marked.filter((one) => !ofMessages.includes(one));
  const refused = new Set([...ofMessages, ...others].slice(0, excess).map(({ block }) => block));
  const unmarked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unmarked);
    const block = objectOf(value);
    if (block === undefined) return value;
    const { [MARK]: mark, ...rest } = block;
    const isKept = mark !== undefined && !refused.has(block);
    return {
      ...rest,
      ...('content' in rest && { content: unmarked(rest['content']) }),
      ...(isKept && { [MARK]: mark }),
    };
  };
  return {
    ...body,
    ...(tools !== undefined && { tools: unmarked(tools) }),
    ...(system !== undefined && { system: unmarked(system) }),
    messages: unmarked(messages),
  };
}

/** The blocks with a mark, in their order, in lists and in the contents of messages and results. */
function markedIn(value: unknown, isOfMessages: boolean): readonly MarkedBlock[] {
  if (Array.isArray(value)) return value.flatMap((part: unknown) => markedIn(part, isOfMessages));
  const block = objectOf(value);
  if (block === undefined) return [];
  const inner = markedIn(block['content'], isOfMessages);
  return block[MARK] === undefined ? inner : [...inner, { block, isOfMessages }];
}
