import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { DtoClass } from './dto-fields.js';

/** The classes of path, query and body of an operation. A source without a class allows no fields. */
export interface RequestSources {
  readonly path?: DtoClass;
  readonly query?: DtoClass;
  readonly body?: DtoClass;
}

const NAMES = new Map<string, keyof RequestSources>([
  [`${RouteParamtypes.PARAM}`, 'path'],
  [`${RouteParamtypes.QUERY}`, 'query'],
  [`${RouteParamtypes.BODY}`, 'body'],
]);

/**
 * Reads the classes that a controller method declares with `@Param()`, `@Query()` and `@Body()`.
 *
 * @param prototype the prototype of the controller
 */
export function requestSourcesOf(prototype: object, method: string): RequestSources {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method) ?? {}) as Readonly<
    Record<string, { readonly index: number }>
  >;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as readonly DtoClass[];
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, { index }]) => {
      // Compares the whole part before the colon, because that of a custom decorator is random and may begin with one of
      // these numbers.
      const name = NAMES.get(key.slice(0, key.indexOf(':')));
      return name === undefined ? [] : [[name, types[index]] as const];
    }),
  );
}
