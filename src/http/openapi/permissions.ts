import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from './open-api-31.js';

/** The extension with the permission that a management key needs for an operation. */
export const PERMISSION_EXTENSION = 'x-permission';

/** Says the permission that an operation needs in its description as well, where people read it. */
export function withPermissions(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation) => {
    const { [PERMISSION_EXTENSION]: permission, description } = operation;
    if (typeof permission !== 'string') return operation;
    return { ...operation, description: `${String(description)}\n\nPermission: \`${permission}\`.` };
  });
}
