import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REQUEST = { model: 'acme/spare', messages: [{ role: 'user' as const, content: 'What is the weather?' }] };

const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };

const DONE = 'data: [DONE]\n\n';

const USAGE = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } })}\n\n`;

/** The chunks of a call of a tool without parameters, as providers send it. */
const CALLS = {
  'has no id': [chunk({ tool_calls: [{ index: 0, function: { name: 'weather', arguments: '{}' } }] }), STREAM_END],
  'has an empty id, and no arguments': [
    chunk({ role: 'assistant', tool_calls: [{ index: 0, id: '', function: { name: 'weather' } }] }, 'tool_calls'),
    DONE,
  ],
  'gets its id late': [
    chunk({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }),
    chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { arguments: '{}' } }] }),
    STREAM_END,
  ],
  'gets its name late': [
    chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }),
    STREAM_END,
  ],
  'repeats its name with each part': [
    chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '{' } }] }),
    chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '}' } }] }),
    STREAM_END,
  ],
  'has no reason for its end': [
    chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '{}' } }] }),
    USAGE,
    DONE,
  ],
  'comes in a message': [
    `data: ${JSON.stringify({ choices: [{ index: 0, message: { tool_calls: [{ function: { name: 'weather' } }] } }] })}\n\n`,
    STREAM_END,
  ],
} as const;

const TEXTS = {
  'never says the role': [chunk({ content: 'It rains.' }), STREAM_END],
  'says the role where it thinks': [
    chunk({ role: 'assistant', content: null, reasoning_content: 'Let me see.' }),
    chunk({ content: 'It rains.' }),
    STREAM_END,
  ],
  'repeats the role in every delta': [
    chunk({ role: 'assistant', content: 'It ' }),
    chunk({ role: 'assistant', content: 'rains.' }),
    STREAM_END,
  ],
  'says that it calls a tool, and calls none': [chunk({ content: 'It rains.' }, 'tool_calls'), DONE],
  'says its end in a message': [
    chunk({ content: 'It' }),
    `data: ${JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'It rains.' }, finish_reason: 'stop' }] })}\n\n`,
    DONE,
  ],
  'has white space behind its end': [chunk({ content: 'It rains.' }, 'stop'), 'data:  [DONE] \n\n'],
  'has no reason for its end': [chunk({ content: 'It rains.' }), USAGE, DONE],
  'has a message in place of a delta': [
    `data: ${JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'It rains.' }, finish_reason: 'stop' }] })}\n\n`,
    DONE,
  ],
} as const;

const CALL_KINDS = Object.keys(CALLS) as (keyof typeof CALLS)[];

const TEXT_KINDS = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

describe('Unmodified clients of providers with answers of unusual form', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));
  let openai: OpenAI;
  let anthropic: Anthropic;

  beforeEach(() => {
    openai = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
    anthropic = new Anthropic({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api`, maxRetries: 0 });
  });

  /** Answers the first request with a call, and the next one with a text. */
  function answerInTurn(first: string, type = 'text/event-stream'): void {
    let asked = 0;
    gateway.beta.answerWith((response, { body }) => {
      asked += 1;
      if (asked === 1) response.writeHead(200, { 'content-type': type }).end(first);
      else if ((body as { stream?: boolean }).stream === true) {
        response.writeHead(200, STREAM_HEAD).end(chunk({ content: 'It rains.' }, 'stop') + DONE);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('It rains.')));
      }
    });
  }

  it.each(TEXT_KINDS)('read a stream that %s', async (kind) => {
    gateway.beta.answerStream(TEXTS[kind].join(''));
    const stream = openai.chat.completions.stream({ ...REQUEST, reasoning: { exclude: true } } as typeof REQUEST);
    const { choices } = await stream.finalChatCompletion();
    expect(choices).toMatchObject([{ finish_reason: 'stop', message: { role: 'assistant', content: 'It rains.' } }]);
    const message = await anthropic.messages.stream({ ...REQUEST, max_tokens: 100 }).finalMessage();
    expect(message).toMatchObject({ stop_reason: 'end_turn' });
    expect(message.content.at(-1)).toMatchObject({ type: 'text', text: 'It rains.' });
  });

  it('get a 502 of the Messages form for a whole answer that its provider gave up, which is charged', async () => {
    const failed = {
      index: 0,
      message: { role: 'assistant', content: 'It' },
      finish_reason: 'MALFORMED_FUNCTION_CALL',
    };
    gateway.beta.answerJson({ ...completion('It'), choices: [failed] });
    const error = await anthropic.messages.create({ ...REQUEST, max_tokens: 100 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.InternalServerError);
    const { status, error: body, headers } = error as { status: number; error: object; headers: Headers };
    const id = headers.get('x-generation-id')!;
    expect([status, body]).toMatchObject([
      502,
      {
        type: 'error',
        error: { type: 'api_error', message: 'Provider returned error', metadata: { reason: 'generation_failed' } },
        request_id: id,
      },
    ]);
    const record = await gateway.record({ headers }, key);
    expect(record).toMatchObject({ status: 502, refusal: 'generation_failed', finish_reason: 'error' });
    expect(record.total_cost).toBeGreaterThan(0);
    // The other forms say it in the answer.
    const { choices } = await openai.chat.completions.create(REQUEST);
    expect(choices).toMatchObject([{ finish_reason: 'error', message: { content: 'It' } }]);
    const [{ content: input }] = REQUEST.messages as unknown as [{ content: string }];
    expect(await openai.responses.create({ model: REQUEST.model, input })).toMatchObject({ status: 'failed' });
  });

  it.each(CALL_KINDS)('run a tool whose call %s in a stream', async (kind) => {
    answerInTurn(CALLS[kind].join(''));
    const asked: unknown[] = [];
    const weather = {
      ...TOOL,
      function: { ...TOOL.function, parse: JSON.parse, function: (input: unknown) => String(asked.push(input)) },
    };
    const runner = openai.chat.completions.runTools({ ...REQUEST, stream: true, tools: [weather as never] });
    expect(await runner.finalContent()).toBe('It rains.');
    expect(asked).toEqual([{}]);
    const [, said, result] = (gateway.beta.received[1]!.body as { messages: Record<string, unknown>[] }).messages;
    const [call] = said!['tool_calls'] as { id: string }[];
    expect(call).toMatchObject({
      id: expect.stringMatching(/^call_/) as string,
      type: 'function',
      function: { name: 'weather', arguments: '{}' },
    });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: call!.id });
  });

  it('get 200 with calls apart that have no ids and one index, and send what signs the thought of each back', async () => {
    const called = (day: number): object => ({
      function: { name: 'weather', arguments: `{"day":${day}}` },
      extra_content: { google: { thought_signature: `signature ${day}` } },
    });
    const parts = [1, 2].map((day) => chunk({ tool_calls: [{ index: 0, ...called(day) }] }));
    answerInTurn([...parts, STREAM_END].join(''));
    const { choices } = await openai.chat.completions.stream({ ...REQUEST, tools: [TOOL] }).finalChatCompletion();
    const { finish_reason: reason, message } = choices[0]!;
    // The client gets the signatures sealed, and their provider its own.
    const sealed = (day: number): object => ({
      extra_content: {
        google: { thought_signature: expect.stringMatching(`^gatehse1.{48}signature ${day}$`) as unknown },
      },
    });
    expect([reason, message.tool_calls]).toMatchObject(['tool_calls', [sealed(1), sealed(2)]]);
    const results = message.tool_calls!.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Rain' }));
    await openai.chat.completions.create({ ...REQUEST, messages: [...REQUEST.messages, message, ...results] });
    const { messages } = gateway.beta.received[1]!.body as { messages: Record<string, unknown>[] };
    expect(messages[1]!['tool_calls']).toMatchObject([called(1), called(2)]);
  });

  it.each(CALL_KINDS)('get 200 with the reason and the call where it %s in a stream', async (kind) => {
    gateway.beta.answerStream(CALLS[kind].join(''));
    const { choices } = await openai.chat.completions.stream({ ...REQUEST, tools: [TOOL] }).finalChatCompletion();
    expect(choices[0]!.finish_reason).toBe('tool_calls');
    const message = await anthropic.messages
      .stream({ ...REQUEST, max_tokens: 100, tools: [{ name: 'weather', input_schema: { type: 'object' } }] })
      .finalMessage();
    expect(message).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: expect.stringMatching(/^call_/) as string, name: 'weather', input: {} }],
    });
    const response = await openai.responses
      .stream({ model: REQUEST.model, input: 'What is the weather?' })
      .finalResponse();
    expect(response).toMatchObject({
      status: 'completed',
      output: [{ type: 'function_call', name: 'weather', arguments: '{}' }],
    });
  });

  it.each([
    [{}, 'stop'],
    [{ function: { name: 'weather', arguments: '' } }, 'tool_calls'],
    [{ id: '', function: { name: 'weather', arguments: {} } }, null],
  ])('run a tool whose call is %j in a whole answer that ends with %j', async (fields, reason) => {
    const call = { function: { name: 'weather' }, ...fields };
    const message = { role: 'assistant', content: null, tool_calls: [call, call] };
    const text = `\u{feff}${JSON.stringify(completion('', { choices: [{ index: 0, message, finish_reason: reason }] }))}`;
    answerInTurn(text, 'text/plain');
    const asked: unknown[] = [];
    const weather = {
      ...TOOL,
      function: { ...TOOL.function, parse: JSON.parse, function: (input: unknown) => String(asked.push(input)) },
    };
    const runner = openai.chat.completions.runTools({ ...REQUEST, tools: [weather as never] });
    expect(await runner.finalContent()).toBe('It rains.');
    expect(asked).toEqual([{}, {}]);
    const [, said] = (gateway.beta.received[1]!.body as { messages: Record<string, unknown>[] }).messages;
    expect(new Set((said!['tool_calls'] as { id: string }[]).map(({ id }) => id)).size).toBe(2);
    answerInTurn(text, '');
    const answer = await anthropic.messages.create({ ...REQUEST, max_tokens: 100 });
    expect(answer).toMatchObject({ stop_reason: 'tool_use', content: [{ input: {} }, { input: {} }] });
  });

  it.each([
    ['an error of another shape', 'data: {"object":"error","message":"CUDA out of memory","code":50001}\n\n'],
    ['an aborted generation', chunk({}, 'abort')],
    ['half a call', chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: '{"a' } }] })],
  ])('throw for %s, behind which the provider ends the stream', async (_, event) => {
    gateway.beta.answerStream(chunk({ role: 'assistant', content: 'It ' }) + event + DONE);
    const failed = { message: expect.stringContaining('Provider returned error') as string };
    await expect(openai.chat.completions.stream(REQUEST).finalChatCompletion()).rejects.toMatchObject(failed);
    await expect(anthropic.messages.stream({ ...REQUEST, max_tokens: 9 }).finalMessage()).rejects.toMatchObject({
      error: { error: failed },
    });
  });

  it('get the fingerprint of the system that a stream comes from, and what its provider says of filters', async () => {
    const fields = { system_fingerprint: 'fp_1' };
    const filtered = { content_filter_results: { hate: { filtered: false } } };
    const choice = { index: 0, delta: { content: 'It rains.' }, finish_reason: 'stop', ...filtered };
    gateway.beta.answerStream(`data: ${JSON.stringify({ ...fields, choices: [choice] })}\n\n${DONE}`);
    const answer = await openai.chat.completions.stream(REQUEST).finalChatCompletion();
    expect(answer).toMatchObject({ ...fields, choices: [filtered] });
  });

  it('get embeddings in the order of their inputs where all have the same index', async () => {
    const data = [1, 2].map((number) => ({ object: 'embedding', index: 0, embedding: [number] }));
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ object: 'list', model: 'x', data });
    const answer = await openai.embeddings.create({ model: 'acme/embedder', input: ['a', 'b'] });
    expect(answer.data.map(({ index, embedding }) => [index, embedding[0]])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('get a usage with a count of the prompt where the provider counts the answer alone', async () => {
    gateway.beta.answerJson(completion('It rains.', { usage: { completion_tokens: 5 } }));
    const { usage } = await openai.chat.completions.create(REQUEST);
    expect(usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 });
  });
});
