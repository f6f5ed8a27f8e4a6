import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { CHAT_REQUEST_FORM } from '../../operations/chat/chat-request-form.js';
import { promptBytesOf } from './prompt-bytes.js';

describe('promptBytesOf', () => {
  it('counts what is sent as text', () => {
    const body = { messages: [{ role: 'user', content: 'Hello' }] } satisfies ClientChatRequest;
    expect(promptBytesOf(CHAT_REQUEST_FORM, body, 1_000)()).toBe(5);
  });

  it('takes all bytes of a body in which nothing can be counted', () => {
    const form = {
      promptBytesOf: () => {
        throw new TypeError();
      },
    };
    expect(promptBytesOf(form, {}, 1_000)()).toBe(1_000);
  });
});
