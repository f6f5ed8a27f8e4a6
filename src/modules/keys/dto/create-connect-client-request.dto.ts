import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/input/rules.js';
import { TextField, TextListField } from '../../../http/schema/fields.js';
import { MAXIMUM_CALLBACK_URL_LENGTH } from '../callback-url.js';
import { acceptableCallbackUrls, boundedCallbackUrls } from '../connect-client-rules.js';

/** The body of createConnectClient. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(acceptableCallbackUrls, boundedCallbackUrls)
export class CreateConnectClientRequest {
  @TextField({ description: 'The name.', example: 'My application', minLength: 1, maxLength: 200 })
  name: string;

  @TextListField({
    description: 'Where users are sent back to with a code: https, or http on a loopback host. Each once.',
    example: ['https://app.example.com/callback'],
    minItems: 1,
    maxItems: 50,
    items: { format: 'uri', maxLength: MAXIMUM_CALLBACK_URL_LENGTH },
  })
  callback_urls: string[];
}
