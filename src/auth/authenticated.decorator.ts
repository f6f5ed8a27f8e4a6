import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { BEARER_SCHEME } from '../http/bearer-scheme.js';
import type { CredentialKind } from './principal.js';

/** Where a route keeps the kinds of credential that it accepts. */
export const AUTHENTICATION_METADATA = 'gatehouse:authentication';

/**
 * Says which kinds of credential may call an operation. The only such decorator: it sets what the guard enforces and
 * what the OpenAPI document says. A route without it does not start.
 */
export function Authenticated(...kinds: [CredentialKind, ...CredentialKind[]]): MethodDecorator {
  return applyDecorators(
    SetMetadata(AUTHENTICATION_METADATA, kinds),
    ApiBearerAuth(BEARER_SCHEME),
    ApiExtension('x-credentials', kinds),
  );
}
