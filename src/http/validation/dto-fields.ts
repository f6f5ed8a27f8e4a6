import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/** A class whose fields have field decorators (fields.ts): the shape of a request or response. */
export type DtoClass<T extends object = object> = abstract new (...values: never[]) => T;

/** The properties of a declared field that reading and validating a request needs. */
export interface DtoField {
  /** The JSON type in the OpenAPI document, if it is a single one. */
  readonly type: unknown;
  /** The nested object, or the objects of a list; undefined for other fields. */
  readonly nested: NestedObjects | undefined;
  /** The words that the items of a list may be; undefined for other fields. */
  readonly words: readonly unknown[] | undefined;
  /** Whether only the public dialect has the field ({@link FieldOptions.publicOnly}). */
  readonly isPublicOnly: boolean;
  /** What the public dialect refuses of a value because it would be answered in another form ({@link FieldOptions.asSent}). */
  readonly asSent: 'time' | 'list' | undefined;
}

/** Objects of one class in a field. */
export interface NestedObjects {
  /**
   * Their class.
   *
   * @param holder the fields beside them, one of which may name the class
   * @returns undefined where that field names none: the objects are not looked into
   */
  readonly type: (holder: Readonly<Record<string, unknown>>) => DtoClass | undefined;
  readonly maxItems: number;
}

const FIELDS_METADATA = 'gatehouse:fields';
const ADDITIONAL_PROPERTIES_METADATA = 'gatehouse:additional-properties';

/** Marks a schema that allows undeclared fields; removed when the document is generated. */
export const ADDITIONAL_PROPERTIES_EXTENSION = 'x-additional-properties';

/** Marks the schema of a field that only the public dialect has; removed when the document is generated. */
export const PUBLIC_ONLY_EXTENSION = 'x-public-only';

/** Marks the schema of a field whose values the public dialect takes in the form of answers alone; removed when the document is generated. */
export const AS_SENT_EXTENSION = 'x-as-sent';

/** Declares a field. A subclass has the fields of its base class and may declare one again. */
export function registerField(field: DtoField): PropertyDecorator {
  return (prototype, name) => {
    const fields = new Map(Reflect.getMetadata(FIELDS_METADATA, prototype) as Map<string, DtoField> | undefined);
    Reflect.defineMetadata(FIELDS_METADATA, fields.set(String(name), field), prototype);
  };
}

/** The fields of a class, including inherited ones. */
export function fieldsOf(type: DtoClass): ReadonlyMap<string, DtoField> {
  return (
    (Reflect.getMetadata(FIELDS_METADATA, type.prototype as object) as Map<string, DtoField> | undefined) ?? new Map()
  );
}

/** Allows undeclared fields in a class and its subclasses: for documents of other services, which may add fields. */
export function AdditionalProperties(): ClassDecorator {
  return applyDecorators(ApiExtension(ADDITIONAL_PROPERTIES_EXTENSION, true), (type: object) =>
    Reflect.defineMetadata(ADDITIONAL_PROPERTIES_METADATA, true, type),
  );
}

/** Says that only fields of the public dialect have objects of a class, so that its schema is in no other document. */
export function PublicOnly(): ClassDecorator {
  return ApiExtension(PUBLIC_ONLY_EXTENSION, true) as ClassDecorator;
}

/** Whether a class or one of its base classes allows undeclared fields. */
export function allowsAdditionalProperties(type: DtoClass): boolean {
  return Reflect.getMetadata(ADDITIONAL_PROPERTIES_METADATA, type) === true;
}

/** Sets the example of a class, if the examples of its fields together are not a valid request. */
export function SchemaExample(example: object): ClassDecorator {
  return ApiSchema({ examples: [example] } as ApiSchemaOptions);
}
