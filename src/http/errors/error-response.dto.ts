import { IntegerField, ObjectField, ObjectListField, SchemaField, TextField } from '../schema/fields.js';

/** One fault of a request. */
export class ErrorIssue {
  @TextField({
    description: 'The field at fault, as the caller wrote it; empty for the whole body.',
    example: 'limit_usd',
  })
  path: string;

  @TextField({ description: 'What is wrong there.', example: 'must be >= 0' })
  message: string;
}

/** What went wrong in particular. */
export class ErrorMetadata {
  @TextField({ description: 'A stable code of the case, in snake_case.', example: 'invalid_parameters' })
  reason: string;

  @ObjectListField(() => ErrorIssue, { description: 'For a 400: every fault of the request.', optional: true })
  issues?: ErrorIssue[];
}

/** The failure itself. */
export class ErrorDetail {
  @IntegerField({ description: 'The HTTP status.', example: 400 })
  code: number;

  @TextField({ description: 'The message of that status.', example: 'Invalid request parameters' })
  message: string;

  @ObjectField(() => ErrorMetadata, { description: 'What went wrong in particular.', optional: true, nullable: true })
  metadata?: ErrorMetadata | null;
}

/** The body of every failure (SERVICE.md, section 7). */
export class ErrorResponse {
  @ObjectField(() => ErrorDetail, { description: 'The failure.' })
  error: ErrorDetail;

  @SchemaField(() => ({ type: ['object', 'null'], properties: { request_id: { type: 'string' } } }), {
    description: 'About the answer itself: the id of the request, as in X-Request-Id.',
    example: { request_id: '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11' },
    optional: true,
  })
  service_metadata?: Record<string, unknown> | null;

  @TextField({ description: 'The user behind the credential, when known.', optional: true, nullable: true })
  user_id?: string | null;
}
