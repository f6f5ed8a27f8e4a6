import { TextField } from '../../../../../http/validation/fields.js';
import { ChatErrorResponse } from '../../../dto/chat-error.dto.js';

/** The body of a failure in the Responses form (docs/interface/responses.md#errors). */
export class ResponsesErrorResponse extends ChatErrorResponse {
  @TextField({
    description: 'The kind of the failure, as in `error.metadata` of inference.',
    example: 'invalid_request',
  })
  error_type: string;
}
