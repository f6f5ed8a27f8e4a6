import {
  BooleanField,
  EnumField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
} from '../../../../../http/validation/fields.js';
import {
  ANSWERED_REASONING,
  ANSWERED_TEXT,
  FAILURE,
  INCOMPLETE_DETAILS,
  OUTPUT_ITEM,
  RESPONSES_TOOL,
  RESPONSES_TOOL_CHOICE,
} from './responses-schemas.js';
import { RouterMetadata } from '../../../dto/router-metadata.dto.js';
import { ChatErrorResponse } from '../../../dto/chat-error.dto.js';

/** The body of a failure in the Responses form (docs/interface/responses.md#errors). */
export class ResponsesErrorResponse extends ChatErrorResponse {
  @TextField({
    description: 'The kind of the failure, as in `error.metadata` of inference.',
    example: 'invalid_request',
  })
  error_type: string;
}

/** Of the tokens of a prompt. */
export class ResponsesInputTokens {
  @IntegerField({ description: 'Tokens that were read from a cache.', example: 0 })
  cached_tokens: number;

  @IntegerField({ description: 'Tokens that were written to a cache.', example: 0, nullable: true, optional: true })
  cache_write_tokens?: number | null;
}

/** Of the tokens of an answer. */
export class ResponsesOutputTokens {
  @IntegerField({ description: 'Tokens of reasoning.', example: 0 })
  reasoning_tokens: number;
}

/** The parts of the cost of an answer. */
export class ResponsesCostDetails {
  @NumberField({
    description: "US dollars that the provider charges the organization's own key.",
    nullable: true,
    example: null,
  })
  upstream_inference_cost: number | null;

  @NumberField({ description: 'US dollars of the input.', example: 0.000005 })
  upstream_inference_input_cost: number;

  @NumberField({ description: 'US dollars of the output.', example: 0.000008 })
  upstream_inference_output_cost: number;
}

/** What was used, and what it cost. */
export class ResponsesUsage {
  @IntegerField({ description: 'Tokens of the input, as the provider counted.', example: 5 })
  input_tokens: number;

  @ObjectField(() => ResponsesInputTokens, { description: 'The input tokens by kind.' })
  input_tokens_details: ResponsesInputTokens;

  @IntegerField({ description: 'Tokens of the output, as the provider counted.', example: 4 })
  output_tokens: number;

  @ObjectField(() => ResponsesOutputTokens, { description: 'The output tokens by kind.' })
  output_tokens_details: ResponsesOutputTokens;

  @IntegerField({ description: 'Tokens of prompt and answer together.', example: 9 })
  total_tokens: number;

  @NumberField({ description: 'US dollars that are charged.', example: 0.000013 })
  cost: number;

  @BooleanField({ description: 'Whether a provider key of the organization was used.', example: false })
  is_byok: boolean;

  @ObjectField(() => ResponsesCostDetails, { description: 'The parts of the cost.' })
  cost_details: ResponsesCostDetails;
}

