import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { BadRequestError } from '../errors/bad-request-error.js';
import type { IssueWithReason } from '../errors/issue.js';
import {
  BodyTooLarge,
  INVALID_PARAMETERS,
  MALFORMED_BODY,
  MALFORMED_JSON,
  UNSUPPORTED_CONTENT_TYPE,
} from '../errors/request.errors.js';
import type { GatehouseRequest } from '../request.js';
import { allowsAdditionalProperties, type DtoClass, type DtoField, fieldsOf } from '../validation/dto-fields.js';
import type { BodyShare } from './body-memory.js';
import { isOfType, readChunks } from './body-reader.js';
import { BODY_BOUNDS, extentWithin, parsedIfJson } from './json-bounds.js';
import { type FileBounds, filesOf, MULTIPART_TYPE } from './multipart-body.js';
import { type QueryReading, typedValue } from './query-reader.js';
import { ReceivedBytes } from './received-bytes.js';
import { UploadedFile } from './uploaded-file.js';

/** How many fields a form may have besides its files. */
const MAXIMUM_FIELDS = 64;

/** How many parts a form may have besides its files, with those that say no name and are left out. */
const MAXIMUM_PARTS = 128;

/** How large the text of a field may be, in bytes. */
const MAXIMUM_FIELD_BYTES = 256 * 1024;

/** How many characters a text may have that is read as several words of a list. */
const LONGEST_WORDS = 1_000;

/** How many characters the name of a field may have. */
const MAXIMUM_NAME_LENGTH = 200;

/**
 * Reads a request's body as multipart/form-data (RFC 7578), in whatever order its parts come. A file is kept once, in the pieces that it comes
 * in. `name[]` is an item of the list `name`; a field that is an object has the text of its JSON.
 *
 * @param type the class of the body, which is one of forms (`multipart-body.ts`)
 * @param limitBytes of all of it
 * @param share reserves memory for the body while it is read
 * @returns the values by their names, each file as an {@link UploadedFile}, and what is wrong with fields
 * @throws BadRequestError for what is no such form
 * @throws BodyTooLarge for a file, or a body, that is larger than its limit
 * @throws UnsupportedContentEncoding, TooManyUnfinishedBodies as `readJsonBody` does
 */
export async function readMultipart(
  request: GatehouseRequest,
  type: DtoClass,
  limitBytes: number,
  share: BodyShare,
): Promise<QueryReading> {
  if (!isOfType(request, MULTIPART_TYPE)) throw BadRequestError.of([UNSUPPORTED_CONTENT_TYPE.at('', [MULTIPART_TYPE])]);
  const form = new FormParts(type);
  const parser = parserOf(request, form.mostFiles);
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => parser.on('close', resolve));
  const fail = (error: Error): void => void (failure ??= error);
  parser
    .on('error', () => fail(malformed('the form is malformed, or breaks off')))
    .on('field', (name: string | undefined, value, { valueTruncated }) => form.addField(name, value, valueTruncated))
    .on('file', (name: string | undefined, stream, { filename, mimeType }) => {
      // What breaks off is told by the form.
      stream.on('error', () => undefined);
      form.addFile(name, { stream, filename: filename ?? '', mediaType: mimeType.toLowerCase() }, fail);
    })
    .on('filesLimit', () => fail(tooMany('files', form.mostFiles)))
    .on('partsLimit', () => fail(tooMany('parts', mostPartsOf(form.mostFiles) - 1)))
    .on('fieldsLimit', () => fail(tooMany('fields', MAXIMUM_FIELDS)));
  const requireNoFailure = (): void => {
    if (failure !== undefined) throw failure;
  };
  try {
    return await readChunks(request, limitBytes, share, {
      add: (chunk) => {
        parser.write(chunk);
        requireNoFailure();
      },
      finish: async () => {
        parser.end();
        await ended;
        requireNoFailure();
        return form.reading();
      },
    });
  } finally {
    parser.destroy();
  }
}

/** @throws BadRequestError for a Content-Type without the boundary between parts */
function parserOf({ headers }: GatehouseRequest, mostFiles: number): ReturnType<typeof busboy> {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      // One file more than there may be is an issue of its field.
      limits: {
        fieldSize: MAXIMUM_FIELD_BYTES,
        fields: MAXIMUM_FIELDS,
        files: mostFiles + 1,
        parts: mostPartsOf(mostFiles),
      },
    });
  } catch {
    throw malformed('the Content-Type names no boundary of parts');
  }
}

/** The parser tells when it has read as many as this. */
function mostPartsOf(files: number): number {
  return MAXIMUM_PARTS + files + 1;
}

function malformed(message: string): BadRequestError {
  return BadRequestError.of([MALFORMED_BODY.at('', message)]);
}

function tooMany(what: string, most: number): BadRequestError {
  return BadRequestError.of([INVALID_PARAMETERS.at('', `must NOT have more than ${most} ${what}`)]);
}

