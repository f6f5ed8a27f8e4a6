import { CHAT } from '../../operations/chat/operation.js';
import { estimatedPrompt } from './estimated-tokens.js';

const BODY = { messages: [{ role: 'user', content: 'Hello, Jane' }] } as const;

describe('estimatedPrompt', () => {
  const decision = { inspected: BODY };
  const request = { bodyBytes: 1_000 };

  it('counts what is sent as text', () => {
    expect(estimatedPrompt({ operation: CHAT, request, decision })).toBe(3);
  });

  it('takes all bytes of a body in which nothing can be counted', () => {
    const operation = {
      ...CHAT,
      promptBytesOf: () => {
        throw new TypeError();
      },
    };
    expect(estimatedPrompt({ operation, request, decision })).toBe(250);
  });
});
