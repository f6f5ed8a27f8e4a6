import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import { STREAM_END, chunk } from '../provider-answers.js';
import { messagesRequests, written, ANSWER_EVENTS, SPARE, type Failure } from './messages-requests.js';

interface Event {
  readonly event: string;
  readonly data: { readonly type: string; readonly [field: string]: unknown };
}

describe('createMessages', () => {
  const { gateway, key, ask } = messagesRequests();

  const stream = async (
    fields: object,
  ): Promise<{ status: number; events: Event[]; headers: Headers; text: string }> => {
    const answer = await ask<string>({ ...fields, stream: true });
    const events = answer.text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => /^event: (.*)\ndata: (.*)$/.exec(event)!)
      .map(([, event = '', data = '']) => ({ event, data: JSON.parse(data) as Event['data'] }));
    for (const { event, data } of events) expect(event).toBe(data.type);
    return { ...answer, events };
  };

  const typesOf = (events: readonly Event[]): string[] => events.map(({ event }) => event);

  it('answers 200 with the stream of such a provider in the events of the form', async () => {
    const { status, events, headers } = await stream({});

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(typesOf(events)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.at(-2)!.data).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 10, output_tokens: 5, cost: 0.00002 },
    });
  });

  it('answers 200 with the stream of a provider of the form, block by block', async () => {
    gateway.beta.answerStream(written(ANSWER_EVENTS));
    const { status, events } = await stream({ model: SPARE });

    expect(status).toBe(200);
    expect(typesOf(events)).toEqual(ANSWER_EVENTS.map(({ type }) => type).filter((type) => type !== 'ping'));
    expect(events[0]!.data).toMatchObject({ message: { model: SPARE, usage: { input_tokens: 4 } } });
    expect(JSON.stringify(events)).toContain('c2lnbmVk');
    expect(JSON.stringify(events)).not.toMatch(/msg_upstream|upstream-model/);
  });

  it('answers 200 with the whole calls of a provider that sends their pieces in turn', async () => {
    const piece = (index: number, fields: object): string => chunk({ tool_calls: [{ index, ...fields }] });
    const begun = (index: number, name: string): string =>
      piece(index, { id: `call_${index}`, type: 'function', function: { name, arguments: '' } });
    gateway.alpha.answerStream(
      [
        ...[begun(0, 'read'), begun(1, 'weather')],
        ...[piece(0, { function: { arguments: '{"path":' } }), piece(1, { function: { arguments: '{"city":' } })],
        ...[piece(0, { function: { arguments: '"a"}' } }), piece(1, { function: { arguments: '"Ulm"}' } })],
        STREAM_END.replace('"stop"', '"tool_calls"'),
      ].join(''),
    );
    const { status, events } = await stream({ tools: [{ name: 'read', input_schema: { type: 'object' } }] });

    expect(status).toBe(200);
    const partsOf = (index: number): unknown[] =>
      events.filter(({ data }) => data['index'] === index).map(({ data }) => data['content_block'] ?? data['delta']);
    expect(partsOf(0)).toMatchObject([
      { type: 'tool_use', id: 'call_0', name: 'read', input: {} },
      { partial_json: '{"path":' },
      { partial_json: '"a"}' },
      undefined,
    ]);
    expect(partsOf(1)).toMatchObject([
      { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
      { partial_json: '{"city":' },
      { partial_json: '"Ulm"}' },
      undefined,
    ]);
    expect(events.at(-2)!.data).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('ends a stream with 200 that breaks off with an error, and no message_stop', async () => {
    gateway.alpha.answerStream(chunk({ content: 'Half' }));
    const { status, events, headers } = await stream({});

    expect(status).toBe(200);
    expect(typesOf(events)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'error']);
    expect(events.at(-1)!.data).toEqual({
      type: 'error',
      request_id: headers.get('x-generation-id'),
      error: { type: 'api_error', message: 'Provider returned error', error_type: 'provider_unavailable' },
    });
  });

  it.each([
    ['overloaded_error', 'provider_overloaded', { type: 'overloaded_error', message: 'busy' }],
    ['rate_limit_error', 'rate_limit_exceeded', { code: 429, message: 'slower' }],
    ['invalid_request_error', 'context_length_exceeded', { code: 400, message: 'prompt is too long' }],
  ])('ends a stream with 200 by the error %s (%s) where the provider has sent %j', async (type, word, error) => {
    gateway.alpha.answerStream(`${chunk({ content: 'Half' })}data: ${JSON.stringify({ error })}\n\n`);
    const { status, events } = await stream({});

    expect(status).toBe(200);
    expect(events.at(-1)!.data).toMatchObject({ type: 'error', error: { type, error_type: word } });
  });

  it('charges a stream with 200 that such a provider breaks off for what was delivered, not for what it counted at its beginning', async () => {
    const text = 'x'.repeat(400);
    const usage = { input_tokens: 4, output_tokens: 1 };
    gateway.beta.answerStream(
      written([
        { type: 'message_start', message: { id: 'msg_upstream', usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      ]),
    );
    const answer = await stream({ model: SPARE });

    expect(answer.status).toBe(200);
    expect(typesOf(answer.events).at(-1)).toBe('error');
    expect(await gateway.record(answer, key)).toMatchObject({ tokens_prompt: 4, tokens_completion: 100 });
  });

  it('answers 529 of every provider with 503 before the first token, in the form of its clients', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ error: { message: 'busy' } }, 529);
    const refused = await ask<Failure>({ stream: true });

    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      type: 'error',
      error: {
        type: 'overloaded_error',
        error_type: 'provider_overloaded',
        metadata: { reason: 'provider_unavailable' },
      },
      request_id: refused.headers.get('x-generation-id'),
    });
    expectToFitContract('createMessages', 503, refused.body);
  });
});
