import { applyDecorators, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { PERMISSION_EXTENSION } from '../http/openapi/permission-extension.js';
import type { CredentialResolver } from './credential-resolver.js';
import {
  isArea,
  type NeededPermission,
  NO_PERMISSION_NEEDED,
  type PermissionArea,
  permissionInArea,
} from './permissions.js';
import type { CredentialKind } from './principal.js';

/** The metadata key for the kinds of credential that a route accepts. */
export const AUTHENTICATION_METADATA = 'gatehouse:authentication';

/** The metadata key for the permission that a management key or a session needs for a route. */
export const PERMISSION_METADATA = 'gatehouse:permission';

/** The metadata key for routes that keep callers with `onlyOwn` to what is theirs. */
export const KEEPS_TO_OWN_METADATA = 'gatehouse:keeps-to-own';

/**
 * Declares which kinds of credential may call an operation, for both the guard and the OpenAPI document, and which permission a
 * management key needs for it (docs/interface/permissions.md). Where a management key may, a session may as well. On a controller it
 * declares so for each of its operations that does not declare its own. The application does not start if a route has neither this
 * decorator nor @Public, or takes management keys and names no permission.
 *
 * @param permission `'none'` where no permission is needed; on a controller also an area, of which safe methods need the permission to
 *   read and all others that to write; absent where management keys are not taken
 */
export function Authenticated(
  kinds: readonly [CredentialKind, ...CredentialKind[]],
  permission?: NeededPermission | PermissionArea,
): ClassDecorator & MethodDecorator {
  return (target: object, method?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (method === undefined || descriptor === undefined) {
      declareUndeclared((target as { readonly prototype: object }).prototype, kinds, permission);
    } else if (permission !== undefined && isArea(permission)) {
      throw new Error(`${String(method)} names the area ${permission}: a method names a permission`);
    } else {
      declaration(kinds, permission)(target, method, descriptor);
    }
  };
}

/**
 * Declares that an operation shows and changes only what is the caller's own where the principal has `onlyOwn`: only such operations may be
 * called with a role that reaches no more (docs/interface/permissions.md#roles).
 */
export function KeepsToOwn(): MethodDecorator {
  return SetMetadata(KEEPS_TO_OWN_METADATA, true);
}

/**
 * Declares that the operations of a controller are for the organization of the deployment's operator alone, which OPERATOR_ORGANIZATION_ID
 * names: to everybody else they look as if they were not there.
 */
export const OnlyForOperator = Reflector.createDecorator<undefined>();

function declaration(kinds: readonly CredentialKind[], permission: NeededPermission | undefined): MethodDecorator {
  return applyDecorators(
    SetMetadata(AUTHENTICATION_METADATA, kinds),
    ...(permission === undefined ? [] : [SetMetadata(PERMISSION_METADATA, permission)]),
    // Each kind is a scheme of its own, one of which is enough.
    ...kinds.map((kind) => ApiSecurity(kind)),
    ApiExtension('x-credentials', kinds),
    ...(permission === undefined || permission === NO_PERMISSION_NEEDED
      ? []
      : [ApiExtension(PERMISSION_EXTENSION, permission)]),
  );
}

/** Declares the callers of the operations of a controller that do not declare their own. */
function declareUndeclared(
  prototype: object,
  kinds: readonly CredentialKind[],
  permission: NeededPermission | PermissionArea | undefined,
): void {
  for (const [method, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const handler: unknown = descriptor.value;
    const isOperation = typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler);
    if (!isOperation || Reflect.hasMetadata(AUTHENTICATION_METADATA, handler)) continue;
    const isSafe = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
    const needed = permission !== undefined && isArea(permission) ? permissionInArea(permission, isSafe) : permission;
    declaration(kinds, needed)(prototype, method, descriptor);
  }
}

/**
 * Lets the clients of an operation send their key as `X-Api-Key: sk-...` where they send no Authorization header; with `onlyWith` only
 * those that send another header, too.
 */
export const TakesApiKeyHeader = Reflector.createDecorator<{ readonly onlyWith?: string } | undefined>();

/** Has the credentials of an operation resolved by a class of its module, which reads more with them. */
export const ResolvedBy = Reflector.createDecorator<Type<CredentialResolver>>();
