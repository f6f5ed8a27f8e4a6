import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { compileMessage, measurePattern } from '../../../../packages/patterns/index.js';
import { isObject } from '../../../http/validation/constraints.js';

/** Keywords whose value is a schema. */
const WITH_SCHEMA = ['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'];

/** Keywords whose value is a list of schemas, or has them by names of fields. */
const WITH_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const WITH_SCHEMAS_BY_NAME = ['properties', 'dependentSchemas'];

/**
 * The keywords that a rule may have. References could make a check of a few bytes take years, and unique items are compared each with each
 * other, so neither is among them.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...WITH_SCHEMA,
  ...WITH_SCHEMAS,
  ...WITH_SCHEMAS_BY_NAME,
  ...['type', 'enum', 'const', 'title', 'description', '$comment', 'required', 'dependentRequired'],
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
]);

/** How deep schemas may be inside each other. */
const DEEPEST = 16;

/** The size of all patterns together, as those of custom filters are measured. */
const LARGEST_PATTERNS = 2_000;

/** Checks arguments. @returns what is wrong with them, without any of their values; undefined for nothing */
export type ArgumentCheck = (values: unknown) => string | undefined;

/** What keeps a schema from being a rule for arguments. @returns undefined for nothing */
export function issueOfSchema(schema: unknown): string | undefined {
  const patterns: string[] = [];
  const form = issueOfForm(schema, 0, patterns) ?? issueOfPatterns(patterns);
  if (form !== undefined) return form;
  try {
    argumentCheck(schema as object);
    return undefined;
  } catch (error) {
    return `is no schema: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 200).toWellFormed()}`;
  }
}

/** Compiles a schema that {@link issueOfSchema} has nothing against. Takes a few milliseconds. */
export function argumentCheck(schema: object): ArgumentCheck {
  const ajv = new Ajv2020({ strict: false, code: { regExp: linearPattern }, unicodeRegExp: false });
  const validate = ajv.compile(schema);
  return (values) => {
    if (validate(values)) return undefined;
    const [error] = validate.errors!;
    return `${`arguments${error!.instancePath}`.slice(0, 200).toWellFormed()} ${error!.message}`;
  };
}

/** @param patterns gets those of the schema */
function issueOfForm(schema: unknown, depth: number, patterns: string[]): string | undefined {
  if (typeof schema === 'boolean' && depth > 0) return undefined;
  if (!isObject(schema)) return 'must be object';
  if (depth > DEEPEST) return `must not be nested deeper than ${DEEPEST} levels`;
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) return `must not have the keyword ${unknown.slice(0, 50).toWellFormed()}`;
  if (typeof schema['pattern'] === 'string') patterns.push(schema['pattern']);
  for (const inner of schemasIn(schema)) {
    const issue = issueOfForm(inner, depth + 1, patterns);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function schemasIn(schema: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]): unknown[] => {
    if (WITH_SCHEMA.includes(keyword)) return [value];
    if (WITH_SCHEMAS.includes(keyword)) return Array.isArray(value) ? value : [];
    return WITH_SCHEMAS_BY_NAME.includes(keyword) && isObject(value) ? Object.values(value) : [];
  });
}

function issueOfPatterns(patterns: readonly string[]): string | undefined {
  const measured = patterns.map((pattern) => measurePattern(pattern, DEEPEST));
  if (measured.some(({ depth }) => depth > DEEPEST))
    return `has a pattern with groups nested deeper than ${DEEPEST} levels`;
  const size = measured.reduce((sum, one) => sum + one.size, 0);
  if (size > LARGEST_PATTERNS) return 'has patterns that are too large together';
  const wrong = patterns.map(compileMessage).find((message) => message !== null);
  return wrong === undefined ? undefined : `has a pattern that does not run in linear time: ${wrong}`;
}

/** A pattern that runs in linear time, in the form of a RegExp as far as it is used. */
const linearPattern = Object.assign(
  (pattern: string): { test: (text: string) => boolean; toString: () => string } => {
    const compiled = RE2JS.compile(pattern);
    // Patterns are known by their texts, so that each schema has its own.
    return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linearPattern' },
);
