import { type JsonObject, objectOf, nonEmptyText } from '../chat/json-values.js';
import type { ChatMessage, ContentPart, ChatChoice, ToolCall } from '../chat/chat-completion.js';
import { KEPT_BLOCK, messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import { untranslatable } from '../errors/provider-error.js';
import { ANTHROPIC_FORMAT } from '../chat/thought-signatures.js';
import { inputOfCall, type ToolArgumentsReader } from '../chat/tool-arguments-reader.js';
import { portableCallId } from '../chat/tool-call-ids.js';
import { isOfToolSearch } from '../chat/tool-search.js';

/** The mark of a part or a tool up to which the provider is to keep the prompt, as the field of a block. */
export function cacheControlOf(marked: JsonObject): { readonly cache_control?: JsonObject } {
  const mark = objectOf(marked['cache_control']);
  return mark === undefined ? {} : { cache_control: mark };
}

/** A part of a message in the form of the Messages API. */
export type ContentBlock = JsonObject & { readonly type: string };

/**
 * Writes the content of a message as blocks. A refusal is a text, because the form has no block for it. Texts of
 * nothing but white space are left out, because the provider refuses them.
 *
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function contentBlocksOf(content: ChatMessage['content']): readonly ContentBlock[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return textBlocks(content);
  return content.flatMap((part) =>
    blocksOf(part).map((block) => ({ ...block, ...cacheControlOf(part), ...messagesFieldsOf(part) })),
  );
}

function blocksOf(part: ContentPart): readonly ContentBlock[] {
  switch (part.type) {
    case 'text':
      return textOrDocument(part);
    case KEPT_BLOCK:
      return [keptBlock(part)];
    case 'refusal':
      return textBlocks(nonEmptyText(part['refusal']) ?? '');
    case 'image_url':
      return [{ type: 'image', source: sourceOf(nonEmptyText(objectOf(part['image_url'])?.['url']) ?? '') }];
    case 'file':
      return [documentBlock(objectOf(part['file']) ?? {})];
    default:
      throw untranslatable(`parts of type ${part.type}`);
  }
}

/** A block that came in this form, and is the fields that its part keeps. */
function keptBlock(part: ContentPart): ContentBlock {
  const { type } = messagesFieldsOf(part);
  if (typeof type !== 'string') throw untranslatable(`parts of type ${part.type}`);
  return { type };
}

/** A document that is a text, and a reference to a tool, are texts for every form, and themselves again for this one. */
function textOrDocument(part: ContentPart): readonly ContentBlock[] {
  switch (messagesFieldsOf(part)['type']) {
    case 'document':
      return [textDocument(part.text ?? '')];
    case 'tool_reference':
      return [{ type: 'tool_reference' }];
    default:
      return textBlocks(part.text ?? '');
  }
}

function textDocument(text: string): ContentBlock {
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } };
}

function textBlocks(text: string): readonly ContentBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function documentBlock(file: JsonObject): ContentBlock {
  const [id, title] = [nonEmptyText(file['file_id']), nonEmptyText(file['filename'])];
  return {
    type: 'document',
    source: id === undefined ? sourceOf(nonEmptyText(file['file_data']) ?? '') : { type: 'file', file_id: id },
    ...(title === undefined ? {} : { title }),
  };
}

/** @throws ProviderError for a data URL that is not in base64 */
function sourceOf(url: string): JsonObject {
  if (!url.startsWith('data:')) return { type: 'url', url };
  const comma = url.indexOf(',');
  const [mediaType, ...parameters] = url.slice('data:'.length, Math.max(comma, 0)).split(';');
  if (comma === -1 || parameters.at(-1) !== 'base64') throw untranslatable('data URLs that are not in base64');
  return { type: 'base64', media_type: mediaType, data: url.slice(comma + 1) };
}

/** Hands out a content in divisions behind some of its text. Parts that are no texts count as none, and stay before what follows them. */
export class DividedParts {
  /** The first part that was not handed out, and where what is left of its text begins. */
  private next = 0;
  private begin = 0;

  constructor(private readonly parts: readonly ContentPart[]) {}

  /** The next parts. @param units UTF-16 units of their text; more than there are take everything */
  taken(units: number): readonly ContentPart[] {
    const taken: ContentPart[] = [];
    let left = units;
    while (left > 0 && this.next < this.parts.length) {
      const part = this.parts[this.next]!;
      const text = part.text ?? '';
      const length = text.length - this.begin;
      if (left < length) {
        const at = this.begin + left;
        const end = isInsidePair(text, at) ? at + 1 : at;
        taken.push({ ...part, text: text.slice(this.begin, end) });
        this.begin = end;
        return taken;
      }
      taken.push(this.begin === 0 ? part : { ...part, text: text.slice(this.begin) });
      left -= length;
      this.next += 1;
      this.begin = 0;
    }
    return taken;
  }
}

/** Whether a position would divide a character of two units: a filter may have changed the text since. */
function isInsidePair(text: string, at: number): boolean {
  return text.codePointAt(at - 1)! > 0xffff;
}

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
  readonly kind: 'thought' | 'text' | 'call' | 'kept';
  /** UTF-16 units of a text; 0 for other blocks. */
  readonly length: number;
  /** What the provider sent, of a block that a chat has no form for. */
  readonly block?: JsonObject;
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
 * @returns undefined for thoughts, one text and calls of tools in this order, and no block of a search for tools
 */
