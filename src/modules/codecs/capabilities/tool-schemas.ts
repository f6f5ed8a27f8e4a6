import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { type JsonObject, objectOf } from '../chat/json-values.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { OF_LIST, OF_NAMES, OF_ONE } from './schemas.js';

type Path = readonly (string | number)[];

/** The bounds of numbers that were marks beside other bounds in older drafts, and those others. */
const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Keywords that say of what type a value is. */
const TYPING = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'] as const;

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;

/**
 * The parameters of a tool as a provider takes them that checks schemas: in the newest draft, with `items` for every list, and with types
 * within alternatives. What the schema says stays the same.
 *
 * @param adjustments is told of every change
 */
export function plainSchema(
  parameters: JsonObject,
  capabilities: ModelCapabilities,
  path: Path,
  adjustments: RequestAdjustments,
): JsonObject {
  const { schema_draft: draft, array_items: items, type_beside_alternatives: beside } = capabilities;
  const isItemsFree = items === undefined || items === 'optional';
  if ((draft === undefined || draft === 'any') && isItemsFree && beside !== false) return parameters;
  return new PlainSchema(capabilities, adjustments).of(parameters, path);
}

class PlainSchema {
  constructor(
    private readonly capabilities: ModelCapabilities,
    private readonly adjustments: RequestAdjustments,
  ) {}

  of(given: JsonObject, path: Path): JsonObject {
    let schema = this.withPlainParts(given, path);
    if (this.capabilities.schema_draft === '2020-12') schema = this.inNewestDraft(schema, path);
    if (this.capabilities.type_beside_alternatives === false) schema = this.withInnerTypes(schema, path);
    return isList(schema) ? this.withItems(schema, path) : schema;
  }

  /** A list that says what is in it, with a type where the provider wants one: texts, of which every other value can be made. */
  private withItems(schema: JsonObject, path: Path): JsonObject {
    const { array_items: demanded } = this.capabilities;
    const items = schema['items'] === undefined ? {} : objectOf(schema['items']);
    const isTyped = items !== undefined && TYPING.some((name) => items[name] !== undefined);
    const isTaken = demanded === 'typed' ? items === undefined || isTyped : schema['items'] !== undefined;
    if (isTaken || (demanded !== 'typed' && demanded !== 'required')) return schema;
    this.adjustments.changed([...path, 'items'], 'items_missing');
    return { ...schema, items: demanded === 'typed' ? { type: 'string', ...items } : {} };
  }

  private withPlainParts(schema: JsonObject, path: Path): JsonObject {
    const entries = Object.entries(schema).map(([name, value]): [string, unknown] => [
      name,
      this.partOf(name, value, [...path, name]),
    ]);
    return entries.every(([name, value]) => value === schema[name]) ? schema : Object.fromEntries(entries);
  }

  private partOf(name: string, value: unknown, path: Path): unknown {
    if (OF_NAMES.has(name)) {
      const named = objectOf(value);
      return named === undefined ? value : this.withEach(named, path);
    }
    const isListOfSchemas = OF_LIST.has(name) || name === 'items';
    if (isListOfSchemas && Array.isArray(value)) {
      const parts = value.map((part: unknown, index) => this.inner(part, [...path, index]));
      return parts.every((part, index) => part === value[index]) ? value : parts;
    }
    return OF_ONE.has(name) ? this.inner(value, path) : value;
  }

  private withEach(named: JsonObject, path: Path): JsonObject {
    const entries = Object.entries(named).map(([name, part]) => [name, this.inner(part, [...path, name])] as const);
    return entries.every(([name, part]) => part === named[name]) ? named : Object.fromEntries(entries);
  }

  private inner(value: unknown, path: Path): unknown {
    const schema = objectOf(value);
    return schema === undefined ? value : this.of(schema, path);
  }

  /** Without the keywords that older drafts had in another form: `exclusiveMinimum: true`, and a list as `items`. */
  private inNewestDraft(schema: JsonObject, path: Path): JsonObject {
    let written = schema;
    const changed = (keyword: string): void => this.adjustments.changed([...path, keyword], 'keyword_translated');
    for (const [exclusive, bound] of EXCLUSIVE) {
      const isExclusive = written[exclusive];
      if (typeof isExclusive !== 'boolean') continue;
      const { [exclusive]: _mark, [bound]: limit, ...others } = written;
      const name = isExclusive ? exclusive : bound;
      written = limit === undefined ? others : { ...others, [name]: limit };
      changed(exclusive);
    }
    if (Array.isArray(written['items'])) {
      const { items, additionalItems, ...others } = written;
      const rest = objectOf(additionalItems) ?? (typeof additionalItems === 'boolean' ? additionalItems : undefined);
      written = { ...others, prefixItems: items, ...(rest !== undefined && { items: rest }) };
      changed('items');
    }
    return written;
  }

  /** With the type of alternatives in each of them. */
  private withInnerTypes(schema: JsonObject, path: Path): JsonObject {
    const { type, ...others } = schema;
    const keyword = ALTERNATIVES.find((name) => Array.isArray(schema[name]));
    if (type === undefined || keyword === undefined) return schema;
    this.adjustments.changed([...path, 'type'], 'type_in_alternatives');
    const repeated = JSON.stringify(type).length;
    const alternatives = (schema[keyword] as unknown[]).map((part) => {
      const alternative = objectOf(part);
      if (alternative === undefined || 'type' in alternative || '$ref' in alternative) return part;
      this.adjustments.work.write(repeated);
      return { type, ...alternative };
    });
    return { ...others, [keyword]: alternatives };
  }
}

function isList({ type }: JsonObject): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}
