import type { INestApplication } from '@nestjs/common';
import type { CredentialKind } from '../../src/auth/principal.js';
import { Environment } from '../../src/config/environment.js';
import { openApiDocument } from '../../src/http/openapi/openapi-document.js';
import type { JsonSchema } from '../../src/http/schema/json-schema.js';

/** A parameter of an operation, as the document has it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** An operation of the interface, as the document has it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With `{parameters}`, without the prefix of all operations. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the body, for operations that take one. */
  readonly body?: JsonSchema;
  readonly credentials: readonly CredentialKind[];
  /** The statuses that it can answer, and the schema of each answer's body. */
  readonly answers: ReadonlyMap<number, JsonSchema>;
}

/** Everything that an application's document says, in a form that tests can walk through. */
export interface Interface {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The schema itself, or the one that it refers to. */
  resolve(schema: JsonSchema): JsonSchema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }>
  >;
  readonly 'x-credentials': readonly CredentialKind[];
}

/** The interface of an application by reflection, so that what is new is in the tests at once. */
export function interfaceOf(application: INestApplication): Interface {
  const document = openApiDocument(application);
  const prefix = application.get(Environment).apiBasePath;
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, DocumentedOperation>).map(([method, documented]) => ({
      operationId: documented.operationId,
      method: method.toUpperCase(),
      path: path.slice(prefix.length),
      parameters: documented.parameters ?? [],
      ...(documented.requestBody && { body: documented.requestBody.content['application/json'].schema }),
      credentials: documented['x-credentials'],
      answers: new Map(
        Object.entries(documented.responses).map(
          ([status, { content }]) => [Number(status), content['application/json'].schema] as const,
        ),
      ),
    })),
  );
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;
  return { operations, schemas, resolve };
}

/** The path of an operation with its parameters filled in: the given ones as they are, the others by their example. */
export function pathOf(operation: Operation, encoded: Readonly<Record<string, string>> = {}): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.name === name)!;
    return encoded[name] ?? encodeURIComponent(String(parameter.schema.examples![0]));
  });
}
