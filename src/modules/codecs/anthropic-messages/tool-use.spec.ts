import type { ToolCall } from '../chat/chat-completion.js';
import { toolUseBlock } from './blocks.js';

const callWith = (text: string): ToolCall => ({ id: 'a', type: 'function', function: { name: 'f', arguments: text } });

const inputOf = (call: ToolCall): unknown => toolUseBlock(call)['input'];

describe('toolUseBlock', () => {
  it.each([
    ['are no object', '[1]'],
    ['are no JSON', '{"cut'],
    ['hold more values than a body may', `{"a":[${'1,'.repeat(50_000)}1]}`],
    ['nest deeper than a body may', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ])('writes arguments as one text that %s', (_, text) => {
    expect(inputOf(callWith(text))).toEqual({ arguments: text });
  });

  it.each(['', ' ', 'null'])('writes an empty object for no arguments: %j', (text) => {
    expect(inputOf(callWith(text))).toEqual({});
  });

  it('leaves out fields of a call that only providers of another form know', () => {
    const call = { ...callWith('{}'), extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
    expect(toolUseBlock(call)).toEqual({ type: 'tool_use', id: 'a', name: 'f', input: {} });
  });

  it('reads the arguments of a call once for all endpoints', () => {
    const call = callWith('{"a":[1]}');

    expect(inputOf(call)).toEqual({ a: [1] });
    expect(inputOf(call)).toBe(inputOf(call));
  });
});
