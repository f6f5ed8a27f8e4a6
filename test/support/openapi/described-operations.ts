import type { INestApplication } from '@nestjs/common';
import type { Permission } from '../../../src/auth/permissions.js';
import type { CredentialKind } from '../../../src/auth/principal.js';
import { Environment } from '../../../src/config/environment.js';
import { openApiDocument } from '../../../src/http/openapi/openapi-document.js';
import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';

/** A parameter of an operation, as the document has it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Request headers that mean the same in every operation. */
const HEADERS_OF_HTTP = ['If-None-Match'];

/** An operation of the interface, as the document has it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With `{parameters}`, without the prefix of all operations. */
  readonly path: string;
  /** In path and query. */
  readonly parameters: readonly Parameter[];
  /** The headers of its own: what HTTP itself says by headers is not among them. */
  readonly headers: readonly Parameter[];
  /** The schema of the body, for operations that take one. */
  readonly body?: JsonSchema;
  /** How large that body may be, in bytes. */
  readonly bodyLimit: number | undefined;
  /** Whether that body may be left out altogether. */
  readonly bodyIsOptional: boolean;
  readonly credentials: readonly CredentialKind[];
  /** The permission that a management key needs; undefined for none. */
  readonly permission: Permission | undefined;
  /** Whether it needs all permissions besides, and of a person a recent sign-in. */
  readonly decidesIdentity: boolean;
  /** The statuses that it can answer with a body, and the schema of each answer's body. */
  readonly answers: ReadonlyMap<number, JsonSchema>;
  /** The statuses that it can answer without a body. */
  readonly bodiless: readonly number[];
}

/** Everything that an application's document says, in a form that tests can walk through. */
export interface Interface {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The schema itself, or the one that it refers to; an enumeration that may be null, or has one word, as one list of values. */
  resolve(schema: JsonSchema): JsonSchema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } } }>
  >;
  readonly 'x-body-limit-bytes'?: number;
  readonly 'x-credentials': readonly CredentialKind[];
  readonly 'x-permission'?: Permission;
  readonly 'x-decides-identity'?: boolean;
}

/** Operations without a credential answer to no organization, and have tests of their own. */
function needsCredential([, documented]: readonly [method: string, operation: DocumentedOperation]): boolean {
  return documented['x-credentials'].length > 0;
}

/** The interface of an application by reflection, so that what is new is in the tests at once. */
export async function interfaceOf(application: INestApplication): Promise<Interface> {
  const document = await openApiDocument(application);
  const prefix = application.get(Environment).apiBasePath;
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DocumentedOperation>)
      .filter(needsCredential)
      .map(([method, documented]) => ({
        operationId: documented.operationId,
        method: method.toUpperCase(),
        path: path.slice(prefix.length),
        parameters: (documented.parameters ?? []).filter((parameter) => parameter.in !== 'header'),
        headers: (documented.parameters ?? []).filter(
          (parameter) => parameter.in === 'header' && !HEADERS_OF_HTTP.includes(parameter.name),
        ),
        ...(documented.requestBody && { body: documented.requestBody.content['application/json'].schema }),
        bodyLimit: documented['x-body-limit-bytes'],
        bodyIsOptional: documented.requestBody?.required === false,
        credentials: documented['x-credentials'],
        permission: documented['x-permission'],
        decidesIdentity: documented['x-decides-identity'] === true,
        bodiless: Object.entries(documented.responses).flatMap(([status, { content }]) =>
          content === undefined ? [Number(status)] : [],
        ),
        answers: new Map(
          Object.entries(documented.responses).flatMap(([status, { content }]) =>
            content === undefined ? [] : [[Number(status), schemaIn(content)] as const],
          ),
        ),
      })),
  );
  const resolve = (schema: JsonSchema): JsonSchema => withWords(schema, schemas);
  return { operations, schemas, resolve };
}

function withWords(schema: JsonSchema, schemas: Interface['schemas']): JsonSchema {
  const resolved = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;
  const { const: word, anyOf = [], ...rest } = resolved;
  if (word !== undefined) return { ...rest, enum: [word] };
  const [one, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (one === undefined || others.length > 0 || anyOf.length < 2) return resolved;
  const { type, enum: words } = withWords(one, schemas);
  return words === undefined ? resolved : { ...rest, type: [type!, 'null'].flat() as never, enum: [...words, null] };
}

/** The form of an answer: as JSON, or the only one that it has. */
function schemaIn(content: Readonly<Record<string, { readonly schema: JsonSchema }>>): JsonSchema {
  return (content['application/json'] ?? Object.values(content)[0]!).schema;
}

/**
 * The path of an operation with its parameters filled in: the given ones as they are, the others by their example.
 *
 * @param query one parameter and its value; what the operation requires besides is added by its example
 */
export function pathOf(operation: Operation, encoded: Readonly<Record<string, string>> = {}, query = ''): string {
  const exampleOf = (parameter: Parameter): string => encodeURIComponent(String(parameter.schema.examples![0]));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return encoded[name] ?? exampleOf(operation.parameters.find((candidate) => candidate.name === name)!);
  });
  const required = operation.parameters
    .filter(
      ({ name, in: place, required: isRequired }) => place === 'query' && isRequired && query.split('=')[0] !== name,
    )
    .map((parameter) => `${parameter.name}=${exampleOf(parameter)}`);
  const pairs = [...required, query].filter((pair) => pair !== '');
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
