import { STATUS_CODES } from 'node:http';

/** The message of each status, word for word (SERVICE.md, section 7). */
export const ERROR_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters',
  401: 'Missing Authentication header',
  403: 'Only management keys can perform this operation',
  404: 'Resource not found',
  409: 'Resource conflict. Please try again later.',
  429: 'Rate limit exceeded',
  500: 'Internal Server Error',
};

/** The body of every failure (SERVICE.md, section 7). */
export interface ErrorEnvelope {
  readonly error: { readonly code: number; readonly message: string; readonly metadata?: Record<string, unknown> };
  readonly service_metadata: { readonly request_id: string };
  readonly user_id?: string;
}

/**
 * Makes the body of a failure.
 *
 * @param metadata what went wrong in particular; left out when there is nothing to say
 * @param userId the caller, when known
 */
export function errorEnvelope(
  status: number,
  requestId: string,
  metadata?: Record<string, unknown>,
  userId?: string | null,
): ErrorEnvelope {
  return {
    error: {
      code: status,
      message: ERROR_MESSAGES[status] ?? STATUS_CODES[status] ?? 'Unknown Error',
      ...(metadata && { metadata }),
    },
    service_metadata: { request_id: requestId },
    ...(userId && { user_id: userId }),
  };
}
