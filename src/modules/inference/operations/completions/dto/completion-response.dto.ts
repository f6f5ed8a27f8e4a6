import {
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectListField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { FINISH_REASONS, type FinishReason } from '../../../../codecs/chat/chat-completion.js';
import { ChoicesResponse } from '../../chat/dto/chat-completion-response.dto.js';
import { COMPLETION_LOGPROBS } from './completion-schemas.js';

/** A choice of a completion. */
export class CompletionChoice {
  @TextField({
    description: 'The text of the model, after the prompt if `echo` is set.',
    example: 'Write to [EMAIL]',
  })
  text: string;

  @IntegerField({ description: 'From 0.', example: 0 })
  index: number;

  @FreeObjectField({
    description: 'The probabilities of tokens: `tokens`, `token_logprobs`, `top_logprobs` and `text_offset`.',
    nullable: true,
    example: null,
    form: COMPLETION_LOGPROBS,
  })
  logprobs: object | null;

  @EnumField(FINISH_REASONS, { description: 'Why the answer ended.', nullable: true, example: 'stop' })
  finish_reason: FinishReason | null;

  @TextField({ description: "The provider's own word for the finish reason.", nullable: true, example: 'stop' })
  native_finish_reason: string | null;
}

/** A completion of a prompt, in the legacy form (docs/interface/completions.md#answers). */
export class CompletionResponse extends ChoicesResponse {
  @EnumField(['text_completion'], { description: 'The type of the object.' })
  object: 'text_completion';

  @TextField({
    description: "The provider's identifier of its system, if it has one.",
    optional: true,
    example: 'fp_1',
  })
  system_fingerprint?: string;

  @ObjectListField(() => CompletionChoice, { description: 'The answers; usually one.' })
  choices: readonly CompletionChoice[];
}
