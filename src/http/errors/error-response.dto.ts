import { IntegerField, ObjectField, ObjectListField, TextField } from '../schema/fields.js';
import { OpenToFurtherFields } from '../schema/schema-registry.js';

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

/** What went wrong in particular. A reason may come with further fields, such as the limit that was exceeded. */
@OpenToFurtherFields()
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

/** About the answer itself. */
@OpenToFurtherFields()
export class ServiceMetadata {
  @TextField({
    description: 'The id of the request, as in X-Request-Id.',
    example: '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11',
  })
  request_id: string;
}

/** The body of every failure (SERVICE.md, section 7). */
export class ErrorResponse {
  @ObjectField(() => ErrorDetail, { description: 'The failure.' })
  error: ErrorDetail;

  @ObjectField(() => ServiceMetadata, { description: 'About the answer itself.', optional: true, nullable: true })
  service_metadata?: ServiceMetadata | null;

  @TextField({
    description: 'The user behind the credential, when known.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    optional: true,
    nullable: true,
  })
  user_id?: string | null;
}
