import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { type Issue, joinPath } from '../errors/issue.js';
import type { JsonSchema } from '../openapi/json-schema.js';
import type { SchemaReference } from '../openapi/named-schemas.js';
import {
  Constraint,
  enumMessage,
  expressionOf,
  integerMessages,
  IsFormat,
  isObject,
  Items,
  Length,
  MoreThan,
  type NumberBounds,
  numberMessages,
  patternMessage,
  Presence,
  type TextBounds,
  textMessages,
} from './constraints.js';
import {
  AS_SENT_EXTENSION,
  type DtoClass,
  type NestedObjects,
  PUBLIC_ONLY_EXTENSION,
  registerField,
} from './dto-fields.js';
import { validateDto } from './validate.js';

/** The options of every field. */
export interface FieldOptions<T> {
  /** The description in the OpenAPI document. */
  readonly description: string;
  readonly example?: T | null;
  readonly optional?: boolean;
  /** The field may be null. Absent and null have different meanings. */
  readonly nullable?: boolean;
  readonly deprecated?: boolean;
  /** The default value. Only documentation: the code that reads the field applies it. */
  readonly default?: T;
  /** Whether only the public dialect has the field (docs/interface/conventions.md#dialects); in the default one it is unknown. */
  readonly publicOnly?: boolean;
  /**
   * Whether the value is stored and answered again, so that the public dialect refuses one that would be answered in another form: a time
   * that is not in UTC, a list that names something twice (docs/interface/conventions.md#dialects).
   */
  readonly asSent?: boolean;
}

/** What the document says of an object that is validated no further than that it is one. */
interface WithForm {
  /** The schema of its fields, by its name in the document (named-schemas.ts); any fields by default. */
  readonly form?: SchemaReference;
}

interface ListOptions<T> extends FieldOptions<readonly T[]> {
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The default maximum of objects in a list: more than any valid request has. */
const MAXIMUM_OBJECTS = 2_000;

/** A string. */
export function TextField(options: FieldOptions<string> & TextBounds): PropertyDecorator {
  const { minLength, maxLength, pattern, format } = options;
  return field(options, { type: 'string', minLength, maxLength, pattern, format }, [
    IsString({ message: typeMessage('string', options) }),
    ...(minLength === undefined && maxLength === undefined ? [] : [Length({ minLength, maxLength })]),
    ...(pattern === undefined ? [] : [Matches(expressionOf(pattern), { message: patternMessage(pattern) })]),
    ...(format === undefined ? [] : [IsFormat(format)]),
  ]);
}

/** A UUID in text form, ignoring case (RFC 9562, section 4). */
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
  return field(options, { type: 'string', enum: allowed }, [
    IsString({ message: typeMessage('string', options) }),
    IsIn(values, { message: enumMessage(allowed) }),
  ]);
}

/** A whole number. */
export function IntegerField(
  options: FieldOptions<number> & NumberBounds & { readonly enum?: readonly number[] },
): PropertyDecorator {
  const { minimum, maximum, enum: values } = options;
  return field(options, { type: 'integer', minimum, maximum, enum: values }, [
    IsInt({ message: typeMessage('integer', options) }),
    ...bounds(options),
    ...(values === undefined ? [] : [IsIn(values, { message: enumMessage(values) })]),
  ]);
}

/** A finite number (IEEE 754 double). */
export function NumberField(options: FieldOptions<number> & NumberBounds): PropertyDecorator {
  const { minimum, exclusiveMinimum, maximum } = options;
  return field(options, { type: 'number', format: 'double', minimum, exclusiveMinimum, maximum }, [
    IsNumber({}, { message: typeMessage('number', options) }),
    ...bounds(options),
  ]);
}

/** true or false. */
export function BooleanField(options: FieldOptions<boolean>): PropertyDecorator {
  return field(options, { type: 'boolean' }, [IsBoolean({ message: typeMessage('boolean', options) })]);
}

/** The constant true, as in `{ "deleted": true }`. */
export function TrueField(options: FieldOptions<true>): PropertyDecorator {
  return field(options, { type: 'boolean', const: true }, [Equals(true)]);
}

/** The constant false: a switch that is known, and is not enforced. */
export function FalseField(options: FieldOptions<false>): PropertyDecorator {
  return field(options, { type: 'boolean', const: false }, [
    Equals(false, { message: 'must be false, because it is not enforced' }),
  ]);
}

/** A string or a finite number. */
export function TextOrNumberField(options: FieldOptions<string | number>): PropertyDecorator {
  return field(options, { anyOf: [{ type: 'string' }, { type: 'number' }] }, [
    Constraint('isTextOrNumber', (value) =>
      typeof value === 'string' || Number.isFinite(value) ? [] : [{ path: '', message: 'must be string or number' }],
    ),
  ]);
}

