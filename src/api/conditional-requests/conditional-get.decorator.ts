import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader, ApiNotModifiedResponse } from '@nestjs/swagger';

const CONDITIONAL_GET_METADATA = 'gatehouse:conditional-get';

/**
 * Adds an `ETag` to the response of a reading operation, and returns 304 when `If-None-Match` has the ETag of the current
 * response (RFC 9110, sections 8.8.3 and 13.1.2). Each request is authenticated and authorized as usual.
 */
export function ConditionalGet(): MethodDecorator {
  return applyDecorators(
    SetMetadata(CONDITIONAL_GET_METADATA, true),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of an earlier response. If the response is unchanged, the status is 304.',
      schema: { type: 'string' },
      example: '"cgA3tkXNpRSMAjVqUUZfPV3qwtI"',
    }),
    ApiNotModifiedResponse({ description: 'Not modified' }),
  );
}

/** Whether a controller method is decorated with {@link ConditionalGet}. */
export function isConditionalGet(handler: object): boolean {
  return Reflect.hasOwnMetadata(CONDITIONAL_GET_METADATA, handler);
}
