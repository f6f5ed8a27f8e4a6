import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { NOT_AN_OPERATION_METADATA } from '../http/not-an-operation.decorator.js';
import { AUTHENTICATION_METADATA } from './authenticated.decorator.js';

/** A method that answers HTTP requests. */
export interface Route {
  readonly controller: string;
  readonly controllerClass: object;
  readonly method: string;
  readonly handler: object;
  /** Whether it belongs to the management interface. */
  readonly isOperation: boolean;
}

/** Every route of the application. Refuses to start when one does not say who may call it: denied by default. */
@Injectable()
export class DeclaredRoutes implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    for (const { controller, method, handler, isOperation } of this.all()) {
      if (isOperation && !Reflect.hasMetadata(AUTHENTICATION_METADATA, handler)) {
        throw new Error(`${controller}.${method} does not say who may call it: add @Authenticated`);
      }
    }
  }

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, object>;
      const isOperation = Reflect.getMetadata(NOT_AN_OPERATION_METADATA, metatype) !== true;
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