/**
 * A list of strings, with options for its items.
 *
 * @param options `form` is what the document says of the items besides, where a rule of the class checks it
 */
export function TextListField(
  options: ListOptions<string> & { readonly items?: TextBounds; readonly form?: JsonSchema },
): PropertyDecorator {
  const { items = {}, form } = options;
  return list(options, { type: 'string', ...items, ...form }, [Items((item) => textMessages(item, items))]);
}

/** A list of whole numbers, with bounds for its items. */
export function IntegerListField(options: ListOptions<number> & { readonly items?: NumberBounds }): PropertyDecorator {
  const { items = {} } = options;
  return list(options, { type: 'integer', ...items }, [Items((item) => integerMessages(item, items))]);
}

/** A list of finite numbers, with bounds for its items. */
export function NumberListField(options: ListOptions<number> & { readonly items?: NumberBounds }): PropertyDecorator {
  const { items = {} } = options;
  return list(options, { type: 'number', format: 'double', ...items }, [Items((item) => numberMessages(item, items))]);
}

/** A list whose items come from a fixed set of strings. */
export function EnumListField<T extends string>(
  values: readonly T[],
  options: Omit<ListOptions<T | null>, 'maxItems'> & { readonly nullableItems?: boolean },
): PropertyDecorator {
  const { nullableItems = false } = options;
  const items: JsonSchema = nullableItems
    ? { type: ['string', 'null'], enum: [...values, null] }
    : { type: 'string', enum: values };
  return list({ ...options, maxItems: undefined }, items, [
    Items((item) => (nullableItems && item === null ? [] : textMessages(item, { enum: values }))),
  ]);
}

/** A list of objects of one class, with at most {@link MAXIMUM_OBJECTS} objects by default. */
export function ObjectListField(type: () => DtoClass, options: ListOptions<object>): PropertyDecorator {
  const { minItems, maxItems } = options;
  const nested = { type, maxItems: maxItems ?? MAXIMUM_OBJECTS };
  return field(
    options,
    { type: () => [type()], minItems, maxItems },
    [
      IsArray({ message: typeMessage('array', options) }),
      ...sizes({ minItems, maxItems: nested.maxItems }),
      Items((item) => (isObject(item) ? [] : ['must be object'])),
      Type(type),
      ValidateNested(),
    ],
    nested,
  );
}

/** An object of one class. */
export function ObjectField(type: () => DtoClass, options: FieldOptions<object>): PropertyDecorator {
  return field(
    options,
    // @nestjs/swagger recognizes a lazy type by the name of the function.
    { type: () => type() },
    [IsObject({ message: typeMessage('object', options) }), Type(type), ValidateNested()],
    { type, maxItems: 0 },
  );
}

/**
 * An object of one of several classes, which another field of the same object names.
 *
 * @param selector that field
 * @param classes by its values; the first one applies where it is left out
 */
export function SelectedObjectField(
  selector: string,
  classes: Readonly<Record<string, DtoClass>>,
  options: FieldOptions<object>,
): PropertyDecorator {
  const types = [...new Set(Object.values(classes))];
  return applyDecorators(
    (prototype: object): void => {
      ApiExtraModels(...types)(prototype.constructor);
    },
    field(
      options,
      { type: 'object', anyOf: types.map((type) => ({ $ref: getSchemaPath(type) })) },
      [IsObject({ message: typeMessage('object', options) }), ValidateNested()],
      { type: ({ [selector]: selected }) => selectedClass(classes, selected), maxItems: 0 },
    ),
  );
}

/** The class of a {@link SelectedObjectField}. @returns undefined for what is no value of the selector */
export function selectedClass(classes: Readonly<Record<string, DtoClass>>, selected: unknown): DtoClass | undefined {
  if (selected === undefined) return Object.values(classes)[0];
  return typeof selected === 'string' && Object.hasOwn(classes, selected) ? classes[selected] : undefined;
}

/** An object whose fields may have any name and value. */
export function FreeObjectField(options: FieldOptions<object> & WithForm): PropertyDecorator {
  const { form } = options;
  const schema = form === undefined ? { type: 'object', additionalProperties: true } : { allOf: [form] };
  return field(options, schema, [IsObject({ message: typeMessage('object', options) })]);
}

/** A list of objects whose fields may have any name and value. */
export function FreeObjectListField(options: ListOptions<object> & WithForm): PropertyDecorator {
  return list(options, options.form ?? { type: 'object', additionalProperties: true }, [
    Items((item) => (isObject(item) ? [] : ['must be object'])),
  ]);
}

