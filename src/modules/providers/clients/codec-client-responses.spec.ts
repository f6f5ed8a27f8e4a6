import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newCodecClient, newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import type { ChatChunk, ChatMessage, ChatRequest, ContentPart } from '../../codecs/chat/chat-completion.js';
import type { JsonObject } from '../../codecs/chat/json-values.js';
import { KEPT_BLOCK, withMessagesFields } from '../../codecs/chat/messages-fields.js';
import { RequestAdjustments } from '../../codecs/chat/request-adjustments.js';

const REQUEST: ChatRequest = { model: 'gpt', messages: [{ role: 'user', content: 'Hello' }] };

const FORMAT = 'openai-responses-v1';

const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'I look it up.' }],
  encrypted_content: 'opaque',
};

const TEXT = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'One moment.', annotations: [] }],
};

const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"a":1}' };

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 17,
};

const RESPONSE = { id: 'resp_1', object: 'response', status: 'completed', service_tier: 'default', usage: USAGE };

interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const eventsOf = (...events: readonly ResponseEvent[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const CREATED = { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } };
const COMPLETED = { type: 'response.completed', response: { ...RESPONSE, output: [] } };
const added = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item });
const done = (index: number, item: object) => ({ type: 'response.output_item.done', output_index: index, item });
const delta = (kind: string, index: number, text: string) => ({
  type: `response.${kind}.delta`,
  output_index: index,
  delta: text,
});

