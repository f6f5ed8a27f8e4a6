import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import { PROVIDER_KEY } from '../test-gateway.js';
import { chunk, completion, STREAM_END } from '../provider-answers.js';
import { respond, streamResponse, textOfEvents } from './responses-answers.js';
import { responsesRequests } from './responses-requests.js';

/** 10 tokens of a prompt at $0.000001, and 5 of an answer at $0.000002. */
const COST = 0.00002;

describe('createResponses', () => {
  const { gateway, organization, key } = responsesRequests();

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  it('answers 200 with what the provider was sent behind the first events of a stream that asks for it, and only there', async () => {
    const settings = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, settings);
    const fields = { input: 'jane.doe@example.com', debug: { echo_upstream_body: true } };
    const { status, text, events } = await streamResponse(gateway, guarded, fields);

    expect(status).toBe(200);
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.debug',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
    expect(events[2]).toMatchObject({ debug: { echo_upstream_body: sent() } });
    expect(sent()).toMatchObject({ messages: [{ content: '[EMAIL]' }] });
    expect(text).not.toContain('jane.doe');
    expect(text).not.toContain(PROVIDER_KEY);
    const others = [
      await respond<object>(gateway, guarded, fields),
      await streamResponse(gateway, guarded, { input: 'Hello' }),
    ];
    for (const other of others) expect([other.status, other.text.includes('debug')]).toEqual([200, false]);
  });

  it('answers 200 with the whole answer, its cost and its record', async () => {
    const fields = {
      instructions: 'Be brief.',
      metadata: { ticket: '4711' },
      max_output_tokens: 100,
      temperature: 0.5,
    };
    const answer = await respond(gateway, key, { ...fields, store: false });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-generation-id')).toBe(answer.body.id);
    expect(answer.body).toMatchObject({
      ...fields,
      object: 'response',
      status: 'completed',
      model: 'acme/writer',
      error: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'All is well.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost: COST, is_byok: false },
    });
    expect(sent()).toEqual({
      model: 'writer',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is new?' },
      ],
      max_tokens: 100,
      temperature: 0.5,
    });
    expect(await gateway.record(answer, key)).toMatchObject({ status: 200, model: 'acme/writer', total_cost: COST });
  });

  it('answers 200 in the form of the contract with reasoning, calls, annotations and images', async () => {
    const annotation = { url: 'https://example.com', title: 'Example', start_index: 0, end_index: 3 };
    const message = {
      role: 'assistant',
      content: 'Look.',
      reasoning: 'Hm.',
      annotations: [{ type: 'url_citation', url_citation: annotation }],
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }],
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'go', arguments: '{}' } }],
    };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const tools = [{ type: 'function', name: 'go', parameters: { type: 'object' } }];
    const format = { type: 'json_schema', name: 'place', schema: { type: 'object' } };
    const answer = await respond(gateway, key, { tools, tool_choice: 'required', text: { format }, user: 'user-1' });

    expect(answer.status).toBe(200);
    expectToFitContract('createResponses', 200, answer.body);
    expect(answer.body).toMatchObject({ tool_choice: 'required', text: { format }, user: 'user-1' });
    expect(answer.body.output).toMatchObject([
      { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      { type: 'message', content: [{ text: 'Look.', annotations: [{ type: 'url_citation', ...annotation }] }] },
      { type: 'image_generation_call', result: 'QQ==' },
      { type: 'function_call', call_id: 'call_1', name: 'go', arguments: '{}' },
    ]);
    expect(sent()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'go', parameters: { type: 'object' } } }],
      tool_choice: 'required',
    });
    expect(await gateway.record(answer, key)).toMatchObject({ external_user: 'user-1' });
  });

  it('answers 200 with a stream, whose last event has what a whole answer has', async () => {
    const answer = await streamResponse(gateway, key);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(textOfEvents(answer)).toBe('All is well.');
    expect(answer.text).not.toContain('[DONE]');
    expect(answer.events.map(({ sequence_number: number }) => number)).toEqual(answer.events.map((_, index) => index));
    const { response, type } = answer.events.at(-1)!;
    expect(type).toBe('response.completed');
    expectToFitContract('createResponses', 200, response);
    expect(response).toMatchObject({ id: answer.headers.get('x-generation-id'), status: 'completed' });
    expect(response!.usage).toMatchObject({ input_tokens: 10, output_tokens: 5, cost: COST });
    expect(await gateway.record(answer, key)).toMatchObject({ streamed: true, status: 200, total_cost: COST });
  });

  it('answers 200 with a stream of calls, and takes their results', async () => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'go', arguments: '' } };
    const piece = (text: string): string => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    const end = STREAM_END.replace('"stop"', '"tool_calls"');
    gateway.alpha.answerStream(
      [chunk({ role: 'assistant', tool_calls: [call] }), piece('{"to":'), piece('"Ulm"}'), end].join(''),
    );
    const tools = [{ type: 'function', name: 'go' }];
    const streamed = await streamResponse(gateway, key, { tools });
    const { output } = streamed.events.at(-1)!.response!;

    expect(output).toMatchObject([{ type: 'function_call', call_id: 'call_1', arguments: '{"to":"Ulm"}' }]);
    gateway.reset();
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'Arrived.' };
    const input = [{ role: 'user', content: 'Go.' }, ...output, result];
    expect((await respond(gateway, key, { tools, input })).status).toBe(200);
    expect(sent()['messages']).toEqual([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'go', arguments: '{"to":"Ulm"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Arrived.' },
    ]);
  });

  it('answers 200 with an answer that was cut', async () => {
    gateway.alpha.answerStream(chunk({ content: 'All is' }) + STREAM_END.replace('"stop"', '"length"'));
    const { events } = await streamResponse(gateway, key);

    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: { cost: COST } },
    });
  });

  it('answers 200 with a stream that ends with a failed answer where the provider breaks off, and charges what was delivered', async () => {
    gateway.alpha.answerStream(chunk({ content: 'Half an ans' }));
    const answer = await streamResponse(gateway, key);

    expect(answer.status).toBe(200);
    expect(answer.events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'Provider returned error' } },
    });
    expectToFitContract('createResponses', 200, answer.events.at(-1)!.response);
    expect(answer.events.filter(({ type }) => type === 'response.output_text.done')).toMatchObject([
      { text: 'Half an ans' },
    ]);
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({ status: 200, finish_reason: 'error' });
    expect(record.total_cost).toBeGreaterThan(0);
  });

  it.each([
    ['rate_limit_exceeded', 'rate_limit_exceeded', { code: 429, message: 'slower' }],
    ['context_length_exceeded', 'context_length_exceeded', { code: 'context_length_exceeded', message: 'No.' }],
    ['server_is_overloaded', 'provider_overloaded', { type: 'overloaded_error', message: 'busy' }],
  ])('answers 200 with a stream that fails with %s (%s) where the provider has sent %j', async (code, word, error) => {
    gateway.alpha.answerStream(`${chunk({ content: 'Half an ans' })}data: ${JSON.stringify({ error })}\n\n`);
    const answer = await streamResponse(gateway, key);

    expect(answer.status).toBe(200);
    expect(answer.events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code }, error_type: word },
    });
  });

  it('answers 200 from the next endpoint where the first breaks off before its first token', async () => {
    gateway.alpha.answerStream(chunk({ role: 'assistant', content: '' }));
    const answer = await streamResponse(gateway, key);

    expect(textOfEvents(answer)).toBe('All is well.');
    expect(answer.events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
  });

  it('answers 200 with redacted instructions, input, arguments and results of functions, and repeats none of it', async () => {
    const filters = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, filters);
    const address = 'jane.doe@example.com';
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: `Write to ${address}` }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: `To ${address}` }] },
      { type: 'function_call', call_id: 'a', name: 'write', arguments: JSON.stringify({ to: address }) },
      { type: 'function_call_output', call_id: 'a', output: `Sent to ${address}` },
    ];
    const fields = { input, instructions: `Answer ${address}` };
    const whole = await respond(gateway, guarded, fields);
    const streamed = await streamResponse(gateway, guarded, fields);

    expect(whole.status).toBe(200);
    expect(whole.body['instructions']).toBe('Answer [EMAIL]');
    expect(whole.text + streamed.text).not.toContain(address);
    expect(JSON.stringify(sent())).not.toContain(address);
    expect(sent()['messages']).toMatchObject([
      { content: 'Answer [EMAIL]' },
      { content: 'Write to [EMAIL]' },
      { tool_calls: [{ function: { arguments: '{"to":"[EMAIL]"}' } }] },
      { content: 'Sent to [EMAIL]' },
    ]);
  });

  it('answers 200 with the settings of a preset, whose system prompt instructions replace', async () => {
    const json = {
      model: 'acme/writer',
      temperature: 0.2,
      messages: [{ role: 'system', content: 'Be brief.' }],
      tools: [{ type: 'function', function: { name: 'look' } }],
    };
    const made = await gateway.app.api.post('/presets/bot/chat/completions', { key: organization.managementKey, json });
    expect(made.status).toBe(200);
    const tools = [{ type: 'function', name: 'go' }];
    const answer = await respond(gateway, key, { model: '@preset/bot', tools });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      temperature: 0.2,
      instructions: null,
      tools: [{ name: 'look' }, { name: 'go' }],
    });
    expect(sent()).toMatchObject({ temperature: 0.2, messages: [{ role: 'system', content: 'Be brief.' }, {}] });
    await respond(gateway, key, { preset: 'bot', instructions: 'Be long.' });
    expect(sent()['messages']).toEqual([
      { role: 'system', content: 'Be long.' },
      { role: 'user', content: 'What is new?' },
    ]);
  });

  it('answers 200 without the reasoning where the preset excludes it', async () => {
    await gateway.app.factory.preset(organization, organization.workspaceId, 'silent', [
      { reasoning: { exclude: true } },
    ]);
    const message = { role: 'assistant', content: 'Yes.', reasoning: 'Hm, let me think.' };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    const [whole, shown] = [await respond(gateway, key, { preset: 'silent' }), await respond(gateway, key)];
    gateway.alpha.answerStream(
      [chunk({ reasoning: 'Hm, let me think.' }), chunk({ content: 'Yes.' }), STREAM_END].join(''),
    );
    const streamed = await streamResponse(gateway, key, { preset: 'silent' });

    expect([whole.status, shown.status, streamed.status]).toEqual([200, 200, 200]);
    expect(shown.text).toContain('Hm, let me think.');
    expect([whole.text, streamed.text].join()).not.toContain('Hm, let me think.');
    expect(textOfEvents(streamed)).toBe('Yes.');
  });

  it('answers 200 with how the request was routed, in the last event of a stream alone, where that is asked for', async () => {
    const headers = { 'x-router-metadata': 'enabled' };
    const routed = { requested: 'acme/writer', attempt: 1 };
    const whole = await respond(gateway, key, {}, headers);
    const { events } = await streamResponse(gateway, key, {}, headers);

    expect(whole.body).toMatchObject({ router_metadata: routed });
    expectToFitContract('createResponses', 200, whole.body);
    expect(events.at(-1)!.response).toMatchObject({ router_metadata: routed });
    expect(events.filter(({ response }) => response !== undefined && 'router_metadata' in response)).toHaveLength(1);
  });
});
