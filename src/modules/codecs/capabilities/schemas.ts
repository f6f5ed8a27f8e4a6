import type { SchemaSupport } from '../../catalog/capabilities/model-capabilities.js';
import type { WorkBudget } from '../../../http/input/work-budget.js';
import { type JsonObject, objectOf } from '../chat/json-values.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** Where the definitions of a schema stand, in the older and in the newer name. */
export const OLDER_DEFINITIONS = 'definitions';
export const DEFINITIONS = '$defs';

/** Keywords whose values are schemas, by their form: one, a list, or one for each name. */
export const OF_ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'contains']);
export const OF_LIST: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
export const OF_NAMES: ReadonlySet<string> = new Set([
  'properties',
  DEFINITIONS,
  OLDER_DEFINITIONS,
  'patternProperties',
]);

type Path = readonly (string | number)[];

/** What the description has of a schema that says nothing else of it. */
const DESCRIBING: ReadonlySet<string> = new Set(['description', 'title']);

/** Keywords that constrain nothing, and are left out without a word. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment']);

/**
 * A schema with those keywords that a provider takes. Objects get what they need, `oneOf` becomes `anyOf`, and what is left out is said in the
 * description, so that the model still reads it (docs/interface/capabilities.md#schemas).
 *
 * @param path of the schema in the request
 * @param adjustments is told of every change
 * @throws RequestTooComplex for a schema that would become many times as long, because alternatives repeat what stands beside them
 */
export function translatedSchema(
  schema: JsonObject,
  support: SchemaSupport,
  path: Path,
  adjustments: RequestAdjustments,
): JsonObject {
  const translation = new SchemaTranslation(support, adjustments);
  const translated = translation.of(schema, path);
  if (translation.repeatsParts) adjustments.work.writeJson(translated);
  return translated;
}

/** Whether a schema can be one in which every property of every object is named: one without maps, and with an object at its root. */
export function canBeComplete(schema: JsonObject): boolean {
  const isRoot =
    schema['type'] === 'object' || (schema['type'] === undefined && objectOf(schema['properties']) !== undefined);
  return isRoot && schema['anyOf'] === undefined && schema['oneOf'] === undefined && !hasMap(schema);
}

function hasMap(schema: unknown): boolean {
  const given = objectOf(schema);
  if (given === undefined) return Array.isArray(schema) && schema.some(hasMap);
  const further = given['additionalProperties'];
  const isMap = objectOf(further) !== undefined || (further === true && objectOf(given['properties']) === undefined);
  if (isMap || given['patternProperties'] !== undefined) return true;
  return Object.entries(given).some(([name, value]) => {
    if (OF_NAMES.has(name)) return Object.values(objectOf(value) ?? {}).some(hasMap);
    return (OF_ONE.has(name) || OF_LIST.has(name)) && hasMap(value);
  });
}

class SchemaTranslation {
  /** Whether a part of the schema stands in several alternatives. */
  repeatsParts = false;
  /** What each part of the schema has become: it is the same wherever the part stands. */
  private readonly translations = new Map<JsonObject, JsonObject>();
  private readonly work: WorkBudget;

  constructor(
    private readonly support: SchemaSupport,
    private readonly adjustments: RequestAdjustments,
  ) {
    this.work = adjustments.work;
  }

  of(value: unknown, path: Path): JsonObject {
    const given = objectOf(value);
    this.work.visit();
    // A schema that is true or false, or none at all, allows everything as far as can be said.
    if (given === undefined) return {};
    const known = this.translations.get(given);
    if (known !== undefined) return known;
    const translation = this.translation(given, path);
    this.translations.set(given, translation);
    return translation;
  }

  private translation(given: JsonObject, path: Path): JsonObject {
    const schema = this.simplified(given, path);
    const written: [string, unknown][] = [];
    const unsaid: [string, unknown][] = [];
    for (const [name, part] of Object.entries(schema)) {
      this.work.visit();
      if (SILENT.has(name)) continue;
      if (DESCRIBING.has(name) || (this.takes(name, part) && !this.isBesideReference(name, schema))) {
        written.push([this.nameOf(name), this.translated(name, part, path)]);
        continue;
      }
      if (name === 'additionalProperties') continue;
      this.adjustments.leftOut([...path, name], 'keyword_not_supported');
      unsaid.push([name, part]);
    }
    const result = this.withObjectRules(Object.fromEntries(written), schema, path);
    return unsaid.length === 0 ? result : { ...result, description: this.described(result['description'], unsaid) };
  }

