import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from './open-api-31.js';

/** The extension with the permission that a management key needs for an operation. */
export const PERMISSION_EXTENSION = 'x-permission';

/** The extension of an operation that decides who a person or a workload is, and so needs all permissions besides. */
export const IDENTITY_EXTENSION = 'x-decides-identity';

const NEEDED_BESIDES =
  ' with all others, and in the console a sign-in within the last 15 minutes: it decides who may do what';

/** Says the permission that an operation needs in its description as well, where people read it. */
export function withPermissions(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation) => {
    const { [PERMISSION_EXTENSION]: permission, [IDENTITY_EXTENSION]: decidesIdentity, description } = operation;
    if (typeof permission !== 'string') return operation;
    const besides = decidesIdentity === true ? NEEDED_BESIDES : '';
    return { ...operation, description: `${String(description)}\n\nPermission: \`${permission}\`${besides}.` };
  });
}
