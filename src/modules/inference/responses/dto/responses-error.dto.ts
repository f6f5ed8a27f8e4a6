import { TextField } from '../../../../api/validation/fields.js';
import { ErrorResponse } from '../../../../api/errors/error-response.dto.js';

/** The body of a failure in the Responses form (docs/interface/responses.md#errors). */
export class ResponsesErrorResponse extends ErrorResponse {
  @TextField({
    description: 'The kind of the failure, as in `error.metadata` of inference.',
    example: 'invalid_request',
  })
  error_type: string;
}
