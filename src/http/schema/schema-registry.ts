import type { JsonSchema } from './json-schema.js';

/** A class whose fields carry field decorators: the shape of a request or of an answer. */
export type SchemaClass<T extends object = object> = abstract new (...values: never[]) => T;

interface RegisteredField {
  readonly schema: () => JsonSchema;
  readonly required: boolean;
}

const fieldsByClass = new Map<object, Map<string, RegisteredField>>();
const classesByName = new Map<string, SchemaClass>();
const openClasses = new Set<object>();
const examplesByClass = new Map<object, object>();

/**
 * Adds a field to the schema of a class. Called by the field decorators only.
 *
 * @param owner the class that declares the field
 * @param schema gives the field's schema; called late, so that classes may refer to each other
 */
export function registerField(owner: object, name: string, schema: () => JsonSchema, required: boolean): void {
  const fields = fieldsByClass.get(owner) ?? new Map<string, RegisteredField>();
  fields.set(name, { schema, required });
  fieldsByClass.set(owner, fields);
}

/** Lets objects of a class carry further fields: for what others write and Gatehouse reads, which may grow. */
export function OpenToFurtherFields(): ClassDecorator {
  return (type) => {
    openClasses.add(type);
  };
}

/** Gives objects of a class an example as a whole, where the examples of all fields together are no request that works. */
export function WholeExample(example: object): ClassDecorator {
  return (type) => {
    examplesByClass.set(type, example);
  };
}

/**
 * A reference to the schema of a class, which makes that class part of the OpenAPI document.
 *
 * @throws Error when another class of the same name is already part of it
 */
export function referenceTo(type: SchemaClass): JsonSchema {
  const known = classesByName.get(type.name);
  if (known !== undefined && known !== type) throw new Error(`two schema classes are named ${type.name}`);
  classesByName.set(type.name, type);
  return { $ref: `#/components/schemas/${type.name}` };
}

/**
 * The object schema of a class: its own fields and those that it inherits. Fields that are not declared are refused,
 * unless it or an ancestor is open to them.
 */
export function schemaOf(type: SchemaClass): JsonSchema {
  // A field that is declared again replaces the inherited one.
  const fields = new Map(lineage(type).flatMap((ancestor) => [...(fieldsByClass.get(ancestor) ?? [])]));
  const isOpen = lineage(type).some((ancestor) => openClasses.has(ancestor));
  const example = examplesByClass.get(type);
  return {
    type: 'object',
    ...(example && { examples: [example] }),
    properties: Object.fromEntries([...fields].map(([name, field]) => [name, field.schema()])),
    required: [...fields].flatMap(([name, field]) => (field.required ? [name] : [])),
    ...(!isOpen && { additionalProperties: false }),
  };
}

/** Every schema that is referred to so far, and what those refer to in turn, by name. */
export function allSchemas(): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  // Making one schema may refer to further classes: a Map's iterator visits what is added while it runs.
  for (const [name, type] of classesByName) schemas[name] = schemaOf(type);
  return schemas;
}

/** A class and the classes that it extends, the most general one first. */
export function lineage(type: SchemaClass): object[] {
  const classes: object[] = [];
  for (let current: unknown = type; typeof current === 'function'; current = Object.getPrototypeOf(current)) {
    classes.unshift(current);
  }
  return classes;
}
