import type { OpenAPIObject } from '@nestjs/swagger';

/** Where an operation of the document says that its status of success differs in the public dialect. */
export const PUBLIC_STATUS_EXTENSION = 'x-public-status';

type Paths = OpenAPIObject['paths'];

/** The paths with the statuses of success of the public dialect. */
export function speakPublicStatuses(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, translate(operation)])),
    ]),
  );
}

function translate(operation: unknown): unknown {
  const { [PUBLIC_STATUS_EXTENSION]: status, ...rest } = operation as Record<string, unknown>;
  if (typeof status !== 'number') return operation;
  const { 200: success, ...failures } = rest['responses'] as Record<string, unknown>;
  return { ...rest, responses: { [status]: success, ...failures } };
}
