import { ErrorDetail, ErrorResponse } from '../../../http/errors/error-response.dto.js';
import { ObjectField, TextField } from '../../../http/validation/fields.js';

/** The failure itself, with what clients of OpenAI's interface read. */
export class ChatErrorDetail extends ErrorDetail {
  @TextField({ description: "The kind of the failure in OpenAI's words.", example: 'invalid_request_error' })
  type: string;

  @TextField({ description: 'The field that is wrong, where it is one.', example: 'messages', nullable: true })
  param: string | null;
}

/** The body of a failure in the form of OpenAI's interface (docs/interface/inference.md#errors-of-openai). */
export class ChatErrorResponse extends ErrorResponse {
  @ObjectField(() => ChatErrorDetail, { description: 'The error.' })
  override error: ChatErrorDetail;
}
