import { applyDecorators } from '@nestjs/common';
import { type FileBounds, registerFiles } from '../input/multipart-body.js';
import { UploadedFile } from '../input/uploaded-file.js';
import { Constraint } from './constraints.js';
import { type FieldOptions, SchemaField } from './fields.js';

const BINARY = { type: 'string', format: 'binary' } as const;

/** A file of a form, or a list of them where `maxFiles` is given: {@link UploadedFile}. An empty file is refused. */
export function FileField(options: Omit<FieldOptions<never>, 'example'> & FileBounds): PropertyDecorator {
  const { maxBytes, maxFiles, ...field } = options;
  const schema =
    maxFiles === undefined ? BINARY : ({ type: 'array', items: BINARY, minItems: 1, maxItems: maxFiles } as const);
  return applyDecorators(
    SchemaField(schema, field),
    Constraint('isFile', (value) => {
      const files: readonly unknown[] = maxFiles === undefined ? [value] : Array.isArray(value) ? value : [value];
      if (!files.every((file) => file instanceof UploadedFile)) return [{ path: '', message: 'must be a file' }];
      return files.some(({ size }) => size === 0) ? [{ path: '', message: 'must not be an empty file' }] : [];
    }),
    registerFiles(maxFiles === undefined ? { maxBytes } : { maxBytes, maxFiles }),
  );
}