  /** Writes what has another name, or a simpler form, in the keywords that are taken. */
  private simplified(given: JsonObject, path: Path): JsonObject {
    let schema = given;
    const changed = (keyword: string): void => this.adjustments.changed([...path, keyword], 'keyword_translated');
    const { type, oneOf, allOf, ...others } = schema;
    if (Array.isArray(oneOf) && !this.knows('oneOf') && schema['anyOf'] === undefined) {
      schema = {
        ...others,
        ...(type === undefined ? {} : { type }),
        ...(allOf === undefined ? {} : { allOf }),
        anyOf: oneOf as unknown[],
      };
      changed('oneOf');
    }
    if (Array.isArray(allOf) && !this.knows('allOf')) {
      const merged = mergedSchemas(schema, allOf as unknown[], this.work);
      if (merged !== undefined) {
        schema = merged;
        changed('allOf');
      }
    }
    if (
      schema['const'] !== undefined &&
      schema['enum'] === undefined &&
      !this.knows('const') &&
      isPlain(schema['const'])
    ) {
      const { const: only, ...rest } = schema;
      schema = { ...rest, enum: [only] };
      changed('const');
    }
    if (Array.isArray(type) && type.some((one) => one === 'object' || one === 'array')) {
      schema = this.withAlternatives(schema, [...new Set(type as unknown[])]);
      changed('type');
    } else if (type === undefined && schema['type'] === undefined) {
      if (objectOf(schema['properties']) !== undefined) schema = { ...schema, type: 'object' };
      else if (schema['items'] !== undefined) schema = { ...schema, type: 'array' };
    }
    return schema;
  }

  /** With one alternative for each type, which has what is said of that type; a single type needs none. */
  private withAlternatives(schema: JsonObject, types: readonly unknown[]): JsonObject {
    if (types.length === 1) return { ...schema, type: types[0] };
    const { type: _types, title, description, [DEFINITIONS]: definitions, ...rest } = schema;
    this.repeatsParts = true;
    // All of this is repeated, at most, before any of it is visited.
    this.work.visit(types.length * (1 + Object.keys(rest).length));
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(definitions === undefined ? {} : { [DEFINITIONS]: definitions }),
      anyOf: types.map((one) => ({ type: one, ...fieldsOfType(rest, one) })),
    };
  }

  private knows(keyword: string): boolean {
    return this.support.keywords?.includes(keyword) ?? true;
  }

  private takes(name: string, value: unknown): boolean {
    const { formats, most_min_items: mostItems } = this.support;
    if (name === OLDER_DEFINITIONS) return this.knows(name) || this.knows(DEFINITIONS);
    if (!this.knows(name)) return false;
    if (name === 'format') return formats === undefined || (typeof value === 'string' && formats.includes(value));
    if (name === 'minItems') return mostItems === undefined || (isPlain(value) && Number(value) <= mostItems);
    // Values that are objects or lists are not taken anywhere.
    if (name === 'enum') return Array.isArray(value) && value.length > 0 && this.arePlain(value);
    return name !== 'const' || isPlain(value);
  }

  private arePlain(values: readonly unknown[]): boolean {
    this.work.visit(values.length);
    return values.every(isPlain);
  }

  private described(description: unknown, unsaid: readonly (readonly [string, unknown])[]): string {
    const parts = unsaid.map(([name, value]) => {
      const part = `${name}: ${JSON.stringify(value)}`;
      this.work.write(part.length);
      return part;
    });
    const said = `{${parts.join(', ')}}`;
    return typeof description === 'string' && description !== '' ? `${description}\n\n${said}` : said;
  }

  /** Beside a reference only definitions may stand. */
  private isBesideReference(name: string, schema: JsonObject): boolean {
    return schema['$ref'] !== undefined && name !== '$ref' && name !== DEFINITIONS && name !== OLDER_DEFINITIONS;
  }

  private nameOf(name: string): string {
    return name === OLDER_DEFINITIONS && !this.knows(name) ? DEFINITIONS : name;
  }

  private translated(name: string, value: unknown, path: Path): unknown {
    const at = (part: string | number): Path => [...path, name, part];
    if (name === '$ref' && typeof value === 'string' && !this.knows(OLDER_DEFINITIONS)) {
      return value.replace(`#/${OLDER_DEFINITIONS}/`, `#/${DEFINITIONS}/`);
    }
    if (OF_NAMES.has(name)) {
      const parts = Object.entries(objectOf(value) ?? {});
      return Object.fromEntries(parts.map(([part, schema]) => [part, this.of(schema, at(part))]));
    }
    if (OF_LIST.has(name)) return (value as unknown[]).map((part, index) => this.of(part, at(index)));
    return OF_ONE.has(name) && typeof value === 'object' ? this.of(value, [...path, name]) : value;
  }

  /** Objects that may have no properties but those that are named, all of which are required where the provider wants that. */
  private withObjectRules(written: JsonObject, schema: JsonObject, path: Path): JsonObject {
    const { objects } = this.support;
    if (objects === undefined) return withNamedRequired(written);
    if (schema['type'] !== 'object') return written;
    const properties = objectOf(written['properties']) ?? {};
    if (schema['additionalProperties'] !== false)
      this.adjustments.changed([...path, 'additionalProperties'], 'object_closed');
    const names = Object.keys(properties);
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
    const isRequired = new Set(required);
    const isComplete = names.every((name) => isRequired.has(name));
    if (objects === 'complete' && !isComplete)
      this.adjustments.changed([...path, 'required'], 'all_properties_required');
    return {
      ...written,
      properties,
      additionalProperties: false,
      ...(objects === 'complete'
        ? { required: names }
        : required.length > 0
          ? { required: required.filter((name) => isNameOf(properties, name)) }
          : {}),
    };
  }
}

