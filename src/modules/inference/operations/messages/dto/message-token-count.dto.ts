import { IntegerField } from '../../../../../http/validation/fields.js';

/** How many tokens a message has, as far as the gateway can tell (docs/interface/messages.md#counting-tokens). */
export class MessageTokenCount {
  @IntegerField({ description: 'About how many tokens the input has, with its tools.', example: 8 })
  input_tokens: number;
}
