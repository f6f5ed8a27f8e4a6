import { withMessagesFields } from '../../../codecs/chat/messages-fields.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { isKeptForAnHour } from './cache-duration.js';

const marked = (ttl?: string): { cache_control: object } => ({
  cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) },
});

/** Where a mark can stand, also where only the Messages form has one. */
const PLACES: readonly [string, (mark: object) => object][] = [
  ['the request', (mark) => mark],
  ['the request, in the Messages form', (mark) => withMessagesFields({}, { ...mark })],
  ['a tool', (mark) => ({ tools: [{ type: 'function' }, { type: 'function', ...mark }] })],
  ['a tool, in the Messages form', (mark) => ({ tools: [withMessagesFields({ type: 'function' }, { ...mark })] })],
  ['a part', (mark) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x', ...mark }] }] })],
  [
    'a part, in the Messages form',
    (mark) => ({ messages: [{ role: 'user', content: [withMessagesFields({ type: 'text' }, { ...mark })] }] }),
  ],
  ['a result', (mark) => ({ messages: [withMessagesFields({ role: 'tool', content: 'x' }, { ...mark })] })],
  [
    'a call',
    (mark) => ({ messages: [{ role: 'assistant', content: null, tool_calls: [withMessagesFields({}, { ...mark })] }] }),
  ],
];

describe('Whether a request asks to be kept for an hour', () => {
  it.each(PLACES)('is said by a mark of %s', (_, withMark) => {
    const request = { messages: [{ role: 'user', content: 'x' }] };
    const [hour, minutes, usual] = [marked('1h'), marked('5m'), marked()].map((mark) => {
      return isKeptForAnHour({ ...request, ...withMark(mark) } as ClientChatRequest);
    });

    expect([hour, minutes, usual]).toEqual([true, false, false]);
  });

  it('is not said by a request without marks', () => {
    const request = { tools: null, messages: [{ role: 'assistant', content: null, tool_calls: null }] };

    expect(isKeptForAnHour(request as unknown as ClientChatRequest)).toBe(false);
  });
});