describe('The Responses interface of a provider', () => {
  const client = newUpstreamClient();
  const responses = newCodecClient('openai-responses', client);
  const ASKER = { organizationId: 'organization', signal: new AbortController().signal };
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  const sentFor = async (request: Partial<ChatRequest>, adjustments?: RequestAdjustments): Promise<unknown> => {
    provider.answerJson({ ...RESPONSE, output: [TEXT] });
    const asker = adjustments === undefined ? ASKER : { ...ASKER, adjustments };
    await responses.whole('chat', provider.upstream(), { ...REQUEST, ...request }, asker);
    return provider.received[0]!.body;
  };

  const streamed = async (): Promise<ChatChunk[]> => {
    const chunks: ChatChunk[] = [];
    for await (const chunk of responses.stream('chat', provider.upstream(), REQUEST, ASKER)) chunks.push(chunk);
    return chunks;
  };

  it('is asked with the key as a bearer, stores nothing, and gives back what is encrypted', async () => {
    expect(await sentFor({})).toEqual({
      model: 'gpt',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      include: ['reasoning.encrypted_content'],
      store: false,
    });
    expect(provider.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/responses',
      headers: { authorization: 'Bearer provider-key-0123456789' },
    });
  });

  it('gets settings, tools and the format of the answer by its own names', async () => {
    const adjustments = new RequestAdjustments();
    const parameters = { type: 'object', properties: { a: { type: 'number' } } };
    const body = await sentFor(
      {
        temperature: 0.5,
        max_completion_tokens: 100,
        reasoning: { effort: 'high' },
        verbosity: 'low',
        logprobs: true,
        seed: 7,
        tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters } }],
        tool_choice: { type: 'function', function: { name: 'read' } },
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: parameters, strict: true } },
      },
      adjustments,
    );
    expect(body).toMatchObject({
      temperature: 0.5,
      max_output_tokens: 100,
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'answer', schema: parameters, strict: true }, verbosity: 'low' },
      tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters, strict: false }],
      tool_choice: { type: 'function', name: 'read' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
    });
    expect(body).not.toHaveProperty('seed');
    expect(adjustments.list).toMatchObject([{ path: 'seed', reason: 'not_in_dialect' }]);
  });

  it('gets images and files as parts of the input, also in results, and no other media', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } };
    const file = { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } };
    const picture = { type: 'input_image', image_url: 'https://images.example/a.png', detail: 'auto' };
    expect(
      await sentFor({
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look' }, image, file] },
          {
            role: 'assistant',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: [image] },
        ],
      }),
    ).toMatchObject({
      input: [
        {
          content: [
            { type: 'input_text', text: 'Look' },
            picture,
            { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
          ],
        },
        { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: [picture] },
      ],
    });
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    await expect(sentFor({ messages: [{ role: 'user', content: [audio] }] })).rejects.toMatchObject({ status: 400 });
  });

  it('gets no blocks that only the Messages form knows, but the summary of a conversation as a text, and says so', async () => {
    const block = (fields: JsonObject): ContentPart => withMessagesFields<ContentPart>({ type: KEPT_BLOCK }, fields);
    const adjustments = new RequestAdjustments();
    const searched = block({ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} });
    const compacted = block({ type: 'compaction', content: 'So far: x.' });
    const messages: ChatMessage[] = [
      { role: 'assistant', content: [searched, compacted] },
      { role: 'user', content: 'And?' },
    ];
    expect(await sentFor({ messages }, adjustments)).toMatchObject({
      input: [{ role: 'assistant', content: [{ type: 'output_text', text: 'So far: x.' }] }, { role: 'user' }],
    });
    expect(adjustments.list).toMatchObject([{ reason: 'block_without_counterpart' }]);
    await expect(sentFor({ messages: [{ role: 'user', content: [searched] }] })).rejects.toMatchObject({ status: 400 });
  });

  it('answers with text, thoughts and calls, which go back as the items that they were', async () => {
    const output = [THOUGHT, TEXT, { ...THOUGHT, id: 'rs_2', encrypted_content: 'more' }, CALL];
    provider.answerJson({ ...RESPONSE, output });
    const completion = await responses.whole('chat', provider.upstream(), REQUEST, ASKER);
    const [choice] = completion.choices;
    expect(completion).toMatchObject({
      upstreamId: 'resp_1',
      serviceTier: 'default',
      usage: {
        prompt_tokens: 10,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens: 7,
        completion_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 17,
      },
    });
    expect(choice).toMatchObject({
      message: {
        content: 'One moment.',
        reasoning: 'I look it up.I look it up.',
        reasoning_details: [
          { type: 'reasoning.summary', format: FORMAT, id: 'rs_1', summary: 'I look it up.' },
          { type: 'reasoning.encrypted', format: FORMAT, id: 'rs_1', data: 'opaque' },
          { type: 'reasoning.summary', format: FORMAT, id: 'rs_2' },
          { type: 'reasoning.encrypted', format: FORMAT, id: 'rs_2', data: 'more' },
        ],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }],
      },
      finish_reason: 'tool_calls',
      native_finish_reason: 'completed',
    });
    const { id: _id, ...sentCall } = CALL;
    const sent = await sentFor({
      messages: [choice!.message, { role: 'tool', tool_call_id: 'call_1', content: 'Found.' }],
    });
    expect(sent).toMatchObject({
      input: [
        THOUGHT,
        { ...THOUGHT, id: 'rs_2', encrypted_content: 'more' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
        sentCall,
        { type: 'function_call_output', call_id: 'call_1', output: 'Found.' },
      ],
    });
  });

  it('leaves out thoughts of other providers, and says so', async () => {
    const adjustments = new RequestAdjustments();
    const details = [{ type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'Hm.', signature: 'x' }];
    const messages: ChatMessage[] = [{ role: 'assistant', content: 'Yes', reasoning_details: details }];
    expect(await sentFor({ messages }, adjustments)).toMatchObject({ input: [{ type: 'message', role: 'assistant' }] });
    expect(adjustments.list).toMatchObject([{ reason: 'thoughts_of_other_provider' }]);
  });

  it.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length', 'max_output_tokens'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'content_filter', 'content_filter'],
    [{ status: 'completed' }, 'stop', 'completed'],
  ])('ends for %j with %s', async (end, reason, native) => {
    provider.answerJson({ ...RESPONSE, output: [TEXT], ...end });
    const { choices } = await responses.whole('chat', provider.upstream(), REQUEST, ASKER);
    expect(choices).toMatchObject([{ finish_reason: reason, native_finish_reason: native }]);
  });

  it.each([
    ['has failed', { ...RESPONSE, status: 'failed', output: [], error: { code: 'server_error', message: 'Sorry.' } }],
    ['has no output', { ...RESPONSE }],
    ['has more items than are walked', { ...RESPONSE, output: Array.from({ length: 10_001 }, () => TEXT) }],
  ])('fails where its answer %s', async (_, document) => {
    provider.answerJson(document);
    await expect(responses.whole('chat', provider.upstream(), REQUEST, ASKER)).rejects.toMatchObject({
      name: 'ProviderError',
    });
  });

  it('streams thoughts, text and calls as they come, and what is encrypted with the end of its item', async () => {
    provider.answerStream(
      eventsOf(
        CREATED,
        added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
        delta('reasoning_summary_text', 0, 'I look '),
        delta('reasoning_summary_text', 0, 'it up.'),
        done(0, THOUGHT),
        added(1, { ...TEXT, content: [] }),
        delta('output_text', 1, 'One '),
        delta('output_text', 1, 'moment.'),
        done(1, TEXT),
        added(2, { ...CALL, arguments: '' }),
        delta('function_call_arguments', 2, '{"a"'),
        delta('function_call_arguments', 2, ':1}'),
        done(2, CALL),
        COMPLETED,
      ),
    );
    const chunks = await streamed();
    const deltas = chunks.flatMap(({ choices }) => choices.map((choice) => choice.delta));
    const text = (field: 'content' | 'reasoning'): string => deltas.map((said) => said[field] ?? '').join('');
    expect(text('reasoning')).toBe('I look it up.');
    expect(text('content')).toBe('One moment.');
    expect(deltas.flatMap(({ reasoning_details: details = [] }) => details)).toMatchObject([
      { type: 'reasoning.summary', id: 'rs_1', format: FORMAT, summary: 'I look ' },
      { type: 'reasoning.summary', id: 'rs_1', format: FORMAT, summary: 'it up.' },
      { type: 'reasoning.encrypted', id: 'rs_1', format: FORMAT, data: 'opaque' },
    ]);
    expect(deltas.flatMap(({ tool_calls: calls = [] }) => calls)).toEqual([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '' } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ':1}' } },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      upstreamId: 'resp_1',
      choices: [{ finish_reason: 'tool_calls', native_finish_reason: 'completed' }],
      usage: { prompt_tokens: 10, completion_tokens: 7 },
    });
    expect(provider.received[0]!.body).toMatchObject({ stream: true });
  });

  it('streams items that come whole, and reads a document in place of a stream', async () => {
    provider.answerStream(eventsOf(CREATED, done(0, THOUGHT), done(1, TEXT), added(2, CALL), done(2, CALL), COMPLETED));
    const whole = { content: 'One moment.', reasoning: 'I look it up.', arguments: '{"a":1}' };
    const saidIn = (chunks: readonly ChatChunk[]): object => {
      const deltas = chunks.flatMap(({ choices }) => choices.map((choice) => choice.delta));
      const calls = deltas.flatMap(({ tool_calls: parts = [] }) => parts);
      return {
        content: deltas.map(({ content }) => content ?? '').join(''),
        reasoning: deltas.map(({ reasoning }) => reasoning ?? '').join(''),
        arguments: calls.map((part) => part.function?.arguments ?? '').join(''),
      };
    };
    expect(saidIn(await streamed())).toEqual(whole);
    provider.answerJson({ ...RESPONSE, output: [THOUGHT, TEXT, CALL] });
    expect(saidIn(await streamed())).toEqual(whole);
  });

  it.each([
    ['breaks off', eventsOf(CREATED, delta('output_text', 0, 'One')), { kind: 'unreachable' }],
    [
      'ends with an error',
      eventsOf(CREATED, { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' }),
      { kind: 'refused', status: 429 },
    ],
    [
      'has failed',
      eventsOf(CREATED, {
        type: 'response.failed',
        response: { ...RESPONSE, status: 'failed', error: { code: 'server_error', message: 'Sorry.' } },
      }),
      { kind: 'refused' },
    ],
  ])('fails where a stream %s', async (_, text, error) => {
    provider.answerStream(text);
    await expect(streamed()).rejects.toMatchObject(error);
  });
});
