import type { DtoClass } from '../../../http/validation/dto-fields.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import type { ConfiguredKind } from '../kinds/configured-kind.js';
import { API_VERSION, OWNER_NAME } from './configuration-document.js';
import { REFERENCE } from './references.js';

/** The schemas of classes by their names, which refer to each other as those of the OpenAPI document do. */
type ClassSchemas = Readonly<Record<string, JsonSchema>>;

/** A schema, with the words that OpenAPI does without. */
interface DocumentSchema extends JsonSchema {
  $schema?: string;
  title?: string;
  $defs?: Record<string, JsonSchema>;
}

const CLASS_PREFIX = '#/components/schemas/';

/** What stands for other things in files. */
const PARTS: Readonly<Record<string, JsonSchema>> = {
  variable: object({ var: { type: 'string', minLength: 1 } }, 'The value of a variable of --vars.'),
  reference: {
    description: 'The name of another object, with its workspace where several have it.',
    anyOf: [{ type: 'string', minLength: 1 }, object({ workspace: { type: 'string' }, name: { type: 'string' } })],
  },
  secret: {
    description: 'Where a secret is from, or that it stays as it is.',
    anyOf: [
      object({ env: { type: 'string', minLength: 1, maxLength: 1_024 } }, 'A variable of the environment.'),
      object({ file: { type: 'string', minLength: 1, maxLength: 1_024 } }, 'A file.'),
      object({ keep: { const: true } }, 'It stays as it is.'),
    ],
  },
  new_secret: object({ file: { type: 'string', minLength: 1, maxLength: 1_024 } }, 'A new file.'),
};

/**
 * The JSON Schema (2020-12) of a configuration document, for editors (docs/configuration.md#editors). It says what `gatehouse validate` says
 * of the form of fields; rules about several fields, and names that two objects have, are left to that.
 *
 * @param schemas of the classes of requests of all kinds
 */
export function configurationSchema(kinds: readonly ConfiguredKind[], schemas: ClassSchemas): DocumentSchema {
  const sections = kinds.map(
    (kind) => [kind.section, { type: 'array', items: entrySchema(kind, schemas) }] as const,
  ) satisfies readonly (readonly [string, JsonSchema])[];
  const properties: Record<string, JsonSchema> = {
    apiVersion: { const: API_VERSION },
    owner: { type: 'string', pattern: OWNER_NAME.source, description: 'Whose the objects are.' },
    ...Object.fromEntries(sections),
  };
  const found = new Map<string, JsonSchema>();
  const document = resolved({
    type: 'object',
    properties,
    required: ['apiVersion', 'owner'],
    additionalProperties: false,
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Gatehouse',
    ...document,
    $defs: { ...PARTS, ...Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1))) },
  };

  /** A schema whose references are those of this document; what it refers to is found with it. */
  function resolved(schema: JsonSchema): JsonSchema {
    const { $ref: reference, properties: fields, items, additionalProperties: others, anyOf, oneOf, ...rest } = schema;
    delete rest.discriminator;
    return {
      ...rest,
      ...(reference !== undefined && { $ref: resolvedReference(reference) }),
      ...(fields && {
        properties: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, resolved(one)])),
      }),
      ...(items && { items: resolved(items) }),
      ...(others !== undefined && { additionalProperties: typeof others === 'object' ? resolved(others) : others }),
      ...(anyOf && { anyOf: anyOf.map(resolved) }),
      ...(oneOf && { oneOf: oneOf.map(resolved) }),
    };
  }

  function resolvedReference(reference: string): string {
    if (!reference.startsWith(CLASS_PREFIX)) return reference;
    const name = reference.slice(CLASS_PREFIX.length);
    if (!found.has(name)) {
      // Before its own references, which may lead back to it.
      found.set(name, {});
      found.set(name, resolved(withVariables(schemas[name]!)));
    }
    return `#/$defs/${name}`;
  }
}

/** All classes whose schemas a kind needs. */
export function classesOf({ creation, change, further }: ConfiguredKind): DtoClass[] {
  return [creation, change, ...Object.values(further).flatMap(({ items }) => items ?? [])];
}

function entrySchema(kind: ConfiguredKind, schemas: ClassSchemas): JsonSchema {
  const [creation, change] = [schemas[kind.creation.name]!, schemas[kind.change.name]!];
  const requests = { ...change.properties, ...creation.properties };
  const fields = Object.entries(requests).filter(([name]) => kind.fields.has(name));
  const properties: Record<string, JsonSchema> = {
    ...Object.fromEntries(
      fields.map(([name, schema]) => [name, kind.secrets.includes(name) ? secretSchema() : named(kind, name, schema)]),
    ),
    ...mapped(kind.references, ({ isList }) => (isList === true ? orNull(listOf(REFERENCE)) : orNull(REFERENCE))),
    ...mapped(kind.further, ({ schema }, name) => named(kind, name, schema)),
    ...(kind.workspace !== 'never' && {
      workspace: { type: 'string', minLength: 1, description: 'The slug of its workspace.' },
    }),
    ...(kind.takesOwnSecret && { secret_from: part('secret'), secret_to: part('new_secret') }),
    renamed_from: { type: 'string', minLength: 1, description: 'What it was called before.' },
  };
  const wires = new Map(Object.entries(kind.references).map(([name, { wire }]) => [wire, name]));
  const required = [...(creation.required ?? []), kind.identity].map((name) => wires.get(name) ?? name);
  return withVariables({
    type: 'object',
    properties,
    required: [...new Set(required)].filter((name) => kind.fields.has(name) || Object.hasOwn(kind.references, name)),
    additionalProperties: false,
  });
}

/** A schema in which a variable may stand for each field and item. */
function withVariables(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema;
  const orVariable = (one: JsonSchema): JsonSchema => {
    const { description, examples, default: usual, deprecated, ...rest } = withVariables(one);
    return {
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples }),
      ...(usual !== undefined && { default: usual }),
      ...(deprecated !== undefined && { deprecated }),
      anyOf: [rest, part('variable')],
    };
  };
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, orVariable) }),
    ...(items && { items: orVariable(items) }),
    ...(anyOf && { anyOf: anyOf.map(withVariables) }),
  };
}

function part(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** The schema of a field, which says whether names stand in its values. */
function named(kind: ConfiguredKind, field: string, schema: JsonSchema): JsonSchema {
  if (!Object.hasOwn(kind.namesWithin, field)) return schema;
  return { ...schema, description: `${schema.description ?? ''} Other objects are called by their names.`.trim() };
}

/** A secret, or several by their names. */
function secretSchema(): JsonSchema {
  return { anyOf: [part('secret'), { type: 'object', additionalProperties: part('secret') }, { type: 'null' }] };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

function object(properties: Record<string, JsonSchema>, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function mapped<T>(
  fields: Readonly<Record<string, T>>,
  make: (value: T, name: string) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, make(value, name)]));
}
