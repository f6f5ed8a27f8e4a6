import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { operationOf } from '../http/openapi/operation.decorator.js';
import { isPublic } from '../http/public.decorator.js';
import { AUTHENTICATION_METADATA, PERMISSION_METADATA } from './authenticated.decorator.js';
import type { CredentialKind } from './principal.js';

/** A method that answers HTTP requests. */
export interface Route {
  readonly controller: string;
  readonly controllerClass: object;
  readonly method: string;
  readonly handler: object;
  /** Whether the route belongs to the management interface. */
  readonly isOperation: boolean;
}

/** All routes of the application. Prevents the start if a route does not declare who may call it, with which permission. */
@Injectable()
export class DeclaredRoutes implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    for (const { controller, method, handler, isOperation } of this.all()) {
      if (!isOperation || operationOf(handler)?.needsNoCredential === true) continue;
      const kinds = Reflect.getMetadata(AUTHENTICATION_METADATA, handler) as readonly CredentialKind[] | undefined;
      if (kinds === undefined) {
        throw new Error(`${controller}.${method} does not say who may call it: add @Authenticated`);
      }
      if (kinds.includes('management_key') && !Reflect.hasMetadata(PERMISSION_METADATA, handler)) {
        throw new Error(
          `${controller}.${method} takes management keys and names no permission: add it to @Authenticated`,
        );
      }
    }
  }

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, object>;
      const isOperation = !isPublic(metatype);
      return this.scanner
        .getAllMethodNames(prototype)
        .map((method) => ({
          controller: metatype.name,
          controllerClass: metatype,
          method,
          handler: prototype[method]!,
          isOperation,
        }))
        .filter(({ handler }) => Reflect.hasMetadata(PATH_METADATA, handler));
    });
  }
}
