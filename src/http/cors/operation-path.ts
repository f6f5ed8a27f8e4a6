import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

/** Where an operation is. */
export interface OperationPath {
  readonly operationId: string;
  readonly method: string;
  /** The paths that lead to it, without the prefix of all operations. */
  readonly pattern: RegExp;
}

/** Where the operation is that a method of a controller answers. */
export function operationPathOf(controller: object, handler: object, operationId: string): OperationPath {
  const path = [controller, handler]
    .map((part) => String(Reflect.getMetadata(PATH_METADATA, part)).replaceAll(/^\/|\/$/g, ''))
    .filter((part) => part !== '')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+'))
    .join('/');
  return {
    operationId,
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
    pattern: new RegExp(`^/${path}$`),
  };
}
