import type { ChatMessage, ContentPart } from '../../chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText } from '../../json-values.js';
import { KEPT_BLOCK, messagesFieldsOf } from '../../messages-fields.js';
import { cacheControlOf } from './cache-control.js';
import { untranslatable } from '../untranslatable.js';

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
