import type { InputItem, ResponsesRequest as Requested } from '../../../../codecs/openai-responses/client-request.js';
import { InferenceBody } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { SchemaField } from '../../../../../http/validation/fields.js';
import { RequestRules, Rules } from '../../../../../http/validation/rules.js';
import { EmbeddedJsonRule } from '../rules/embedded-json-rule.js';
import { inputRules } from '../rules/input-rules.js';
import { RESPONSES_INPUT } from './responses-schemas.js';
import { ResponsesSettings } from './responses-settings.dto.js';

/** The body of a request of the Responses interface (docs/interface/responses.md). */
@InferenceBody()
@Rules(inputRules)
@RequestRules(EmbeddedJsonRule)
@SchemaExample({ model: 'gatehouse/echo', input: 'Write to jane.doe@example.com' })
export class ResponsesRequest extends ResponsesSettings implements Requested {
  @SchemaField(RESPONSES_INPUT, {
    description:
      'A text of the user, or the conversation as a list of items, oldest first: `message`, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `tool_search_call`, `tool_search_output`, `additional_tools` and `reasoning`. Others are read or left out as docs/interface/responses.md says.',
    example: 'Write to jane.doe@example.com',
  })
  input: string | readonly InputItem[];
}
