/** The parts of busboy that are used; the package has no types. */
declare module 'busboy' {
  import type { Readable, Writable } from 'node:stream';

  interface PartInfo {
    readonly encoding: string;
    readonly mimeType: string;
  }

  interface BusboyEvents {
    file: [name: string, stream: Readable, info: PartInfo & { readonly filename: string | undefined }];
    field: [
      name: string,
      value: string,
      info: PartInfo & { readonly nameTruncated: boolean; readonly valueTruncated: boolean },
    ];
    partsLimit: [];
    filesLimit: [];
    fieldsLimit: [];
    error: [error: Error];
    close: [];
  }

  interface Busboy extends Writable {
    on<Name extends keyof BusboyEvents>(event: Name, listener: (...values: BusboyEvents[Name]) => void): this;
  }

  interface BusboyOptions {
    readonly headers: { readonly 'content-type'?: string | undefined };
    /** The charset of names and file names. */
    readonly defParamCharset?: string;
    readonly limits?: {
      readonly fieldNameSize?: number;
      readonly fieldSize?: number;
      readonly fields?: number;
      readonly files?: number;
      readonly parts?: number;
    };
  }

  export default function busboy(options: BusboyOptions): Busboy;
}
