import { type JsonObject, nonEmptyText } from '../chat/json-values.js';
import { untranslatable } from '../errors/provider-error.js';

/** The formats of images by their media types. */
const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

/** The formats of documents by their media types. */
const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);

const FORMATS: ReadonlySet<string> = new Set(DOCUMENT_FORMATS.values());

/** How the base64 of documents begins, and the formats that begin so: the media type, and then the name, say which of them it is. */
const BEGINNINGS: readonly (readonly [begin: string, formats: readonly string[]])[] = [
  ['JVBERi', ['pdf']],
  ['UEsDB', ['docx', 'xlsx']],
  ['0M8R4KGx', ['doc', 'xls']],
];

/** Characters of what is left of a client's name in that of a document. */
const LONGEST_NAME = 100;

/** Where objects of Amazon's own storage are. */
const S3 = 's3://';

/**
 * The block of an image.
 *
 * @param source as the Messages form has it
 * @throws ProviderError for another address than one of S3, and for a type that is not taken
 */
export function imageBlock(source: JsonObject): JsonObject {
  const type = nonEmptyText(source['media_type']) ?? `image/${endingOf(source['url'])}`;
  const format = IMAGE_FORMATS.get(type);
  if (format === undefined) throw untranslatable('images of this type, or at addresses');
  return { image: { format, source: sourceOf(source, 'images') } };
}

/** Writes the documents of one request, each with a name of its own. */
export class DocumentBlocks {
  private count = 0;

  /**
   * The block of a document. Its name is made of that of the client, because most characters are refused in it, and so is a name that
   * repeats; the number before it keeps what a client calls a file from reading like an instruction.
   *
   * @param document a block of the Messages form
   * @throws ProviderError for another address than one of S3, and for a type that is not taken
   */
  blockOf(document: JsonObject): JsonObject {
    const source = document['source'] as JsonObject;
    const title = nonEmptyText(document['title']);
    this.count += 1;
    const name = ['Document', this.count, ...plainName(title ?? '')].join(' ');
    if (source['type'] === 'text') {
      const bytes = Buffer.from(nonEmptyText(source['data']) ?? '').toString('base64');
      return { document: { format: 'txt', name, source: { bytes } } };
    }
    const format = documentFormatOf(source, title);
    if (format === undefined) throw untranslatable('files of this type, or at addresses');
    return { document: { format, name, source: sourceOf(source, 'files') } };
  }
}

function sourceOf(source: JsonObject, what: string): JsonObject {
  const url = nonEmptyText(source['url']);
  if (url?.startsWith(S3) === true) return { s3Location: { uri: url } };
  if (source['type'] !== 'base64') throw untranslatable(`${what} at addresses`);
  return { bytes: source['data'] };
}

/** A file says by its beginning what it is, whatever it is called: a wrong format is refused. */
function documentFormatOf(source: JsonObject, title: string | undefined): string | undefined {
  const data = nonEmptyText(source['data']) ?? '';
  const named = DOCUMENT_FORMATS.get(nonEmptyText(source['media_type']) ?? '');
  const byName = [title, source['url']].map(endingOf).find((ending) => FORMATS.has(ending));
  const possible = BEGINNINGS.find(([begin]) => data.startsWith(begin))?.[1];
  if (possible === undefined) return named ?? byName;
  if (possible.length === 1) return possible[0];
  return [named, byName].find((format) => format !== undefined && possible.includes(format));
}

/** What a name ends with, in small letters. */
function endingOf(name: unknown): string {
  return /\.(\w{2,5})$/.exec(nonEmptyText(name) ?? '')?.[1]?.toLowerCase() ?? '';
}

/** The words of a name in the characters that are taken. */
function plainName(name: string): readonly string[] {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9()[\]-]+/g, ' ');
  const short = plain.trim().slice(0, LONGEST_NAME).trim();
  return short === '' ? [] : [short];
}
