import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiNotModifiedResponse } from '@nestjs/swagger';
import { RevalidationInterceptor } from './revalidation.interceptor.js';

/**
 * Lets callers keep what an operation that only reads has answered: it comes with an `ETag`, and whoever sends that back in
 * `If-None-Match` is told 304 for as long as the answer is the same (RFC 9110, sections 8.8.3 and 13.1.2). Who may see it is
 * checked each time.
 */
export function Revalidated(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(RevalidationInterceptor),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of an answer that the caller has: where it is still the same, the answer is a 304.',
      schema: { type: 'string' },
      example: '"cgA3tkXNpRSMAjVqUUZfPV3qwtI"',
    }),
    ApiNotModifiedResponse({ description: 'The caller has the answer already' }),
  );
}
