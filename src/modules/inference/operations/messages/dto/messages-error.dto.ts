import { IntegerField, ObjectField, TextField } from '../../../../../http/validation/fields.js';
import { AdditionalProperties } from '../../../../../http/validation/dto-fields.js';
import { AvailabilityField, ErrorMetadata, FailureContext } from '../../../../../http/errors/error-response.dto.js';

/** The failure itself, in the words of the Messages form. */
export class MessagesErrorDetail {
  @TextField({
    description: 'The kind of the failure, as clients of the form know it.',
    example: 'invalid_request_error',
  })
  type: string;

  @TextField({ description: 'What went wrong.', example: 'Invalid request parameters' })
  message: string;

  @TextField({ description: 'The kind of the failure, as in all operations of inference.', example: 'invalid_request' })
  error_type: string;

  @IntegerField({ description: 'The HTTP status.', example: 400 })
  code: number;

  @ObjectField(() => ErrorMetadata, { description: 'Details of the error.', optional: true, nullable: true })
  metadata?: ErrorMetadata | null;

  @AvailabilityField()
  availability?: object;
}

/** The body of a failure in the Messages form (docs/interface/messages.md#errors). */
@AdditionalProperties()
export class MessagesErrorResponse extends FailureContext {
  @TextField({ description: 'Always `error`.', example: 'error' })
  type: string;

  @ObjectField(() => MessagesErrorDetail, { description: 'The error.' })
  error: MessagesErrorDetail;

  @TextField({
    description: 'The id of the generation, once there is one.',
    example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT',
    nullable: true,
  })
  request_id: string | null;
}
