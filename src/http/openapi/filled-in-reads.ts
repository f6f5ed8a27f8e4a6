import type { OpenAPIObject } from '@nestjs/swagger';
import type { JsonSchema } from '../schema/json-schema.js';

type Paths = OpenAPIObject['paths'];

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly in: string;
  readonly schema: JsonSchema;
}

/**
 * The paths with an example for every path parameter of operations that only read: Swagger UI fills it in, so that they can
 * be tried at once. Nothing is filled in where trying would change something.
 */
export function withFilledInReads(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
          method,
          method === 'get' ? { ...operation, parameters: operation.parameters?.map(fillIn) ?? [] } : operation,
        ]),
      ),
    ]),
  );
}

function fillIn(parameter: Parameter): Parameter & { readonly example?: unknown } {
  const [example] = parameter.schema.examples ?? [];
  return parameter.in === 'path' && example !== undefined ? { ...parameter, example } : parameter;
}
