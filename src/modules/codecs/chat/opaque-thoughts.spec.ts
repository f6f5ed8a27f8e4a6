import type { ChatMessage } from './chat-completion.js';
import { messagesFieldsOf, withMessagesFields } from './messages-fields.js';
import { withOpaqueThoughts } from './opaque-thoughts.js';

const SIGNED = { type: 'reasoning.text', index: 0, text: 'I think.', signature: 'signature' };
const ENCRYPTED = { type: 'reasoning.encrypted', index: 1, data: 'data' };
const CALL = { id: 'call_1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } };
const signed = (thought_signature: string): object => ({ extra_content: { google: { thought_signature, kept: 1 } } });

const MESSAGE: ChatMessage = {
  role: 'assistant',
  content: 'Hi',
  reasoning: 'I think.',
  reasoning_details: [SIGNED, ENCRYPTED],
  tool_calls: [{ ...CALL, ...signed('of call') }, CALL],
  ...signed('of text'),
};

describe('withOpaqueThoughts', () => {
  it('changes every text that only a provider can read, and nothing else', () => {
    expect(withOpaqueThoughts(MESSAGE, (text) => `${text}!`)).toEqual({
      ...MESSAGE,
      reasoning_details: [
        { ...SIGNED, signature: 'signature!' },
        { ...ENCRYPTED, data: 'data!' },
      ],
      tool_calls: [{ ...CALL, ...signed('of call!') }, CALL],
      ...signed('of text!'),
    });
  });

  it('says where each of them stands', () => {
    const places: string[] = [];
    withOpaqueThoughts(MESSAGE, (text, place) => {
      places.push(place);
      return text;
    });

    expect(places).toEqual([
      'messages.*.reasoning_details',
      'messages.*.reasoning_details',
      'messages.*.tool_calls.*.extra_content',
      'messages.*.extra_content',
    ]);
  });

  it('leaves out what nothing takes the place of, and keeps what can be read', () => {
    const { signature: _signature, ...readable } = SIGNED;

    expect(withOpaqueThoughts(MESSAGE, () => undefined)).toEqual({
      ...MESSAGE,
      reasoning_details: [readable],
      tool_calls: [{ ...CALL, extra_content: { google: { kept: 1 } } }, CALL],
      extra_content: { google: { kept: 1 } },
    });
  });

  it('leaves no empty field behind a signature', () => {
    const extra = { google: { thought_signature: 'x' } };
    const message: ChatMessage = { role: 'assistant', content: 'Hi', extra_content: extra };

    expect(withOpaqueThoughts(message, () => undefined)).toEqual({ role: 'assistant', content: 'Hi' });
  });

  it('keeps the order of the blocks that are left', () => {
    const order = ['thought', 'part', 'thought', 'call', 'call'];
    const placed = withMessagesFields<ChatMessage>(MESSAGE, { block_order: order, is_error: false });
    const { block_order: left, is_error: kept } = messagesFieldsOf(withOpaqueThoughts(placed, () => undefined));

    expect({ left, kept }).toEqual({ left: ['thought', 'part', 'call', 'call'], kept: false });
  });

  it.each<[string, ChatMessage]>([
    ['has none', { role: 'assistant', content: 'Hi', tool_calls: [CALL], reasoning: 'I think.' }],
    ['has empty ones', { role: 'assistant', content: '', reasoning_details: [{ ...SIGNED, signature: '' }] }],
    ['has no details', { role: 'assistant', content: '', reasoning_details: null, tool_calls: null }],
  ])('gives back a message that %s', (_, message) => {
    expect(withOpaqueThoughts(message, () => undefined)).toBe(message);
  });
});
