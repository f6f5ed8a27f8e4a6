import {
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../../api/validation/fields.js';
import { FINISH_REASONS, type FinishReason } from '../../../providers/chat-completion.js';
import { ChatCompletionUsage } from '../../dto/chat-completion-response.dto.js';
import { RouterMetadata } from '../../dto/router-metadata.dto.js';

/** A choice of a completion. */
export class CompletionChoice {
  @TextField({
    description: 'What the model says, behind the prompt where `echo` is set.',
    example: 'Write to [EMAIL]',
  })
  text: string;

  @IntegerField({ description: 'From 0.', example: 0 })
  index: number;

  @FreeObjectField({
    description: 'The probabilities of tokens: `tokens`, `token_logprobs`, `top_logprobs` and `text_offset`.',
    nullable: true,
    example: null,
  })
  logprobs: object | null;

  @EnumField(FINISH_REASONS, { description: 'Why the answer ended.', nullable: true, example: 'stop' })
  finish_reason: FinishReason | null;

  @TextField({ description: "The provider's own word for it.", nullable: true, example: 'stop' })
  native_finish_reason: string | null;
}

/** A completion of a prompt, in the legacy form (docs/interface/completions.md#answers). */
export class CompletionResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @EnumField(['text_completion'], { description: 'The kind of the object.' })
  object: 'text_completion';

  @IntegerField({ description: 'Unix time in seconds.', example: 1795219200 })
  created: number;

  @TextField({ description: 'The model that answered.', example: 'gatehouse/echo' })
  model: string;

  @TextField({ description: 'The provider that answered.', example: 'Gatehouse' })
  provider: string;

  @TextField({ description: "The provider's mark of its system.", nullable: true, example: null })
  system_fingerprint: string | null;

  @TextField({ example: null, description: 'The tier of service that answered.', nullable: true, optional: true })
  service_tier?: string | null;

  @ObjectListField(() => CompletionChoice, { description: 'Usually one.' })
  choices: readonly CompletionChoice[];

  @ObjectField(() => ChatCompletionUsage, { description: 'What was used, and what it cost.' })
  usage: ChatCompletionUsage;

  @ObjectField(() => RouterMetadata, {
    description: 'How the request was routed, where its header asked for that.',
    optional: true,
  })
  router_metadata?: RouterMetadata;
}
