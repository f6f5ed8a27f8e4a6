import type { JsonSchema, JsonType } from './json-schema.js';
import { referenceTo, registerField, type SchemaClass } from './schema-registry.js';

/** What every field says of itself. */
export interface FieldOptions<T> {
  /** One sentence for the reader of the OpenAPI document. */
  readonly description: string;
  readonly example?: T | null;
  /** The field may be left out. */
  readonly optional?: boolean;
  /** The field may be null. Absent and null stay two different things. */
  readonly nullable?: boolean;
  readonly deprecated?: boolean;
  /** What holds when the field is left out; documentation, applied by the code that reads the field. */
  readonly default?: T;
}

interface TextOptions extends FieldOptions<string> {
  /** In Unicode code points, as are all lengths (DECISIONS.md, section 1). */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An ECMAScript regular expression that is safe against back-tracking. */
  readonly pattern?: string;
  readonly format?: string;
}

interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface NumberOptions extends FieldOptions<number>, NumberBounds {
  /** What the number must be more than. */
  readonly exclusiveMinimum?: number;
}

interface ListOptions<T> extends FieldOptions<readonly T[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A string. */
export function TextField(options: TextOptions): PropertyDecorator {
  const { minLength, maxLength, pattern, format } = options;
  return field(options, () => ({ ...typed('string', options), minLength, maxLength, pattern, format }));
}

/** A UUID in text form, in capitals or not (RFC 9562, section 4). */
export function UuidField(options: FieldOptions<string>): PropertyDecorator {
  return TextField({ ...options, format: 'uuid' });
}

/** A point in time: ISO 8601, UTC with milliseconds in answers, any RFC 3339 form in requests. */
export function TimestampField(options: FieldOptions<string>): PropertyDecorator {
  return TextField({ example: '2026-11-21T09:30:00.000Z', ...options, format: 'date-time' });
}

/** One of a fixed set of strings. */
export function EnumField<T extends string>(values: readonly T[], options: FieldOptions<T>): PropertyDecorator {
  const allowed = options.nullable ? [...values, null] : values;
  return field(options, () => ({ ...typed('string', options), enum: allowed }));
}

/** A whole number. */
export function IntegerField(options: FieldOptions<number> & NumberBounds): PropertyDecorator {
  const { minimum, maximum } = options;
  return field(options, () => ({ ...typed('integer', options), minimum, maximum }));
}

/** A finite number (IEEE 754 double). */
export function NumberField(options: NumberOptions): PropertyDecorator {
  const { minimum, exclusiveMinimum, maximum } = options;
  return field(options, () => ({
    ...typed('number', options),
    format: 'double',
    minimum,
    exclusiveMinimum,
    maximum,
  }));
}

/** true or false. */
export function BooleanField(options: FieldOptions<boolean>): PropertyDecorator {
  return field(options, () => typed('boolean', options));
}

/** The constant true, as in `{ "deleted": true }`. */
export function TrueField(options: FieldOptions<true>): PropertyDecorator {
  return field(options, () => ({ ...typed('boolean', options), const: true }));
}

/** A list of strings; the options of one item are given beside those of the list. */
export function TextListField(options: ListOptions<string> & { items?: Partial<TextOptions> }): PropertyDecorator {
  const { minItems, maxItems, items = {} } = options;
  const { minLength, maxLength, pattern, format } = items;
  return field(options, () => ({
    ...typed('array', options),
    minItems,
    maxItems,
    items: clean({ type: 'string', minLength, maxLength, pattern, format }),
  }));
}

/** A list of whole numbers; the bounds of one item are given beside the options of the list. */
export function IntegerListField(options: ListOptions<number> & { items?: NumberBounds }): PropertyDecorator {
  const { minItems, maxItems, items = {} } = options;
  const { minimum, maximum } = items;
  return field(options, () => ({
    ...typed('array', options),
    minItems,
    maxItems,
    items: clean({ type: 'integer', minimum, maximum }),
  }));
}

/** A list whose items come from a fixed set of strings. */
export function EnumListField<T extends string>(values: readonly T[], options: ListOptions<T>): PropertyDecorator {
  const { minItems } = options;
  return field(options, () => ({ ...typed('array', options), minItems, items: { type: 'string', enum: values } }));
}

/** A list of objects of one class. */
export function ObjectListField(type: () => SchemaClass, options: ListOptions<object>): PropertyDecorator {
  const { minItems, maxItems } = options;
  return field(options, () => ({ ...typed('array', options), minItems, maxItems, items: referenceTo(type()) }));
}

/** An object of one class. */
export function ObjectField(type: () => SchemaClass, options: FieldOptions<object>): PropertyDecorator {
  return field(options, () => {
    const reference = referenceTo(type());
    return options.nullable
      ? { ...described(options), anyOf: [reference, { type: 'null' }] }
      : { ...described(options), ...reference };
  });
}

/** A field whose schema is written out, for the few shapes that have no decorator of their own. */
export function SchemaField(schema: () => JsonSchema, options: FieldOptions<unknown>): PropertyDecorator {
  return field(options, () => ({ ...described(options), ...schema() }));
}

function field(options: FieldOptions<unknown>, schema: () => JsonSchema): PropertyDecorator {
  return (prototype, name) => {
    registerField(prototype.constructor, String(name), () => clean(schema()), options.optional !== true);
  };
}

function typed(type: JsonType, options: FieldOptions<unknown>): JsonSchema {
  return { type: options.nullable ? [type, 'null'] : type, ...described(options) };
}

function described(options: FieldOptions<unknown>): JsonSchema {
  const { description, example, deprecated } = options;
  return { description, deprecated, default: options.default, examples: example === undefined ? undefined : [example] };
}

function clean(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
