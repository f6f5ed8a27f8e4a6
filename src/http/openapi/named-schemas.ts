import type { JsonSchema, JsonType } from './json-schema.js';

/*
 * Schemas of what has no class: parts of requests that are read as they are, and events of streams. The document has each under its name,
 * so that generated clients have a type for it. They describe and do not validate: what is refused is decided by rules.
 */

const NAMED = new Map<string, JsonSchema>();

/** A reference to a schema of the document. */
export interface SchemaReference extends JsonSchema {
  readonly $ref: string;
}

/**
 * Gives a schema a name in the document.
 *
 * @returns the reference to it
 * @throws Error for a name that another schema has
 */
export function namedSchema(name: string, schema: JsonSchema): SchemaReference {
  if (NAMED.has(name)) throw new Error(`there are two schemas ${name}`);
  NAMED.set(name, schema);
  return referenceTo(name);
}

/** A reference to the schema of a name: of a class, or of {@link namedSchema}. */
export function referenceTo(name: string): SchemaReference {
  return { $ref: `#/components/schemas/${name}` };
}

/** All schemas that have been given a name. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(NAMED);
}

type Fields = Readonly<Record<string, JsonSchema>>;

/** An object with these fields among others. @param required those that are always there */
export function objectWith(description: string, fields: Fields, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    description,
    properties: { ...fields },
    required: [...required],
    additionalProperties: true,
  };
}

/** An object with these fields and no others. */
export function closedObject(description: string, fields: Fields, required: readonly string[] = []): JsonSchema {
  return { ...objectWith(description, fields, required), additionalProperties: false };
}

/** A value of a type, with an example. */
export function valueOf(type: JsonType, description: string, example: unknown, bounds: JsonSchema = {}): JsonSchema {
  return { type, description, examples: [example], ...bounds };
}

/** A text, with an example. */
export function textOf(description: string, example: string): JsonSchema {
  return valueOf('string', description, example);
}

/** The one text that a field always has. */
export function wordOf(description: string, word: string): JsonSchema {
  return { type: 'string', const: word, description };
}

/** A list. @param items of one schema */
export function listOf(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', description, items };
}

/** A list of objects whose fields may have any name and value. @param example an item */
export function freeObjectsOf(description: string, example: object): JsonSchema {
  return {
    type: 'array',
    description,
    items: { type: 'object', additionalProperties: true },
    examples: [[example]],
  };
}

/** One of several schemas. */
export function anyOf(description: string, schemas: readonly JsonSchema[]): JsonSchema {
  return { description, anyOf: [...schemas] };
}

/** Another schema, with what it is here. */
export function referring(reference: SchemaReference, description: string): JsonSchema {
  return { ...reference, description };
}

/** A schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { description, examples, ...rest } = schema;
  const outer = { ...(description !== undefined && { description }), ...(examples && { examples }) };
  // A single word admits no other value, whatever the type says.
  if (rest.$ref !== undefined || rest.const !== undefined) return { ...outer, anyOf: [rest, { type: 'null' }] };
  if (rest.anyOf !== undefined) return { ...outer, anyOf: [...rest.anyOf, { type: 'null' }] };
  return { ...outer, ...rest, type: [rest.type ?? []].flat().concat('null') };
}
