import {
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { FINISH_REASONS, type FinishReason } from '../../../../codecs/chat/chat-completion.js';
import { ANSWERED_MESSAGE, LOGPROBS } from './chat-schemas.js';
import { COMPLETION_TOKENS_DETAILS, PROMPT_TOKENS_DETAILS } from '../../../dto/shared-schemas.js';
import { RouterMetadata } from '../../../dto/router-metadata.dto.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';

/** A choice of an answer. */
export class ChatCompletionChoice {
  @IntegerField({ description: 'From 0.', example: 0 })
  index: number;

  @FreeObjectField({
    description: 'The message of the model: `role`, `content`, `reasoning`, `tool_calls`, ...',
    example: { role: 'assistant', content: 'Write to [EMAIL]', refusal: null },
    form: ANSWERED_MESSAGE,
  })
  message: Readonly<Record<string, unknown>>;

  @EnumField(FINISH_REASONS, { description: 'Why the answer ended.', nullable: true, example: 'stop' })
  finish_reason: FinishReason | null;

  @TextField({ description: "The provider's own word for the finish reason.", nullable: true, example: 'stop' })
  native_finish_reason: string | null;

  @FreeObjectField({ example: null, description: 'The probabilities of tokens.', nullable: true, form: LOGPROBS })
  logprobs: object | null;

  @FreeObjectField({
    example: { code: 502, message: 'The provider reported an error.' },
    description: 'Why the choice ended with `error` after it had begun.',
    optional: true,
  })
  error?: object;
}

/** What was used, and what it cost. */
export class ChatCompletionUsage extends ChargedUsage {
  @IntegerField({ description: 'Tokens of the prompt, as the provider counted.', example: 5 })
  prompt_tokens: number;

  @IntegerField({ description: 'Tokens of the answer, as the provider counted.', example: 4 })
  completion_tokens: number;

  @IntegerField({ description: 'Tokens of prompt and answer together.', example: 9 })
  total_tokens: number;

  @FreeObjectField({
    example: { cached_tokens: 0 },
    description: 'The prompt tokens by kind: read from the cache, written to the cache, audio.',
    form: PROMPT_TOKENS_DETAILS,
    nullable: true,
    optional: true,
  })
  prompt_tokens_details?: object | null;

  @FreeObjectField({
    example: { reasoning_tokens: 0 },
    description: 'The completion tokens by kind: reasoning, audio, images.',
    form: COMPLETION_TOKENS_DETAILS,
    nullable: true,
    optional: true,
  })
  completion_tokens_details?: object | null;
}

/** What answers of models have in every form that names its choices (docs/interface/inference.md). */
export abstract class ChoicesResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @IntegerField({ description: 'Unix time in seconds.', example: 1795219200 })
  created: number;

  @TextField({ description: 'The model that answered.', example: 'gatehouse/echo' })
  model: string;

  @TextField({ description: 'The provider that answered.', example: 'Gatehouse' })
  provider: string;

  @TextField({ example: null, description: 'The tier of service that answered.', nullable: true, optional: true })
  service_tier?: string | null;

  @ObjectField(() => ChatCompletionUsage, { description: 'What was used, and what it cost.' })
  usage: ChatCompletionUsage;

  @ObjectField(() => RouterMetadata, {
    description: 'How the request was routed, if its header asked for that.',
    optional: true,
  })
  router_metadata?: RouterMetadata;
}

/** The answer of a model. */
export class ChatCompletionResponse extends ChoicesResponse {
  @EnumField(['chat.completion'], { description: 'The type of the object.' })
  object: 'chat.completion';

  @TextField({ description: "The provider's identifier of its system; empty where it has none.", example: '' })
  system_fingerprint: string;

  @ObjectListField(() => ChatCompletionChoice, { description: 'The answers; usually one.' })
  choices: readonly ChatCompletionChoice[];
}
