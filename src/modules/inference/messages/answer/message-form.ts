import type { ChatCompletion } from '../../../providers/chat-completion.js';
import type { AnswerForm, AnswerOrigin, StreamedForm } from '../../answer/answer-form.js';
import type { AnswerUsage } from '../../answer/usage.js';
import { answerBlocks } from './answer-blocks.js';
import { messageHead } from './message-head.js';
import { chargedMessageUsage } from './message-usage.js';
import { messagesRateHeaders } from './rate-headers.js';
import { stopFields } from './stop-fields.js';
import { StreamedMessage } from './streamed-message.js';

/** The form of `POST /messages` (docs/interface/messages.md#answers). */
export const MESSAGE_FORM: AnswerForm = {
  keepAlive: { event: 'ping', data: { type: 'ping' } },

  rateHeaders: messagesRateHeaders,

  whole(origin: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object {
    const { choices, serviceTier } = completion;
    const [choice] = choices;
    return {
      ...messageHead(origin, chargedMessageUsage(usage, serviceTier)),
      content: choice === undefined ? [] : answerBlocks(choice),
      ...stopFields(choice),
      ...origin.routing(),
    };
  },

  stream(origin: AnswerOrigin): StreamedForm {
    return new StreamedMessage(origin);
  },
};
