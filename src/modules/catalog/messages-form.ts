import type { IncomingMessage } from 'node:http';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { TakesApiKeyHeader } from '../../auth/authenticated.decorator.js';

/** What clients of the Messages form send with every request, and no others. */
const VERSION_HEADER = 'anthropic-version';

/** Lets clients of the Messages form read an operation of the catalog in their form (docs/interface/catalog.md#messages-form). */
export function HasMessagesForm(): MethodDecorator {
  return applyDecorators(
    TakesApiKeyHeader({ onlyWith: VERSION_HEADER }),
    ApiHeader({
      name: VERSION_HEADER,
      required: false,
      description: 'With any version the answer is in the Messages form, and the key may be sent in `X-Api-Key`.',
      schema: { type: 'string' },
      example: '2023-06-01',
    }),
  );
}

/** Whether a request asks for an answer in the Messages form. */
export function asksForMessagesForm({ headers }: IncomingMessage): boolean {
  return headers[VERSION_HEADER] !== undefined;
}
