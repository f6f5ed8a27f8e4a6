import type { ChatMessage, ContentPart } from '../../../providers/chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText } from '../../../providers/json-values.js';
import { KEPT_BLOCK, MESSAGES_FIELDS, withMessagesFields } from '../../../providers/messages-fields.js';
import type { Block, BlockContent } from './blocks.js';

/**
 * Reads a content of texts, images, documents and search results as that of a chat message. A text alone stays one text, which
 * every provider takes.
 */
export function contentOf(content: BlockContent): NonNullable<ChatMessage['content']> {
  if (typeof content === 'string') return content;
  const parts = content.flatMap(partsOf);
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.type === 'text' && first[MESSAGES_FIELDS] === undefined;
  return isPlain ? (first.text ?? '') : parts;
}

/** Reads a block as parts; the last part gets the block's mark for the cache. */
function partsOf(block: Block): readonly ContentPart[] {
  const parts = unmarkedPartsOf(block);
  const last = parts.at(-1);
  if (last === undefined) return parts;
  const mark = withMessagesFields(last, { ...last[MESSAGES_FIELDS], cache_control: objectOf(block['cache_control']) });
  return [...parts.slice(0, -1), mark];
}

/** A tool that a search has found: a text for every form, and the reference again for this one. */
function toolReference(name: string): ContentPart {
  const text = `This tool can be called now: ${name}`;
  return withMessagesFields<ContentPart>({ type: 'text', text }, { type: 'tool_reference', tool_name: name });
}

/** A block that only providers of this form know, whole. Content filters read all of it (docs/interface/messages.md#content). */
function keptBlock(block: Block): ContentPart {
  return withMessagesFields<ContentPart>({ type: KEPT_BLOCK }, block);
}

function unmarkedPartsOf(block: Block): readonly ContentPart[] {
  switch (block.type) {
    case 'image':
      return [{ type: 'image_url', image_url: { url: urlOf(objectOf(block['source']) ?? {}) } }];
    case 'document':
      return documentParts(block);
    case 'search_result':
      return [{ type: 'text', text: searchResult(block) }];
    case 'tool_reference':
      return [toolReference(String(block['tool_name']))];
    case 'text':
      return [textPart(block['text'])];
    default:
      return [keptBlock(block)];
  }
}

/** What describes a document goes before it as text, so that content filters see it. */
function documentParts({ source: value, title, context }: Block): readonly ContentPart[] {
  const source = objectOf(value) ?? {};
  const description = (texts: readonly unknown[]): readonly ContentPart[] =>
    texts.flatMap((text) => (nonEmptyText(text) === undefined ? [] : [textPart(text)]));
  switch (source['type']) {
    case 'text':
      return [...description([title, context]), withMessagesFields(textPart(source['data']), { type: 'document' })];
    case 'content': {
      const content = contentOf(source['content'] as BlockContent);
      return [...description([title, context]), ...(typeof content === 'string' ? [textPart(content)] : content)];
    }
    default:
      return [...description([context]), { type: 'file', file: fileOf(source, title) }];
  }
}

function fileOf(source: JsonObject, title: unknown): JsonObject {
  const data = source['type'] === 'file' ? { file_id: source['file_id'] } : { file_data: urlOf(source) };
  return { ...data, ...(nonEmptyText(title) !== undefined && { filename: title }) };
}

/** An address, or the media themselves as a data URL. */
function urlOf(source: JsonObject): string {
  if (source['type'] === 'url') return String(source['url']);
  return `data:${String(source['media_type'])};base64,${String(source['data'])}`;
}

function searchResult({ title, source, content }: Block): string {
  const texts = (content as readonly Block[]).map(({ text }) => text);
  return [title, source, ...texts].filter((text) => nonEmptyText(text) !== undefined).join('\n');
}

function textPart(text: unknown): ContentPart {
  return { type: 'text', text: String(text) };
}
