import { randomBytes } from 'node:crypto';
import type { UploadedFile } from '../../http/input/uploaded-file.js';

/** A file of a form for a provider. */
export interface FormFile {
  readonly name: string;
  readonly file: UploadedFile;
  /** The name of the file for the provider, which needs no quotes. */
  readonly filename: string;
  readonly mediaType: string;
}

/** A request of multipart/form-data (RFC 7578). The bytes of its files are not copied, so that it can be sent to several providers. */
export class MultipartForm {
  private readonly boundary = `gatehouse-${randomBytes(18).toString('hex')}`;

  /**
   * @param fields the texts by their names, several of a name as a list; names and texts may be anything
   * @param files which stand behind the fields
   */
  constructor(
    readonly fields: Readonly<Record<string, string | readonly string[]>>,
    private readonly files: readonly FormFile[],
  ) {}

  get contentType(): string {
    return `multipart/form-data; boundary=${this.boundary}`;
  }

  /** The bytes of the form, in their order. */
  pieces(): Uint8Array[] {
    const fields = Object.entries(this.fields).flatMap(([name, texts]) =>
      [texts].flat().map((text) => Buffer.from(`${this.headOf(name)}\r\n\r\n${text}\r\n`)),
    );
    const files = this.files.flatMap(({ name, file, filename, mediaType }) => [
      Buffer.from(`${this.headOf(name)}; filename="${filename}"\r\ncontent-type: ${mediaType}\r\n\r\n`),
      ...file.pieces,
      Buffer.from('\r\n'),
    ]);
    return [...fields, ...files, Buffer.from(`--${this.boundary}--\r\n`)];
  }

  private headOf(name: string): string {
    return `--${this.boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"`;
  }
}

/** A name as it stands in quotes (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