/**
 * An object with fields of any name, each with an object of one of several classes.
 *
 * @param discriminator the field that selects the class
 * @param classes by the value of that field
 */
export function ObjectsByNameField(
  discriminator: string,
  classes: Readonly<Record<string, new () => object>>,
  options: FieldOptions<object>,
): PropertyDecorator {
  const references = Object.entries(classes).map(([value, type]) => [value, getSchemaPath(type)] as const);
  const schema: JsonSchema = {
    type: 'object',
    additionalProperties: {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: discriminator, mapping: Object.fromEntries(references) },
    },
  };
  const issuesOf = (name: string, value: unknown): Issue[] => {
    if (!isObject(value)) return [{ path: name, message: 'must be object' }];
    const kind = value[discriminator];
    if (typeof kind !== 'string' || !Object.hasOwn(classes, kind)) {
      return [{ path: joinPath(name, discriminator), message: enumMessage(Object.keys(classes)) }];
    }
    return validateDto(classes[kind]!, value).map(({ path, message }) => ({ path: joinPath(name, path), message }));
  };
  return applyDecorators(
    (prototype: object): void => {
      ApiExtraModels(...Object.values(classes))(prototype.constructor);
    },
    field(options, schema, [
      IsObject({ message: typeMessage('object', options) }),
      Constraint('objectsByName', (value) =>
        isObject(value) ? Object.entries(value).flatMap(([name, item]) => issuesOf(name, item)) : [],
      ),
    ]),
  );
}

/** A response field with an explicit schema, for the few shapes without a decorator of their own. */
export function SchemaField(schema: JsonSchema, options: FieldOptions<unknown>): PropertyDecorator {
  return field(options, schema, []);
}

/** Combines the decorators of a field: those of @nestjs/swagger, class-validator and class-transformer. */
function field(
  options: FieldOptions<unknown>,
  schema: object,
  constraints: readonly PropertyDecorator[],
  nested?: NestedObjects,
): PropertyDecorator {
  const { description, example, optional = false, nullable = false, deprecated } = options;
  const { publicOnly = false, asSent = false } = options;
  const type = 'type' in schema ? schema.type : undefined;
  const property = {
    // Without a type in the schema, @nestjs/swagger would use the TypeScript type.
    type: 'object',
    ...withoutUndefined(schema),
    ...withoutUndefined({ description, deprecated, default: options.default, example }),
    ...(nullable && { nullable }),
    ...(publicOnly && { [PUBLIC_ONLY_EXTENSION]: true }),
    ...(asSent && { [AS_SENT_EXTENSION]: true }),
    // An explicit schema may use `required` for the list of its own properties.
    ...('required' in schema ? { selfRequired: !optional } : { required: !optional }),
  };
  return applyDecorators(
    ApiProperty(property as ApiPropertyOptions),
    Presence(optional, nullable),
    ...constraints,
    registerField({
      type,
      nested,
      words: wordsOfItems(schema),
      isPublicOnly: publicOnly,
      asSent: asSent ? (type === 'array' ? 'list' : 'time') : undefined,
    }),
  );
}

/** @returns undefined for what is no list of words of an enumeration */
function wordsOfItems(schema: object): readonly unknown[] | undefined {
  return 'items' in schema ? (schema.items as JsonSchema).enum : undefined;
}

function list(
  options: ListOptions<unknown>,
  items: JsonSchema,
  constraints: readonly PropertyDecorator[],
): PropertyDecorator {
  const { minItems, maxItems } = options;
  return field(options, { type: 'array', minItems, maxItems, items }, [
    IsArray({ message: typeMessage('array', options) }),
    ...sizes(options),
    ...constraints,
  ]);
}

function sizes({ minItems, maxItems }: Pick<ListOptions<unknown>, 'minItems' | 'maxItems'>): PropertyDecorator[] {
  return [
    ...(minItems === undefined
      ? []
      : [ArrayMinSize(minItems, { message: `must NOT have fewer than ${minItems} items` })]),
    ...(maxItems === undefined
      ? []
      : [ArrayMaxSize(maxItems, { message: `must NOT have more than ${maxItems} items` })]),
  ];
}

function bounds({ minimum, exclusiveMinimum, maximum }: NumberBounds): PropertyDecorator[] {
  return [
    ...(minimum === undefined ? [] : [Min(minimum, { message: `must be >= ${minimum}` })]),
    ...(exclusiveMinimum === undefined ? [] : [MoreThan(exclusiveMinimum)]),
    ...(maximum === undefined ? [] : [Max(maximum, { message: `must be <= ${maximum}` })]),
  ];
}

function typeMessage(type: string, { nullable = false }: FieldOptions<unknown>): string {
  return nullable ? `must be ${type} or null` : `must be ${type}`;
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