/** With those properties as required alone that are named: some providers refuse any other. */
function withNamedRequired(written: JsonObject): JsonObject {
  const { required, ...others } = written;
  const properties = objectOf(written['properties']);
  if (!Array.isArray(required) || properties === undefined) return written;
  const named = (required as unknown[]).filter((name) => isNameOf(properties, name));
  if (named.length === required.length) return written;
  return named.length === 0 ? others : { ...others, required: named };
}

/** The keywords that say something of a type. */
function fieldsOfType(schema: JsonObject, type: unknown): JsonObject {
  if (type === 'null') return {};
  const isOfObject = (name: string): boolean =>
    ['properties', 'required', 'additionalProperties', 'patternProperties'].includes(name);
  const isOfArray = (name: string): boolean =>
    ['items', 'minItems', 'maxItems', 'prefixItems', 'uniqueItems'].includes(name);
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) =>
      type === 'object'
        ? !isOfArray(name)
        : type === 'array'
          ? !isOfObject(name)
          : !isOfObject(name) && !isOfArray(name),
    ),
  );
}

/** Puts schemas that all hold into one. @returns undefined where that cannot be said in one object of plain properties */
export function mergedSchemas(schema: JsonObject, all: readonly unknown[], work: WorkBudget): JsonObject | undefined {
  const { allOf: _all, ...own } = schema;
  work.visit(all.length);
  const [only] = all;
  if (all.length === 1 && objectOf(only) !== undefined && own['properties'] === undefined)
    return { ...objectOf(only), ...own };
  const parts = [own, ...all.map(objectOf)];
  const isPlainObject = (part: JsonObject | undefined): part is JsonObject =>
    part !== undefined && part['$ref'] === undefined && (part['type'] === undefined || part['type'] === 'object');
  if (!parts.every(isPlainObject)) return undefined;
  for (const part of parts) work.visit(Object.keys(part).length);
  const properties = Object.fromEntries(parts.flatMap((part) => Object.entries(objectOf(part['properties']) ?? {})));
  const required = [
    ...new Set(parts.flatMap((part) => (Array.isArray(part['required']) ? (part['required'] as unknown[]) : []))),
  ];
  return {
    ...Object.assign({}, ...parts.toReversed()),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  } as JsonObject;
}

/** Whether properties have what a schema requires by that name, which may be any value. */
function isNameOf(properties: JsonObject, name: unknown): boolean {
  return isPlain(name) && Object.hasOwn(properties, String(name));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
