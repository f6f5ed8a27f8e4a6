import type { ChatMessage, ChatRequest } from '../../chat-completion.js';
import { requestBody } from './request-body.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const BREAKPOINT = { prompt_cache_breakpoint: { mode: 'explicit' } };
const TOOL = { type: 'function', function: { name: 'look_up' } };

function sentTo(provider: string, request: Partial<ChatRequest>): Record<string, unknown> {
  return requestBody({ model: 'small', messages: [], ...request }, provider, false) as Record<string, unknown>;
}

function messagesTo(provider: string, ...messages: ChatMessage[]): unknown {
  return sentTo(provider, { messages })['messages'];
}

describe('A request in the form of OpenAI', () => {
  it.each([
    ['openai', { max_tokens: 7 }, { max_completion_tokens: 7 }],
    ['azure', { max_tokens: 7, max_completion_tokens: 9 }, { max_completion_tokens: 9 }],
    ['deepseek', { max_completion_tokens: 7 }, { max_tokens: 7 }],
    ['mistral', { max_tokens: 7, max_completion_tokens: null }, { max_tokens: 7 }],
    ['openai', {}, {}],
    ['deepseek', { max_tokens: null }, {}],
  ])('names the longest answer for %s in the field of that provider: %j becomes %j', (provider, fields, expected) => {
    const { model: _model, messages: _messages, ...sent } = sentTo(provider, fields);
    expect(sent).toEqual(expected);
  });

  it('has developers only where the provider knows them, and instructions of the system for others', () => {
    const said = { role: 'developer' as const, content: 'Be brief.' };
    for (const provider of ['openai', 'azure']) expect(messagesTo(provider, said)).toEqual([said]);
    for (const provider of ['deepseek', 'ollama']) {
      expect(messagesTo(provider, said)).toEqual([{ role: 'system', content: 'Be brief.' }]);
    }
  });

  it('has names of authors in their field where the provider knows it, and otherwise before their texts', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const said: ChatMessage[] = [
      { role: 'user', name: 'Ann', content: 'One' },
      { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'Two' }, image] },
      { role: 'user', name: 'Ann', content: [image] },
      { role: 'assistant', name: 'Bob', tool_calls: [] },
      { role: 'tool', name: 'look_up', tool_call_id: 'c', content: 'Three' },
    ];
    expect(messagesTo('openai', ...said)).toEqual(said);
    expect(messagesTo('mistral', ...said)).toEqual([
      { role: 'user', content: 'Ann: One' },
      { role: 'user', content: [{ type: 'text', text: 'Ann: Two' }, image] },
      { role: 'user', content: [image] },
      { role: 'assistant', content: null, tool_calls: [] },
      said[4],
    ]);
  });

  it('has the name before what its author says, not before the image of a result that goes with it', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const [, user] = messagesTo(
      'mistral',
      { role: 'tool', tool_call_id: 'c', content: [image] },
      { role: 'user', name: 'Ann', content: 'And?' },
    ) as { content: { text?: string }[] }[];
    expect(user!.content.map(({ text }) => text)).toEqual(['Result of the tool call c:', undefined, 'Ann: And?']);
  });

  it.each([
    ['openai', BREAKPOINT, { prompt_cache_options: { mode: 'explicit' } }],
    ['alibaba', MARK, MARK],
    ['groq', {}, {}],
  ])('has for %s marks for caches of its own kind', (provider, kept, keptOfRequest) => {
    const part = { type: 'text', text: 'Long' };
    const request = {
      messages: [{ role: 'user' as const, content: [{ ...part, ...MARK, ...BREAKPOINT }] }],
      tools: [{ ...TOOL, ...MARK, ...BREAKPOINT }],
      ...MARK,
      prompt_cache_options: { mode: 'explicit' },
      prompt_cache_key: 'key',
    };
    expect(sentTo(provider, request)).toEqual({
      model: 'small',
      messages: [{ role: 'user', content: [{ ...part, ...kept }] }],
      tools: [{ ...TOOL, ...kept }],
      prompt_cache_key: 'key',
      ...keptOfRequest,
    });
  });
});