interface ArrivingFile {
  readonly stream: Readable;
  readonly filename: string;
  readonly mediaType: string;
}

/** What a part says of a list: some clients write all words of one into a single part, with commas between. */
function itemsIn(text: string, words: readonly unknown[] | undefined): readonly string[] {
  if (words === undefined || text.length > LONGEST_WORDS) return [text];
  return text.split(',').map((word) => word.trim());
}

class FormParts {
  readonly mostFiles: number;
  private readonly fields: ReadonlyMap<string, DtoField>;
  private readonly files: ReadonlyMap<string, FileBounds>;
  private readonly isOpen: boolean;
  // Without a prototype, so that a field named `__proto__` is one like any other.
  private readonly values = Object.create(null) as Record<string, unknown>;
  private readonly issues: IssueWithReason[] = [];
  /** How many files of each field have begun to come. */
  private readonly begun = new Map<string, number>();

  constructor(type: DtoClass) {
    this.fields = fieldsOf(type);
    this.files = filesOf(type);
    this.isOpen = allowsAdditionalProperties(type);
    this.mostFiles = [...this.files.values()].reduce((sum, { maxFiles = 1 }) => sum + maxFiles, 0);
  }

  addField(fullName: string | undefined, text: string, isCut: boolean): void {
    const named = this.named(fullName);
    if (named === undefined) return;
    const { name, isItem } = named;
    if (isCut) {
      this.issues.push({ path: name, message: `must not have ${MAXIMUM_FIELD_BYTES} bytes or more` });
      return;
    }
    const { type, words } = this.fields.get(name) ?? {};
    if (isItem || type === 'array') for (const item of itemsIn(text, words)) this.addItem(name, item);
    else if (name in this.values) this.issues.push({ path: name, message: 'must be given only once' });
    else this.values[name] = this.valueOf(name, text, type);
  }

  /** @param fail is told what the whole form is refused with */
  addFile(
    fullName: string | undefined,
    { stream, filename, mediaType }: ArrivingFile,
    fail: (error: Error) => void,
  ): void {
    const named = this.named(fullName);
    const bounds = named && this.files.get(named.name);
    if (bounds === undefined) {
      if (named !== undefined) this.issues.push({ path: named.name, message: 'is not a known file' });
      stream.resume();
      return;
    }
    const { name } = named!;
    const { maxBytes, maxFiles } = bounds;
    const count = this.begun.get(name) ?? 0;
    this.begun.set(name, count + 1);
    if (count >= (maxFiles ?? 1)) {
      const message = maxFiles === undefined ? 'must be given only once' : `must NOT have more than ${maxFiles} items`;
      this.issues.push({ path: name, message });
      stream.resume();
      return;
    }
    const received = new ReceivedBytes();
    const place = maxFiles === undefined ? undefined : this.addItem(name, undefined);
    stream.on('data', (chunk: Buffer) => {
      if (received.length + chunk.length > maxBytes) fail(new BodyTooLarge({ limit_bytes: maxBytes, field: name }));
      else received.add(chunk);
    });
    stream.on('end', () => {
      const file = new UploadedFile(filename, mediaType, received.takePieces(), received.length);
      if (place === undefined) this.values[name] = file;
      else (this.values[name] as unknown[])[place] = file;
    });
  }

  /** What has come, once all of it has. */
  reading(): QueryReading {
    return { values: this.values, issues: this.issues };
  }

  /** The field that a part is of. @returns undefined for one that has no usable name, which is an issue */
  private named(fullName: string | undefined): { readonly name: string; readonly isItem: boolean } | undefined {
    if (fullName === undefined || fullName === '' || fullName.length > MAXIMUM_NAME_LENGTH) {
      this.issues.push({
        path: '',
        message: `a part has no name, or one of more than ${MAXIMUM_NAME_LENGTH} characters`,
      });
      return undefined;
    }
    const isItem = fullName.endsWith('[]');
    const name = isItem ? fullName.slice(0, -2) : fullName;
    if (this.isOpen || this.fields.has(name)) return { name, isItem };
    this.issues.push({ path: name.toWellFormed(), message: 'is not a known field' });
    return undefined;
  }

  /** @returns the place of the item in its list; undefined where there is something else */
  private addItem(name: string, item: unknown): number | undefined {
    const list = (this.values[name] ??= []);
    if (!Array.isArray(list)) {
      this.issues.push({ path: name, message: 'must be given only once, or as a list' });
      return undefined;
    }
    return list.push(item) - 1;
  }

  private valueOf(name: string, text: string, type: unknown): unknown {
    // A field of a class has the class in place of a type.
    if (type !== 'object' && typeof type !== 'function') return typedValue(text, type);
    const value = typeof extentWithin(text, BODY_BOUNDS) === 'string' ? undefined : parsedIfJson(text);
    if (value === undefined) this.issues.push(MALFORMED_JSON.at(name));
    return value;
  }
}