export function blockOrderOf(blocks: readonly JsonObject[]): readonly PlacedBlock[] | undefined {
  const order: PlacedBlock[] = [];
  for (const block of blocks) {
    if (isOfToolSearch(block)) {
      order.push({ kind: 'kept', length: 0, block });
      continue;
    }
    const { type, text } = block;
    const kind = KINDS.get(type);
    const length = kind === 'text' ? (nonEmptyText(text) ?? '').length : 0;
    if (kind === undefined || (kind === 'text' && length === 0)) continue;
    const last = order.at(-1);
    if (kind === 'text' && last?.kind === 'text') order[order.length - 1] = { kind, length: last.length + length };
    else order.push({ kind, length });
  }
  const ranks = order.map(({ kind }) => CHAT_ORDER.indexOf(kind));
  const isOther = ranks.some((rank, at) => rank < 0 || (at > 0 && rank < ranks[at - 1]!));
  return isOther ? order : undefined;
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
  for (const { kind, length, block: kept } of shown) {
    if (kept !== undefined) blocks.push(kept);
    else if (kind === 'text') blocks.push(newText(text.slice(end, (end += length))));
    else {
      const block = kind === 'thought' ? thoughts[thought++] : calls[call++];
      if (block === undefined) return undefined;
      blocks.push(block);
    }
  }
  return thought === thoughts.length && call === calls.length && end === text.length ? blocks : undefined;
}

/**
 * Writes the reasoning of an earlier answer as the blocks that it came from, in order. The parts that a stream cut a block
 * into are put together again. Details of other forms, and those without the provider's signature, are left out, because the
 * provider would refuse them.
 *
 * @param details reasoning_details that a client sent back
 */
export function thinkingBlocksOf(details: readonly JsonObject[]): readonly ContentBlock[] {
  return wholeThoughtsOf(details).flatMap(thinkingBlock);
}

/** The details of this form, each of a whole block: the parts that a stream cut one into are put together again. */
export function wholeThoughtsOf(details: readonly JsonObject[]): readonly JsonObject[] {
  return joined(details.filter(isOfMessagesForm));
}

/** Whether a detail came from a block of the Messages form, whole or a part of one. */
export function isOfMessagesForm({ format }: JsonObject): boolean {
  return format === ANTHROPIC_FORMAT;
}

/** The detail of a block of reasoning, whole or a part of one. @param fields `id`: see `idOfThought` */
export function reasoningText(
  index: number,
  fields: { readonly id?: string; readonly text?: string; readonly signature?: string },
): JsonObject {
  return { type: 'reasoning.text', format: ANTHROPIC_FORMAT, index, ...fields };
}

/** The detail of a block of reasoning that only the provider can read. @param id see `idOfThought` */
export function encryptedReasoning(index: number, data: string, id?: string): JsonObject {
  return { type: 'reasoning.encrypted', format: ANTHROPIC_FORMAT, index, ...(id !== undefined && { id }), data };
}

function thinkingBlock({ type, data, text, signature }: JsonObject): readonly ContentBlock[] {
  if (type === 'reasoning.encrypted') return [{ type: 'redacted_thinking', data }];
  if (nonEmptyText(signature) === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', signature }];
}

function joined(details: readonly JsonObject[]): readonly JsonObject[] {
  const blocks: { detail: JsonObject; texts: string[] }[] = [];
  for (const detail of details) {
    const open = blocks.at(-1);
    if (open !== undefined && continues(open.detail, detail)) {
      open.texts.push(nonEmptyText(detail['text']) ?? '');
      open.detail = { ...open.detail, signature: nonEmptyText(detail['signature']) ?? open.detail['signature'] };
    } else {
      blocks.push({ detail, texts: [nonEmptyText(detail['text']) ?? ''] });
    }
  }
  return blocks.map(({ detail, texts }) => ({ ...detail, text: texts.join('') }));
}

/** A signature ends a block, so what follows it begins another, even where a client has left out the indexes. */
function continues(open: JsonObject, next: JsonObject): boolean {
  return (
    open['type'] === 'reasoning.text' &&
    next['type'] === 'reasoning.text' &&
    open['index'] === next['index'] &&
    nonEmptyText(open['signature']) === undefined
  );
}

/** How much of an answer stood before a thought. */
export interface ThoughtPlace {
  /** UTF-16 units of text. */
  readonly text: number;
  readonly calls: number;
}

const PLACE = /^after-(\d{1,9})-(\d{1,6})$/;

/**
 * The `id` of the detail of a thought: how much text and how many calls stood before it. Clients of chats hand back details
 * untouched, but a message of a chat cannot say where each stood (docs/interface/inference.md#reasoning).
 *
 * @param thoughtsBefore how many thoughts stood before it
 * @returns undefined for the first block of an answer, whose place needs no words
 */
export function idOfThought(thoughtsBefore: number, { text, calls }: ThoughtPlace): string | undefined {
  return thoughtsBefore + text + calls === 0 ? undefined : `after-${text}-${calls}`;
}

/** Reads {@link idOfThought}. @returns undefined for a detail that says no place */
export function thoughtPlaceOf({ id }: JsonObject): ThoughtPlace | undefined {
  const [, text, calls] = PLACE.exec(nonEmptyText(id) ?? '') ?? [];
  return text === undefined ? undefined : { text: Number(text), calls: Number(calls) };
}

/**
 * Writes a tool call, with its arguments as an object ({@link inputOfCall}).
 *
 * @param toolArguments reads the arguments of all calls of an answer
 */
export function toolUseBlock(call: ToolCall, toolArguments?: ToolArgumentsReader): ContentBlock {
  const input = inputOfCall(call, toolArguments);
  return { type: 'tool_use', id: portableCallId(call.id), name: call.function.name, input, ...messagesFieldsOf(call) };
}
