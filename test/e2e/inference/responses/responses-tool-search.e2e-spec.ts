import { chunk, completion, STREAM_END } from '../provider-answers.js';
import { respond, streamResponse } from './responses-answers.js';
import { responsesRequests } from './responses-requests.js';

const SEARCH = { type: 'tool_search', execution: 'client', parameters: { type: 'object' } };

const call = (name: string, text: string): object => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: text },
});

/** A conversation in which the caller has searched, and found a tool. */
const searched = (description: string): readonly object[] => [
  { role: 'user', content: 'Book a room.' },
  {
    type: 'tool_search_call',
    call_id: 'call_1',
    status: 'completed',
    execution: 'client',
    arguments: { query: 'room' },
  },
  {
    type: 'tool_search_output',
    call_id: 'call_1',
    tools: [{ type: 'namespace', name: 'rooms', tools: [{ type: 'function', name: 'book', description }] }],
  },
];

describe('createResponses', () => {
  const { gateway, organization, key } = responsesRequests();

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  it('answers 200 with the search for tools that a model calls for, whole and as a stream', async () => {
    const calls = [call('tool_search', '{"query":"room"}')];
    const message = { role: 'assistant', content: null, tool_calls: calls };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const whole = await respond(gateway, key, { tools: [SEARCH] });
    const item = {
      type: 'tool_search_call',
      status: 'completed',
      call_id: 'call_1',
      execution: 'client',
      arguments: { query: 'room' },
    };

    expect(whole.status).toBe(200);
    expect(whole.body.output).toMatchObject([item]);
    expect(sent()['tools']).toEqual([
      { type: 'function', function: { name: 'tool_search', parameters: { type: 'object' } } },
    ]);
    gateway.alpha.answerStream(
      [chunk({ tool_calls: [{ index: 0, ...calls[0] }] }), STREAM_END.replace('"stop"', '"tool_calls"')].join(''),
    );
    const streamed = await streamResponse(gateway, key, { tools: [SEARCH] });

    expect(streamed.status).toBe(200);
    expect(streamed.events.filter(({ type }) => type === 'response.output_item.done')).toMatchObject([{ item }]);
    expect(streamed.events.at(-1)!.response!.output).toMatchObject([item]);
  });

  it('answers 200 with a call of a tool that a search has found, which content filters have read', async () => {
    const message = { role: 'assistant', content: null, tool_calls: [{ ...call('rooms__book', '{}'), id: 'call_2' }] };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const settings = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, settings);
    const answer = await respond(gateway, guarded, {
      tools: [SEARCH],
      input: searched('Asks jane.doe@example.com for a room.'),
    });

    expect(answer.status).toBe(200);
    expect(answer.body.output).toMatchObject([
      { type: 'function_call', call_id: 'call_2', name: 'book', namespace: 'rooms', arguments: '{}' },
    ]);
    expect(sent()).toMatchObject({
      tools: [
        { function: { name: 'tool_search' } },
        { function: { name: 'rooms__book', description: 'Asks [EMAIL] for a room.' } },
      ],
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ function: { name: 'tool_search', arguments: '{"query":"room"}' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'These tools can be called now: rooms__book' },
      ],
    });
  });
});
