import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { CredentialResolver } from './credential-resolver.js';
import type { CredentialKind } from './principal.js';

/** The metadata key for the kinds of credential that a route accepts. */
export const AUTHENTICATION_METADATA = 'gatehouse:authentication';

/**
 * Declares which kinds of credential may call an operation, for both the guard and the OpenAPI document. The application
 * does not start if a route has neither this decorator nor @Public.
 */
export function Authenticated(...kinds: [CredentialKind, ...CredentialKind[]]): MethodDecorator {
  return applyDecorators(
    SetMetadata(AUTHENTICATION_METADATA, kinds),
    ApiBearerAuth(),
    ApiExtension('x-credentials', kinds),
  );
}

/** Lets the clients of an operation send their key as `X-Api-Key: sk-...` where they send no Authorization header. */
export const TakesApiKeyHeader = Reflector.createDecorator<undefined>();

/** Has the credentials of an operation resolved by a class of its module, which reads more with them. */
export const ResolvedBy = Reflector.createDecorator<Type<CredentialResolver>>();
