import { chunk, completion, STREAM, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { chunksOf, textOf } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const GENERATION_ID = /^gen-\d{10}-[A-Za-z0-9]{20}$/;

/** 10 tokens of a prompt at $0.000001, and 5 of an answer at $0.000002. */
const COST = 0.00002;

describe('sendChatCompletionRequest', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  it('answers 200 with the whole answer under its own id, model and provider, and what it cost', async () => {
    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(GENERATION_ID) as string,
      object: 'chat.completion',
      created: expect.any(Number) as number,
      model: 'acme/writer',
      provider: 'Alpha Cloud',
      system_fingerprint: '',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'All is well.', refusal: null },
          finish_reason: 'stop',
          native_finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        cost: COST,
        is_byok: false,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_prompt_cost: 0.00001,
          upstream_inference_completions_cost: 0.00001,
        },
      },
    });
    expect(answer.headers.get('x-generation-id')).toBe(answer.body.id);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.body).slice(0, 5)).toEqual(['id', 'object', 'created', 'model', 'provider']);
  });

  it('answers 200 with a stream whose chunks have one id, and whose usage is the last before [DONE]', async () => {
    const answer = await gateway.stream(key);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.text).toMatch(/^(data: [^\n]+\n\n|: [^\n]+\n\n)+$/);
    expect(answer.text.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
    const chunks = chunksOf(answer);
    const id = answer.headers.get('x-generation-id')!;
    expect(id).toMatch(GENERATION_ID);
    const head = { id, object: 'chat.completion.chunk', model: 'acme/writer', provider: 'Alpha Cloud' };
    for (const one of chunks) expect(one).toMatchObject(head);
    expect(new Set(chunks.map(({ created }) => created)).size).toBe(1);
    expect(textOf(answer)).toBe('All is well.');
    const [finish, usage] = chunks.slice(-2);
    expect(finish!.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'stop' }]);
    expect(usage).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, cost: COST } });
    expect(chunks.filter((one) => one.usage !== undefined)).toHaveLength(1);
    expect(answer.events.at(-1)).toBe('[DONE]');
  });

  it('says nothing of the id and the name of the model that the provider uses, in answers with 200', async () => {
    const whole = await gateway.ask(key);
    const streamed = await gateway.stream(key);

    for (const { status, text } of [whole, streamed]) {
      expect(status).toBe(200);
      expect(text).not.toContain('chatcmpl-upstream');
      expect(text).not.toContain('upstream-model');
    }
    expect(await gateway.record(whole, key)).toMatchObject({ upstream_id: 'chatcmpl-upstream' });
    expect(sent()['model']).toBe('writer');
  });

  it('hands on fields of self-hosted servers, but no unlisted field and none of the gateway’s own, for an answer with 200', async () => {
    const own = {
      models: ['acme/spare'],
      route: 'fallback',
      plugins: [],
      transforms: [],
      usage: { include: true },
      session_id: 'session-1',
      trace: { trace_id: 'trace-1' },
      metadata: { project: 'one' },
      user: 'someone',
    };
    const { status } = await gateway.ask(key, {
      ...own,
      guided_choice: ['a'],
      a_field_of_tomorrow: { deep: [1] },
      max_tokens: 7,
    });

    expect(status).toBe(200);
    const { model, messages, ...rest } = sent();
    expect({ model, messages }).toEqual({ model: 'writer', messages: [{ role: 'user', content: 'What is new?' }] });
    expect(rest).toEqual({ guided_choice: ['a'], max_tokens: 7 });
  });

  it('asks for a stream with its usage, whatever the caller says about that, for an answer with 200', async () => {
    const { status } = await gateway.stream(key, { stream_options: { include_usage: false } });

    expect(status).toBe(200);
    expect(sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('leaves parameters out that the endpoint does not list, for an answer with 200', async () => {
    const { status } = await gateway.ask(key, { temperature: 0.5, top_k: 3, seed: 7, logprobs: true });

    expect(status).toBe(200);
    expect(sent()).toMatchObject({ temperature: 0.5 });
    for (const left of ['top_k', 'seed', 'logprobs']) expect(sent()).not.toHaveProperty(left);
  });

  it('answers 404 where parameters are required that no endpoint lists, and asks none', async () => {
    const provider = { require_parameters: true };
    const answer = await gateway.ask<{ error: object }>(key, { top_k: 3, provider });

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      message: expect.stringContaining('2 endpoints excluded: a parameter is not supported') as string,
      metadata: { reason: 'no_endpoints' },
      availability: { excluded_by: ['require_parameters'] },
    });
    expect(gateway.alpha.received).toEqual([]);
    expect((await gateway.ask(key, { temperature: 1, provider })).status).toBe(200);
  });

  it('hands tool calls on in whole and streamed answers with 200', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } };
    gateway.alpha.answerJson(
      completion('', {
        choices: [
          { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
        ],
      }),
    );
    const whole = await gateway.ask(key, { tools });

    expect(whole.status).toBe(200);
    expect(whole.body.choices[0]).toMatchObject({
      message: { content: null, tool_calls: [call] },
      finish_reason: 'tool_calls',
    });
    expect(sent()['tools']).toEqual(tools);

    const parts = ['{"city":', '"Ulm"}'];
    gateway.alpha.answerStream(
      [
        chunk({ role: 'assistant', tool_calls: [{ ...call, index: 0, function: { name: 'weather', arguments: '' } }] }),
        ...parts.map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ].join(''),
    );
    const streamed = await gateway.stream(key, { tools });
    const deltas = chunksOf(streamed)
      .flatMap(({ choices }) => choices)
      .flatMap(({ delta }) => (delta['tool_calls'] ?? []) as { function?: { arguments?: string } }[]);
    expect(deltas.map((delta) => delta.function?.arguments ?? '').join('')).toBe('{"city":"Ulm"}');
    expect(deltas[0]).toMatchObject({ index: 0, id: 'call_1', type: 'function' });
  });

  it('charges cached tokens once and by the price of prompts, where they have none of their own, in an answer with 200', async () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 900 } };
    gateway.alpha.answerJson(completion('Yes.', { usage }));
    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(answer.body.usage).toMatchObject({ cost: 0.001002, total_tokens: 1_001 });
  });

  it('leaves the reasoning out of answers with 200 where the request excludes it', async () => {
    const message = { role: 'assistant', content: 'Yes.', reasoning: 'I think.' };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    const reasoning = { exclude: true };
    const whole = await gateway.ask(key, { reasoning });
    gateway.alpha.answerStream(
      [chunk({ role: 'assistant', reasoning: 'I think.' }), chunk({ content: 'Yes.' }), STREAM_END].join(''),
    );
    const streamed = await gateway.stream(key, { reasoning });
    const unrestricted = await gateway.stream(key);

    expect([whole.status, streamed.status]).toEqual([200, 200]);
    expect(whole.body.choices[0]!.message).toEqual({ role: 'assistant', content: 'Yes.', refusal: null });
    expect(streamed.text).not.toContain('I think.');
    expect(textOf(streamed)).toBe('Yes.');
    expect(unrestricted.text).toContain('I think.');
  });

  it('charges what was delivered, rounded up, where the provider of an answer with 200 reports no usage', async () => {
    gateway.alpha.answerStream([chunk({ content: '123456789' }), chunk({}, 'stop'), 'data: [DONE]\n\n'].join(''));
    const streamed = await gateway.stream(key);
    gateway.alpha.answerJson(completion('123456789', { usage: undefined }));
    const whole = await gateway.ask(key);

    const expected = { prompt_tokens: 3, completion_tokens: 3, cost: 0.000009 };
    expect([streamed.status, whole.status]).toEqual([200, 200]);
    expect(chunksOf(streamed).at(-1)!.usage).toMatchObject(expected);
    expect(whole.body.usage).toMatchObject(expected);
  });

  it('passes a stream with 200 on while the provider still makes it', async () => {
    let finish: (() => void) | undefined;
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'First.' }));
      finish = () => void response.end(STREAM_END);
    });
    const answer = await gateway.open(key);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value!;

    expect(answer.status).toBe(200);
    expect(text).toContain('First.');
    expect(text).not.toContain('[DONE]');
    finish!();
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('answers 200 through the builtin provider without an account', async () => {
    const answer = await gateway.stream(key, { model: 'gatehouse/echo', provider: undefined });

    expect(answer.status).toBe(200);
    expect(textOf(answer)).toBe('What is new?');
    expect(STREAM).not.toContain('What is new?');
  });
});
