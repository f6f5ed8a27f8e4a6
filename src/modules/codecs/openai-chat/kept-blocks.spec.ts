import type { ChatMessage, ChatRequest, ContentPart } from '../chat/chat-completion.js';
import { KEPT_BLOCK, withMessagesFields } from '../chat/messages-fields.js';
import { requestBody } from './request-encoder.js';

const sent = (...messages: ChatMessage[]): unknown => {
  const request: ChatRequest = { model: 'gpt', messages };
  return (JSON.parse(JSON.stringify(requestBody(request, false))) as { messages: unknown }).messages;
};

describe('A message of the assistant with blocks that only the Messages form knows', () => {
  const block = withMessagesFields<ContentPart>(
    { type: KEPT_BLOCK },
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
  );
  const question: ChatMessage = { role: 'user', content: 'And?' };

  it('has the rest of them', () => {
    const said = { type: 'text', text: 'Found.' };
    expect(sent({ role: 'assistant', content: [block, said] }, question)).toEqual([
      { role: 'assistant', content: [said] },
      question,
    ]);
  });

  it('is left out if it has nothing else, because providers refuse an empty message', () => {
    expect(sent({ role: 'assistant', content: [block] }, question)).toEqual([question]);
  });

  it('stays if it calls tools', () => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } }];
    expect(sent({ role: 'assistant', content: [block], tool_calls: calls })).toEqual([
      { role: 'assistant', content: null, tool_calls: calls },
    ]);
  });
});
