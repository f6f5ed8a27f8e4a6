import type { ChatChoice, ChatMessage } from '../../chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../json-values.js';
import { messagesFieldsOf, withMessagesFields } from '../../messages-fields.js';

/**
 * What a block of a message of a request is: the next of its `reasoning_details`, of the parts of its content, or of its calls. The
 * form that a client sends it in has the blocks in an order, which a message of a chat has no field for (`block_order`).
 */
export type BlockKind = 'thought' | 'part' | 'call';

/**
 * An assistant message of a request with the order of its blocks, where it has thoughts and anything else.
 *
 * @param order of all its details, parts and calls
 */
export function withBlockOrder(message: ChatMessage, order: readonly BlockKind[]): ChatMessage {
  const kinds = new Set(order);
  return kinds.has('thought') && kinds.size > 1 ? withMessagesFields(message, { block_order: order }) : message;
}

/** A block of an answer in its place. */
export interface PlacedBlock {
  readonly kind: 'thought' | 'text' | 'call';
  /** UTF-16 units of a text; 0 for other blocks. */
  readonly length: number;
}

const KINDS: ReadonlyMap<unknown, PlacedBlock['kind']> = new Map([
  ['thinking', 'thought'],
  ['redacted_thinking', 'thought'],
  ['text', 'text'],
  ['tool_use', 'call'],
] as const);

/** The order that a message of a chat has by itself. */
const CHAT_ORDER: readonly PlacedBlock['kind'][] = ['thought', 'text', 'call'];

/**
 * The places of an answer's blocks, where a message of a chat cannot say them: the provider takes thoughts back only as they
 * stood. Texts that follow each other count as one.
 *
 * @param blocks the blocks of a message of the Messages API; other kinds, and empty texts, have no place
 * @returns undefined for thoughts, one text and calls of tools in this order
 */
export function blockOrderOf(blocks: readonly JsonObject[]): readonly PlacedBlock[] | undefined {
  const order: PlacedBlock[] = [];
  for (const { type, text } of blocks) {
    const kind = KINDS.get(type);
    const length = kind === 'text' ? (nonEmptyText(text) ?? '').length : 0;
    if (kind === undefined || (kind === 'text' && length === 0)) continue;
    const last = order.at(-1);
    if (kind === 'text' && last?.kind === 'text') order[order.length - 1] = { kind, length: last.length + length };
    else order.push({ kind, length });
  }
  const ranks = order.map(({ kind }) => CHAT_ORDER.indexOf(kind));
  return ranks.some((rank, at) => at > 0 && rank < ranks[at - 1]!) ? order : undefined;
}

/** The order that a choice keeps of its provider's blocks, as {@link blockOrderOf} gave it. */
export function keptBlockOrderOf(choice: ChatChoice): readonly PlacedBlock[] | undefined {
  return messagesFieldsOf(choice)['block_order'] as readonly PlacedBlock[] | undefined;
}

/**
 * Puts blocks into their places.
 *
 * @param order as `blockOrderOf` gives it
 * @param thoughts none where they are not shown
 * @param newText writes a part of the text as a block
 * @returns undefined if they are not the blocks that the order was made of
 */
export function inBlockOrder(
  order: readonly PlacedBlock[],
  { thoughts, text, calls }: Record<'thoughts' | 'calls', readonly JsonObject[]> & { readonly text: string },
  newText: (text: string) => JsonObject,
): readonly JsonObject[] | undefined {
  const shown = thoughts.length === 0 ? order.filter(({ kind }) => kind !== 'thought') : order;
  const blocks: JsonObject[] = [];
  let [thought, call, end] = [0, 0, 0];
  for (const { kind, length } of shown) {
    if (kind === 'text') blocks.push(newText(text.slice(end, (end += length))));
    else {
      const block = kind === 'thought' ? thoughts[thought++] : calls[call++];
      if (block === undefined) return undefined;
      blocks.push(block);
    }
  }
  return thought === thoughts.length && call === calls.length && end === text.length ? blocks : undefined;
}
