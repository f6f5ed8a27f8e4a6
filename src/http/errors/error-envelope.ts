import { STATUS_CODES } from 'node:http';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters',
  401: 'Missing Authentication header',
  403: 'Only management keys can perform this operation',
  404: 'Resource not found',
  409: 'Resource conflict. Please try again later.',
  429: 'Rate limit exceeded',
  500: 'Internal Server Error',
};

/** The message of a status, which clients rely on; otherwise the standard reason phrase (docs/interface/errors.md#messages). */
export function errorMessageOf(status: number): string {
  return MESSAGES[status] ?? STATUS_CODES[status] ?? 'Unknown Error';
}

/** The body of every failure (docs/interface/errors.md#envelope). */
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
 * @param message that of the status, unless the error has one of its own
 */
export function errorEnvelope(
  status: number,
  requestId: string,
  metadata?: Record<string, unknown>,
  userId?: string | null,
  message = errorMessageOf(status),
): ErrorEnvelope {
  return {
    error: {
      code: status,
      message,
      ...(metadata && { metadata }),
    },
    service_metadata: { request_id: requestId },
    ...(userId && { user_id: userId }),
  };
}
