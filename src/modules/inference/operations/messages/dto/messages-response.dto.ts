import { AdditionalProperties } from '../../../../../http/validation/dto-fields.js';
import {
  EnumField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  ObjectField,
  TextField,
} from '../../../../../http/validation/fields.js';
import {
  ANSWERED_BLOCK,
  CACHE_CREATION,
  OUTPUT_TOKENS_DETAILS,
  SERVER_TOOL_USE,
  STOP_DETAILS,
} from './messages-schemas.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';

/** How many tokens a message has, as far as the gateway can tell (docs/interface/messages.md#counting-tokens). */
export class MessageTokenCount {
  @IntegerField({ description: 'About how many tokens the input has, with its tools.', example: 8 })
  input_tokens: number;
}

const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'model_context_window_exceeded',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
] as const;

/** What was used, and what it cost. */
export class MessagesUsage extends ChargedUsage {
  @IntegerField({
    description: 'Tokens of the prompt that were neither read from a cache nor written to it.',
    example: 5,
  })
  input_tokens: number;

  @IntegerField({ description: 'Tokens of the answer, as the provider counted.', example: 4 })
  output_tokens: number;

  @IntegerField({ description: 'Tokens of the prompt that were read from the cache.', example: 0 })
  cache_read_input_tokens: number;

  @IntegerField({ description: 'Tokens of the prompt that were written to the cache.', example: 0 })
  cache_creation_input_tokens: number;

  @FreeObjectField({
    description:
      'Tokens written to the cache, by how long it keeps them: `ephemeral_5m_input_tokens` and `ephemeral_1h_input_tokens`. Null where the provider does not say.',
    nullable: true,
    example: null,
    form: CACHE_CREATION,
  })
  cache_creation: object | null;

  @FreeObjectField({
    description: 'The output tokens by kind: `thinking_tokens`.',
    nullable: true,
    example: { thinking_tokens: 0 },
    form: OUTPUT_TOKENS_DETAILS,
  })
  output_tokens_details: object | null;

  @FreeObjectField({
    description: 'Tools that the provider ran: none.',
    nullable: true,
    example: null,
    form: SERVER_TOOL_USE,
  })
  server_tool_use: object | null;

  @TextField({ description: 'Where the provider answered, if it says so.', nullable: true, example: null })
  inference_geo: string | null;

  @EnumField(['standard', 'priority', 'batch'], {
    description: 'The tier of service that answered, where the form has a word for it.',
    nullable: true,
    example: 'standard',
  })
  service_tier: 'standard' | 'priority' | 'batch' | null;

  @EnumField(['standard', 'fast'], {
    description: 'How fast the provider answered, where it says so.',
    nullable: true,
    example: null,
  })
  speed: 'standard' | 'fast' | null;
}

/** The answer of a model (docs/interface/messages.md#answers). */
@AdditionalProperties()
export class MessagesResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @EnumField(['message'], { description: 'The type of the object.' })
  type: 'message';

  @EnumField(['assistant'], { description: 'The role of the author: always `assistant`.' })
  role: 'assistant';

  @TextField({ description: 'The model that answered.', example: 'gatehouse/echo' })
  model: string;

  @TextField({ description: 'The provider that answered.', example: 'Gatehouse' })
  provider: string;

  @FreeObjectListField({
    description: 'The answer of the model, in blocks: `thinking`, `redacted_thinking`, `text`, `tool_use`.',
    example: [{ type: 'text', text: 'Write to [EMAIL]', citations: [] }],
    form: ANSWERED_BLOCK,
  })
  content: readonly object[];

  @FreeObjectField({ description: 'Always null: providers keep nothing.', nullable: true, example: null })
  container: object | null;

  @FreeObjectField({ description: 'Always null: nothing is diagnosed.', nullable: true, example: null })
  diagnostics: object | null;

  @EnumField(STOP_REASONS, { description: 'Why the answer ended.', nullable: true, example: 'end_turn' })
  stop_reason: (typeof STOP_REASONS)[number] | null;

  @TextField({ description: 'The text at which it ended, where the provider says so.', nullable: true, example: null })
  stop_sequence: string | null;

  @FreeObjectField({
    description: 'Of a refusal its `category` and its `explanation`, where the provider says them.',
    nullable: true,
    example: null,
    form: STOP_DETAILS,
  })
  stop_details: object | null;

  @ObjectField(() => MessagesUsage, { description: 'What was used, and what it cost.' })
  usage: MessagesUsage;
}
