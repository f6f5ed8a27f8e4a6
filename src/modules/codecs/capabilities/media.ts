import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ContentPart } from '../chat/chat-completion.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import type { AdjustedPath, RequestAdjustments } from '../chat/request-adjustments.js';

/** Names that some write for a media type, and the type's own (https://www.iana.org/assignments/media-types). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/jfif', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/x-webp', 'image/webp'],
  ['application/x-pdf', 'application/pdf'],
  ['application/acrobat', 'application/pdf'],
  ['text/pdf', 'application/pdf'],
]);

/** How the base64 of files begins that have a type, whatever name of a type stands beside it. */
const BEGINNINGS: readonly (readonly [begin: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['JVBERi0', 'application/pdf'],
];

/** A file in the RIFF format, whose kind stands behind eight bytes. */
const RIFF = 'UklGR';

/** The media types of files by the ends of their names, for data that says none. */
const TYPES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['html', 'text/html'],
  ['xml', 'application/xml'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);

const BASE64 = /^[A-Za-z0-9+/]{16,}/;

/** Types of texts whose names do not begin with `text/`. */
const TEXTUAL =
  /^(?:text\/.+|application\/(?:csv|json|ld\+json|x-ndjson|jsonl|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|graphql|x-sh|x-httpd-php|rtf|.+\+(?:json|xml|yaml)))$/;

/** The name of a file that has none. */
const NAMES: ReadonlyMap<string, string> = new Map([['application/pdf', 'document.pdf']]);
const NAME = 'file';

/** A data URL in its parts (RFC 2397). */
interface DataUrl {
  /** In small letters, without parameters. */
  readonly type: string;
  readonly parameters: readonly string[];
  readonly data: string;
}

/** An image or a file with the name of its type that providers know, as a text where it is one that its provider takes no file of. */
export function translatedMedia(
  part: ContentPart,
  capabilities: ModelCapabilities & { readonly isChatForm: boolean },
  path: readonly (string | number)[],
  adjustments: RequestAdjustments,
): ContentPart {
  if (part.type === 'image_url') return translatedImage(part, path, adjustments);
  if (part.type === 'file') return translatedFile(part, capabilities, path, adjustments);
  return part;
}

function translatedImage(part: ContentPart, path: AdjustedPath, adjustments: RequestAdjustments): ContentPart {
  const image = objectOf(part['image_url']);
  const url = nonEmptyText(image?.['url']);
  const named = url === undefined ? undefined : renamed(url);
  if (named === undefined || named === url) return part;
  adjustments.changed([...path, 'image_url', 'url'], 'media_type_renamed');
  return { ...part, image_url: { ...image, url: named } };
}

function translatedFile(
  part: ContentPart,
  { file_types: types, file_names: names, isChatForm }: ModelCapabilities & { readonly isChatForm: boolean },
  path: readonly (string | number)[],
  adjustments: RequestAdjustments,
): ContentPart {
  const file = objectOf(part['file']) ?? {};
  const given = nonEmptyText(file['file_data']);
  if (given === undefined) return part;
  const filename = nonEmptyText(file['filename']);
  const data = renamed(asDataUrl(given, filename));
  const url = dataUrlOf(data);
  if (url !== undefined && types !== undefined && !types.includes(url.type) && TEXTUAL.test(url.type)) {
    const text = textOf(url);
    if (text !== undefined) {
      adjustments.changed([...path, 'file'], 'file_as_text');
      return isChatForm ? asText(part, text, filename) : asDocument(part, text, filename);
    }
  }
  const isNamed = filename !== undefined || names !== 'required' || url === undefined;
  if (data === given && isNamed) return part;
  if (data !== given) adjustments.changed([...path, 'file', 'file_data'], 'media_type_renamed');
  if (!isNamed) adjustments.changed([...path, 'file', 'filename'], 'filename_missing');
  return {
    ...part,
    file: { ...file, file_data: data, ...(isNamed ? {} : { filename: NAMES.get(url.type) ?? NAME }) },
  };
}

/** A text with the name of the file before it. */
function asText(part: ContentPart, text: string, filename: string | undefined): ContentPart {
  const { file: _file, ...others } = part;
  return { ...others, type: 'text', text: filename === undefined ? text : `${filename}\n${text}` };
}

/** The Messages form has documents that are texts. */
function asDocument(part: ContentPart, text: string, title: string | undefined): ContentPart {
  const { file: _file, ...others } = part;
  const document: ContentPart = { ...others, type: 'text', text };
  return withMessagesFields(document, { ...messagesFieldsOf(part), type: 'document', title });
}

function textOf({ parameters, data }: DataUrl): string | undefined {
  try {
    if (parameters.at(-1) !== 'base64') return decodeURIComponent(data);
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
  } catch {
    // It is no text of UTF-8, and stays a file.
    return undefined;
  }
}

/** A data URL whose type is the one that its data has, in the usual name: providers compare them. */
function renamed(url: string): string {
  const data = dataUrlOf(url);
  if (data === undefined) return url;
  const type = (data.parameters.at(-1) === 'base64' ? typeOfData(data.data) : undefined) ?? OTHER_NAMES.get(data.type);
  return type === undefined || type === data.type ? url : `data:${[type, ...data.parameters].join(';')},${data.data}`;
}

/** Data that came without a type, as a data URL if its type is known. */
function asDataUrl(given: string, filename: string | undefined): string {
  if (/^[a-z]+:/i.test(given) || !BASE64.test(given)) return given;
  const type = typeOfData(given) ?? TYPES_BY_NAME.get(/\.(\w+)$/.exec(filename ?? '')?.[1]?.toLowerCase() ?? '');
  return type === undefined ? given : `data:${type};base64,${given}`;
}

function typeOfData(base64: string): string | undefined {
  if (base64.startsWith(RIFF)) {
    return Buffer.from(base64.slice(0, 16), 'base64').toString('latin1', 8) === 'WEBP' ? 'image/webp' : undefined;
  }
  return BEGINNINGS.find(([begin]) => base64.startsWith(begin))?.[1];
}

function dataUrlOf(url: string): DataUrl | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma === -1) return undefined;
  const [type = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  return { type: type.trim().toLowerCase(), parameters, data: url.slice(comma + 1) };
}
