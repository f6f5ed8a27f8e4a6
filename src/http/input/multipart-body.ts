import { applyDecorators } from '@nestjs/common';
import type { DtoClass } from '../validation/dto-fields.js';
import { BodyLimit } from './body-limit.js';

const MULTIPART_METADATA = 'gatehouse:multipart-body';
const FILES_METADATA = 'gatehouse:files';

/** The media type of a form with files (RFC 7578). */
export const MULTIPART_TYPE = 'multipart/form-data';

/** What the fields of a form, and its own marks, may take besides its files, in bytes. */
const FIELDS_BYTES = 1024 * 1024;

/** The files that a field of a form takes. */
export interface FileBounds {
  /** Of each file, in bytes. */
  readonly maxBytes: number;
  /** How many there may be; absent for a field of one file, which is no list. */
  readonly maxFiles?: number;
}

/**
 * Says that a class is a body of multipart/form-data. The files are those of its fields with `@FileField`; its limit is what these may have
 * together, and a mebibyte for the other fields.
 */
export function MultipartBody(): ClassDecorator {
  return applyDecorators(
    (type: object) => Reflect.defineMetadata(MULTIPART_METADATA, true, type),
    (type: object) => {
      const bounds = [...filesOf(type as DtoClass).values()];
      const ofFiles = bounds.reduce((sum, { maxBytes, maxFiles = 1 }) => sum + maxBytes * maxFiles, 0);
      Reflect.defineMetadata(BodyLimit.KEY, ofFiles + FIELDS_BYTES, type);
    },
  );
}

/** Whether a class is a body of multipart/form-data. */
export function isMultipartBody(type: DtoClass): boolean {
  return Reflect.getMetadata(MULTIPART_METADATA, type) === true;
}

/** Declares that a field has a file, or files. A subclass has those of its base class. */
export function registerFiles(bounds: FileBounds): PropertyDecorator {
  return (prototype, name) => {
    const files = new Map(filesOf(prototype.constructor as DtoClass));
    Reflect.defineMetadata(FILES_METADATA, files.set(String(name), bounds), prototype);
  };
}

/** The fields of a class that have files, by name. */
export function filesOf({ prototype }: DtoClass): ReadonlyMap<string, FileBounds> {
  return (Reflect.getMetadata(FILES_METADATA, prototype as object) as Map<string, FileBounds> | undefined) ?? new Map();
}