/** The answer of a model in the form of the Responses interface (docs/interface/responses.md#answers). */
export class ResponsesResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @EnumField(['response'], { description: 'The type of the object.' })
  object: 'response';

  @IntegerField({ description: 'Unix time in seconds.', example: 1795219200 })
  created_at: number;

  @IntegerField({
    description: 'Unix time in seconds. Null for an answer that was cut or has failed.',
    nullable: true,
    example: 1795219201,
  })
  completed_at: number | null;

  @TextField({ description: 'The model that answered.', example: 'gatehouse/echo' })
  model: string;

  @EnumField(['completed', 'incomplete', 'in_progress', 'failed'], { description: 'How the answer ended.' })
  status: 'completed' | 'incomplete' | 'in_progress' | 'failed';

  @FreeObjectListField({
    description:
      '`message`, `reasoning`, `function_call`, `custom_tool_call`, `tool_search_call` and `image_generation_call`, in their order.',
    example: [
      {
        id: 'msg_1795219200-Ab3dE5gH7jK9mN1pQ3sT_0',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Write to [EMAIL]', annotations: [], logprobs: [] }],
      },
    ],
    form: OUTPUT_ITEM,
  })
  output: readonly Readonly<Record<string, unknown>>[];

  @FreeObjectField({
    description: 'Why the answer has failed: `code` and `message`.',
    nullable: true,
    example: null,
    form: FAILURE,
  })
  error: object | null;

  @TextField({
    description: 'The stable word for the kind of an error.',
    optional: true,
    example: 'provider_unavailable',
  })
  error_type?: string;

  @FreeObjectField({
    description: 'Why the answer was cut: `reason` is `max_output_tokens` or `content_filter`.',
    nullable: true,
    example: null,
    form: INCOMPLETE_DETAILS,
  })
  incomplete_details: object | null;

  @TextField({ description: 'The instructions of the request.', nullable: true, example: null })
  instructions: string | null;

  @FreeObjectField({ description: 'The metadata of the request.', nullable: true, example: null })
  metadata: object | null;

  @NumberField({ description: 'The value in force.', example: 1 })
  temperature: number;

  @NumberField({ description: 'The value in force.', example: 1 })
  top_p: number;

  @IntegerField({ description: 'The value in force.', example: 0 })
  top_logprobs: number;

  @NumberField({ description: 'The value in force.', example: 0 })
  presence_penalty: number;

  @NumberField({ description: 'The value in force.', example: 0 })
  frequency_penalty: number;

  @IntegerField({ description: 'The value that the request was answered with.', nullable: true, example: null })
  max_output_tokens: number | null;

  @IntegerField({ description: 'The value that the request was answered with.', nullable: true, example: null })
  max_tool_calls: number | null;

  @FreeObjectListField({ description: 'The functions that the model could call.', example: [], form: RESPONSES_TOOL })
  tools: readonly object[];

  @SchemaField(
    { anyOf: [RESPONSES_TOOL_CHOICE] },
    { description: 'The value that the request was answered with.', example: 'auto' },
  )
  tool_choice: string | object;

  @BooleanField({ description: 'The value that the request was answered with.', example: true })
  parallel_tool_calls: boolean;

  @FreeObjectField({
    description: 'The value that the request was answered with.',
    example: { format: { type: 'text' }, verbosity: 'medium' },
    form: ANSWERED_TEXT,
  })
  text: object;

  @FreeObjectField({
    description: 'The value that the request was answered with.',
    example: { effort: null, summary: null },
    form: ANSWERED_REASONING,
  })
  reasoning: object;

  @EnumField(['auto', 'disabled'], { description: 'The value that the request was answered with.' })
  truncation: 'auto' | 'disabled';

  @TextField({
    description: 'The tier of service that answered; the one that was asked for where the provider does not say.',
    example: 'default',
  })
  service_tier: string;

  @TextField({ description: 'The value that the request was answered with.', nullable: true, example: null })
  prompt_cache_key: string | null;

  @TextField({ description: 'The value that the request was answered with.', nullable: true, example: null })
  safety_identifier: string | null;

  @TextField({ description: 'That of the request, if it has one.', optional: true, example: 'user-1' })
  user?: string;

  @BooleanField({ description: 'Always false: no answer is stored.', example: false })
  store: boolean;

  @BooleanField({ description: 'Always false.', example: false })
  background: boolean;

  @SchemaField({ type: 'null' }, { description: 'Always null.', example: null })
  previous_response_id: null;

  @ObjectField(() => ResponsesUsage, {
    description: 'What was used, and what it cost. Null until it is known.',
    nullable: true,
  })
  usage: ResponsesUsage | null;

  @ObjectField(() => RouterMetadata, {
    description: 'How the request was routed, if its header asked for that.',
    optional: true,
  })
  router_metadata?: RouterMetadata;
}
