import type { ChatCompletion } from '../../../providers/chat-completion.js';
import type { AnswerCharge, AnswerForm, AnswerOrigin, StreamedForm } from '../../answer/answer-form.js';
import { excludesReasoning, withoutReasoning } from '../../answer/shown-reasoning.js';
import { answerBlocks } from './answer-blocks.js';
import { messageHead } from './message-head.js';
import { chargedMessageUsage } from './message-usage.js';
import { stopFields } from './stop-fields.js';
import { StreamedMessage } from './streamed-message.js';

/** The form of `POST /messages` (docs/interface/messages.md#answers). */
export const MESSAGE_FORM: AnswerForm = {
  keepAlive: { event: 'ping', data: { type: 'ping' } },

  whole(origin: AnswerOrigin, completion: ChatCompletion, { usage, routing }: AnswerCharge): object {
    const { choices, serviceTier } = completion;
    const [choice] = excludesReasoning(origin.body) ? withoutReasoning(choices) : choices;
    return {
      ...messageHead(origin, chargedMessageUsage(usage, serviceTier)),
      content: choice === undefined ? [] : answerBlocks(choice.message),
      ...stopFields(choice),
      ...routing,
    };
  },

  stream(origin: AnswerOrigin): StreamedForm {
    return new StreamedMessage(origin);
  },
};
