import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../http/canonical-json.js';
import { exceededBound, type JsonBounds } from '../../../http/input/json-bounds.js';
import { isObject } from '../../../http/validation/constraints.js';
import { MCP_TOOL_NAME } from '../mcp-server-vocabulary.js';
import { marksHeadersRightly } from '../upstream/header-values.js';

/** What clients are told of a tool. What else a server says of one, such as icons, is not handed on. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** What the server says of its effects. */
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A tool, and what tells one state of it from another. */
export interface SeenTool {
  readonly definition: ToolDefinition;
  /** SHA-256 in lowercase hexadecimal. */
  readonly digest: string;
}

/** The largest definition, in characters of JSON, and what it may hold. */
const MAXIMUM_DEFINITION = 65_536;
const DEFINITION_BOUNDS: JsonBounds = { depth: 32, values: 10_000 };

const NAME = new RegExp(MCP_TOOL_NAME);

/**
 * Reads a tool of the list of a server.
 *
 * @returns undefined for what is no tool, a larger one than is kept, and one that marks arguments for headers wrongly
 */
export function seenToolOf(value: unknown): SeenTool | undefined {
  if (!isObject(value)) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = value;
  if (typeof name !== 'string' || !NAME.test(name) || !isObject(inputSchema)) return undefined;
  const definition: ToolDefinition = {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    inputSchema,
    ...(isObject(outputSchema) && { outputSchema }),
    ...(isObject(annotations) && { annotations }),
  };
  const json = JSON.stringify(definition);
  // PostgreSQL keeps neither half a character nor U+0000.
  if (json.length > MAXIMUM_DEFINITION || /\\u(?:0000|d[89a-f])/.test(json)) return undefined;
  if (exceededBound(json, DEFINITION_BOUNDS) !== undefined || !marksHeadersRightly(inputSchema)) return undefined;
  return { definition, digest: digestOf(definition) };
}

/** The digest of a tool: of its name, its texts, its schemas and what is said of its effects, whatever their order. */
export function digestOf(definition: ToolDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

/** What differs between two definitions: the parts of each by their names, as far as they are not the same. */
export function differenceOf(
  before: ToolDefinition,
  after: ToolDefinition,
): Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>> {
  const [was, is] = [before, after].map((one): ReadonlyMap<string, unknown> => new Map(Object.entries(one)));
  const names = [...new Set([...was!.keys(), ...is!.keys()])];
  const changed = names.filter(
    (name) => canonicalJson(was!.get(name) ?? null) !== canonicalJson(is!.get(name) ?? null),
  );
  return Object.fromEntries(
    changed.map((name) => [
      name,
      {
        ...(was!.has(name) && { before: was!.get(name) }),
        ...(is!.has(name) && { after: is!.get(name) }),
      },
    ]),
  );
}
