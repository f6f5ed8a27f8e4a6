import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';
import { readContract } from './public-contract.js';
import type { Interface, Operation, Parameter } from '../openapi/described-operations.js';

/** What a schema says that a generated client goes by; the rest is prose. */
const FACTS = [
  'const',
  'default',
  'deprecated',
  'enum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'type',
] as const;

/** An operation of the contract: its requests, and which answers it has. */
export interface ContractOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: JsonSchema;
  readonly success: number;
  /** By status, the media types that an answer may have. */
  readonly answers: ReadonlyMap<number, readonly string[]>;
}

/** What the contract says of requests. */
export interface ContractRequests {
  readonly operations: ReadonlyMap<string, ContractOperation>;
  resolve(schema: JsonSchema): JsonSchema;
}

interface ContractDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
            readonly responses: Readonly<Record<string, ContractAnswer>>;
          }
        >
      >
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ContractAnswer>>;
  };
}

/** An answer, or where it is described. */
interface ContractAnswer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Reads the contract. @param speak replaces names by those of a dialect */
export function contractRequests(speak = (text: string): string => text): ContractRequests {
  const document = JSON.parse(speak(readContract())) as ContractDocument;
  const mediaTypesOf = ({ $ref, content }: ContractAnswer): string[] =>
    Object.keys(($ref === undefined ? content : document.components.responses[lastOf($ref)]!.content) ?? {});
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
      const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
      const body = requestBody && { body: requestBody.content['application/json']!.schema };
      const answers = new Map(
        Object.entries(responses).map(([status, answer]) => [Number(status), mediaTypesOf(answer)] as const),
      );
      return [operationId, { method: method.toUpperCase(), path, parameters, success, answers, ...body }] as const;
    }),
  );
  return {
    operations: new Map(operations),
    resolve: (schema) => (schema.$ref === undefined ? schema : document.components.schemas[lastOf(schema.$ref)]!),
  };
}

/** Optional headers that the contract does not have (docs/interface/conventions.md#idempotency-keys, docs/response-cache.md). */
const ADDED_HEADERS = ['Idempotency-Key', 'If-Match', 'X-Cache', 'X-Cache-TTL', 'X-Cache-Clear'];

/**
 * Where the requests of an operation differ from the contract's, one line a fact, for example
 * `query offset type: integer, null -> integer`.
 */
export function requestDifferences(
  contract: ContractRequests,
  theirs: ContractOperation,
  api: Interface,
  ours: Operation,
): string[] {
  const expected = new Map([
    ...theirs.parameters.flatMap((parameter) => parameterFacts(contract, parameter)),
    ...(theirs.body ? factsOf(contract, theirs.body, 'body') : []),
  ]);
  const actual = new Map([
    ...[...ours.parameters, ...ours.headers.filter(({ name }) => !ADDED_HEADERS.includes(name))].flatMap((parameter) =>
      parameterFacts(api, parameter),
    ),
    ...(ours.body ? factsOf(api, ours.body, 'body') : []),
  ]);
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((name) => expected.get(name) !== actual.get(name))
    .map((name) => `${name}: ${expected.get(name) ?? 'nothing'} -> ${actual.get(name) ?? 'nothing'}`)
    .sort();
}

/** The name that a reference ends with. */
function lastOf(reference: string): string {
  return reference.split('/').at(-1)!;
}

type Resolver = Pick<ContractRequests, 'resolve'>;

function parameterFacts(resolver: Resolver, parameter: Parameter): [string, string][] {
  const place = `${parameter.in} ${parameter.name}`;
  return [[`${place} required`, String(parameter.required)], ...factsOf(resolver, parameter.schema, place)];
}

/** A schema behind its references, and with null among its types where that is written as another schema. */
export function resolvedSchema(
  resolver: Resolver,
  schema: JsonSchema & { readonly allOf?: readonly JsonSchema[] },
): JsonSchema {
  const resolved = resolver.resolve(schema) as typeof schema;
  const [only] = (resolved.allOf ?? []).filter((part) => Object.keys(part).length > 0);
  if (only !== undefined) return resolvedSchema(resolver, only);
  const others = (resolved.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (others.length !== 1 || resolved.anyOf?.length !== 2) return atItsPlace(schema, resolved);
  const other = atItsPlace(schema, resolvedSchema(resolver, others[0]!));
  const type = [...[other.type ?? []].flat(), 'null' as const];
  return { ...other, type, ...(other.enum && { enum: [...other.enum, null] }) };
}

/** A schema with what a reference to it says besides, and a single word as the list that it is in the contract. */
function atItsPlace(place: JsonSchema, schema: JsonSchema): JsonSchema {
  const { const: word, ...rest } = schema;
  return {
    ...rest,
    ...(place.default !== undefined && { default: place.default }),
    ...(place.deprecated !== undefined && { deprecated: place.deprecated }),
    ...(word !== undefined && { enum: [word] }),
  };
}

function factsOf(resolver: Resolver, schema: JsonSchema, place: string): [string, string][] {
  const resolved = resolvedSchema(resolver, schema);
  const own = FACTS.flatMap((fact): [string, string][] => {
    const value = (resolved as Readonly<Record<string, unknown>>)[fact];
    return value === undefined ? [] : [[`${place} ${fact}`, [value].flat().map(String).sort().join(', ')]];
  });
  const fields = Object.entries(resolved.properties ?? {}).flatMap(([name, child]) => [
    [`${place}.${name} required`, String(resolved.required?.includes(name) ?? false)] as [string, string],
    ...factsOf(resolver, child, `${place}.${name}`),
  ]);
  return [...own, ...fields, ...(resolved.items ? factsOf(resolver, resolved.items, `${place}[]`) : [])];
}
