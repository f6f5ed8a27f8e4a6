import type { OpenAPIObject } from '@nestjs/swagger';

/** The extension with the success status of an operation in the public dialect, if it differs. */
export const PUBLIC_STATUS_EXTENSION = 'x-public-status';

type Paths = OpenAPIObject['paths'];

/** Replaces the success statuses by those of the public dialect. */
export function applyPublicStatuses(paths: Paths): Paths {
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
