import document from '../../../../openapi.json' with { type: 'json' };
import { isOfOperator, type Permission } from '../../../../src/auth/permissions.js';
import type { JsonSchema } from '../../../../src/http/openapi/json-schema.js';

/** A parameter of an operation, as the document has it. */
export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** An operation, as the document has it. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  /** With `{parameters}`, and with the prefix of all operations. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly body: JsonSchema | undefined;
  /** The kinds of credential that it takes; empty for one that takes none. */
  readonly credentials: readonly string[];
  /** Whether it is there for the operator's organization alone. */
  readonly isForOperator: boolean;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

interface DocumentedMethod {
  readonly operationId: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: Content;
  readonly 'x-credentials'?: readonly string[];
  readonly 'x-permission'?: Permission;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedMethod>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const { paths, components } = document as unknown as OpenApiDocument;

/** Every operation of the checked-in document that takes a credential: those that take none read tokens, which no chance makes. */
export const OPERATIONS: readonly DocumentedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => (operation['x-credentials'] ?? []).length > 0)
    .map(([method, { operationId, parameters = [], requestBody, 'x-credentials': credentials = [], ...others }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json'].schema,
      credentials,
      isForOperator: others['x-permission'] !== undefined && isOfOperator(others['x-permission']),
    })),
);

/** The schema itself, or the one that it refers to. */
export function resolveSchema(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
}
