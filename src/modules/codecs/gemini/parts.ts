import type { ChatMessage, ContentPart } from '../chat/chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from '../chat/json-values.js';
import { untranslatable } from '../errors/provider-error.js';
import type { GoogleService } from './google-service.js';

/** A part of a content (https://ai.google.dev/api/caching#Part). */
export type Part = JsonObject;

/** The media types of files by the ends of their addresses. */
const TYPES_BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/mov'],
  ['mpeg', 'video/mpeg'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['m4a', 'audio/m4a'],
  ['aac', 'audio/aac'],
]);

/** Videos of YouTube, whose addresses say no type. */
const YOUTUBE = /^https:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//;

/** A data URL (RFC 2397). */
const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/i;

/**
 * Writes the content of a message as parts. A refusal is a text, because the form has no part for it. Empty texts are left out,
 * because the form refuses contents of nothing else.
 *
 * @throws ProviderError for a kind of part that the form has nothing for
 */
export function partsOf(content: ChatMessage['content'], service: GoogleService): readonly Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return textParts(content);
  return content.flatMap((part) => partOf(part, service));
}

function partOf(part: ContentPart, service: GoogleService): readonly Part[] {
  switch (part.type) {
    case 'text':
      return textParts(part.text ?? '');
    case 'refusal':
      return textParts(nonEmptyText(part['refusal']) ?? '');
    case 'image_url':
    case 'video_url':
      return [mediumAt(nonEmptyText(objectOf(part[part.type])?.['url']) ?? '', service)];
    case 'input_audio':
    case 'input_video':
    case 'input_file':
      return [recording(part.type, objectOf(part[part.type]) ?? {}, service)];
    case 'file':
      return [file(objectOf(part['file']) ?? {}, service)];
    default:
      throw untranslatable(`parts of type ${part.type}`);
  }
}

function textParts(text: string): readonly Part[] {
  return text === '' ? [] : [{ text }];
}

/** An image as answers of the gateway show it, and clients send it back. */
export function imagePart(image: unknown, service: GoogleService): Part | undefined {
  const url = nonEmptyText(objectOf(objectOf(image)?.['image_url'])?.['url']);
  return url === undefined ? undefined : mediumAt(url, service);
}

/** A medium that is in its address, or behind it. @throws ProviderError for an address of a type that is not known, where one is demanded */
function mediumAt(url: string, { demandsMediaTypes }: GoogleService): Part {
  if (/^data:/i.test(url)) return inlineData(url);
  const mimeType = typeOfAddress(url);
  if (mimeType === undefined && demandsMediaTypes) throw untranslatable('addresses whose end names no known file type');
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: url } };
}

function typeOfAddress(url: string): string | undefined {
  if (YOUTUBE.test(url)) return 'video/mp4';
  const [path = ''] = url.split(/[?#]/, 1);
  return TYPES_BY_ENDING.get(/\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** @throws ProviderError for a URL that is none, or whose text cannot be read */
function inlineData(url: string): Part {
  const [head, type = '', parameters = ''] = DATA_URL.exec(url) ?? [];
  if (head === undefined) throw untranslatable('data URLs without data');
  const data = url.slice(head.length);
  const isBase64 = parameters.toLowerCase().endsWith(';base64');
  return { inlineData: { mimeType: type === '' ? 'text/plain' : type, data: isBase64 ? data : base64Of(data) } };
}

function base64Of(escaped: string): string {
  try {
    return Buffer.from(decodeURIComponent(escaped)).toString('base64');
  } catch {
    throw untranslatable('data URLs whose text is not UTF-8');
  }
}

/** What stands before the format of a recording in its media type. */
const KINDS: Readonly<Record<string, string>> = {
  input_audio: 'audio',
  input_video: 'video',
  input_file: 'application',
};

/** A recording or a file with a format of its own, as base64 or behind an address. */
function recording(type: string, { data, url, format }: JsonObject, service: GoogleService): Part {
  const given = nonEmptyText(data) ?? nonEmptyText(url) ?? '';
  if (/^(?:data|https?|gs):/i.test(given)) return mediumAt(given, service);
  const named = nonEmptyText(format)?.toLowerCase();
  const mimeType = TYPES_BY_ENDING.get(named ?? '') ?? (named?.includes('/') === true ? named : undefined);
  return { inlineData: { mimeType: mimeType ?? `${KINDS[type]}/${named ?? 'octet-stream'}`, data: given } };
}

/** @throws ProviderError for a file that another service keeps */
function file({ file_data: data, file_id: id }: JsonObject, service: GoogleService): Part {
  const given = nonEmptyText(data) ?? nonEmptyText(id) ?? '';
  if (!/^(?:data|https?|gs):/i.test(given)) throw untranslatable('files without their data or address');
  return mediumAt(given, service);
}
