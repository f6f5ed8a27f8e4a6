import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { upstreamRequestOf } from './upstream-request.js';

const TOOLS = [{ type: 'function', function: { name: 'look_up' } }];

const SCHEMA = { type: 'json_schema', json_schema: { name: 'answer', schema: {} } };

function sentTo(supported: readonly string[], fields: object): object {
  const body = { messages: [], ...fields } as unknown as ClientChatRequest;
  const {
    model: _model,
    messages: _messages,
    ...sent
  } = upstreamRequestOf(body, { upstreamModel: 'small', isByok: false }, supported);
  return sent;
}

describe('What an endpoint is sent', () => {
  it('has how many tools may be called at once where it has tools', () => {
    const request = { tools: TOOLS, parallel_tool_calls: false };
    for (const supported of [['tools'], []]) expect(sentTo(supported, request)).toEqual(request);
    expect(sentTo(['max_tokens'], request)).toEqual({});
    expect(sentTo(['tools'], { parallel_tool_calls: false })).toEqual({});
    expect(sentTo(['tools'], { tools: [], parallel_tool_calls: false })).toEqual({ tools: [] });
  });

  it.each([
    [['response_format'], SCHEMA, true],
    [['structured_outputs'], SCHEMA, true],
    [['structured_outputs'], { type: 'json_object' }, false],
    [['tools'], SCHEMA, false],
  ])('has, where it lists %j, the format %j: %s', (supported, format, isSent) => {
    expect(sentTo(supported, { response_format: format })).toEqual(isSent ? { response_format: format } : {});
  });
});
