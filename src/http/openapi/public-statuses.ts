import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from './open-api-31.js';

/** The extension with the success status of an operation in the public dialect, if it differs. */
export const PUBLIC_STATUS_EXTENSION = 'x-public-status';

/** Replaces the success statuses by those of the public dialect. */
export function applyPublicStatuses(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation) => {
    const { [PUBLIC_STATUS_EXTENSION]: status, ...rest } = operation;
    if (typeof status !== 'number') return operation;
    const { 200: success, ...failures } = rest['responses'] as Record<string, unknown>;
    return { ...rest, responses: { [status]: success, ...failures } };
  });
}
