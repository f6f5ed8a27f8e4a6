import { FreeObjectField, IntegerField, ObjectField, ObjectListField, TextField } from '../validation/fields.js';
import { AdditionalProperties } from '../validation/dto-fields.js';

/** The field of an error that says why no model or provider could answer (docs/interface/inference.md#availability). */
export const AvailabilityField = (): PropertyDecorator =>
  FreeObjectField({
    description: 'If no model or provider could answer an inference request: why, in codes that programs can read.',
    example: {
      code: 'constraint_filtered',
      retryable: false,
      requested_models: ['acme/writer'],
      docs_url: '/docs#/Endpoints/listEndpoints',
      excluded_by: ['max_price'],
      constraint: { field: 'max_price', detail: 'the price is too high' },
    },
    optional: true,
  });

/** One issue of a request. */
export class ErrorIssue {
  @TextField({
    description: 'The path of the field as the caller wrote it; empty for the whole body.',
    example: 'limit_usd',
  })
  path: string;

  @TextField({ description: 'What is wrong with the field.', example: 'must be >= 0' })
  message: string;
}

/** What went wrong in particular. A reason may come with further fields, such as the limit that was exceeded. */
@AdditionalProperties()
export class ErrorMetadata {
  @TextField({ description: 'A stable snake_case code for the cause.', example: 'invalid_parameters' })
  reason: string;

  @ObjectListField(() => ErrorIssue, {
    description: 'For a 400: everything that is wrong with the request.',
    optional: true,
  })
  issues?: ErrorIssue[];
}

/** The failure itself. */
export class ErrorDetail {
  @IntegerField({ description: 'The HTTP status.', example: 400 })
  code: number;

  @TextField({ description: 'The message of the status.', example: 'Invalid request parameters' })
  message: string;

  @ObjectField(() => ErrorMetadata, { description: 'Details of the error.', optional: true, nullable: true })
  metadata?: ErrorMetadata | null;

  @AvailabilityField()
  availability?: object;
}

/** About the answer itself. */
@AdditionalProperties()
export class ServiceMetadata {
  @TextField({
    description: 'The id of the request, as in the X-Request-Id header.',
    example: '0199f2f0-6d5e-7a52-b3c1-2f6c1c8f0a11',
  })
  request_id: string;
}

/** What the body of a failure says beside the error, in every form. */
export class FailureContext {
  @ObjectField(() => ServiceMetadata, { description: 'Facts about the response.', optional: true, nullable: true })
  service_metadata?: ServiceMetadata | null;

  @TextField({
    description: 'The user of the credential, if the credential was valid.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    optional: true,
    nullable: true,
  })
  user_id?: string | null;
}

/** The body of every failure (docs/interface/errors.md#envelope). */
export class ErrorResponse extends FailureContext {
  @ObjectField(() => ErrorDetail, { description: 'The error.' })
  error: ErrorDetail;

  @FreeObjectField({
    description: 'How an inference request was routed, if it asked for that; as in answers.',
    example: null,
    optional: true,
    nullable: true,
  })
  router_metadata?: object | null;
}
