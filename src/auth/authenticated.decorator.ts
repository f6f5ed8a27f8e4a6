import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { CredentialResolver } from './credential-resolver.js';
import type { CredentialKind } from './principal.js';

/** The metadata key for the kinds of credential that a route accepts. */
export const AUTHENTICATION_METADATA = 'gatehouse:authentication';

/**
 * Declares which kinds of credential may call an operation, for both the guard and the OpenAPI document. On a controller it
 * declares so for each of its operations that does not declare its own. The application does not start if a route has neither
 * this decorator nor @Public.
 */
export function Authenticated(...kinds: [CredentialKind, ...CredentialKind[]]): ClassDecorator & MethodDecorator {
  const declared = applyDecorators(
    SetMetadata(AUTHENTICATION_METADATA, kinds),
    // Each kind is a scheme of its own, one of which is enough.
    ...kinds.map((kind) => ApiSecurity(kind)),
    ApiExtension('x-credentials', kinds),
  ) as MethodDecorator;
  return (target: object, method?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (method !== undefined && descriptor !== undefined) declared(target, method, descriptor);
    else declareUndeclared((target as Type).prototype as object, declared);
  };
}

/** Declares the callers of the operations of a controller that do not declare their own. */
function declareUndeclared(prototype: object, declared: MethodDecorator): void {
  for (const [method, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const handler: unknown = descriptor.value;
    const isOperation = typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler);
    if (isOperation && !Reflect.hasMetadata(AUTHENTICATION_METADATA, handler)) declared(prototype, method, descriptor);
  }
}

/**
 * Lets the clients of an operation send their key as `X-Api-Key: sk-...` where they send no Authorization header; with `onlyWith` only
 * those that send another header, too.
 */
export const TakesApiKeyHeader = Reflector.createDecorator<{ readonly onlyWith?: string } | undefined>();

/** Has the credentials of an operation resolved by a class of its module, which reads more with them. */
export const ResolvedBy = Reflector.createDecorator<Type<CredentialResolver>>();
