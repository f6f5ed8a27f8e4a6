import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import type { Answer } from '../../../support/network/api-client.js';
import { PROVIDER_KEY, QUESTION } from '../test-gateway.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { chunksOf } from '../read-answers.js';
import { messagesRequests, WRITER, ANSWER, SPARE, written, ANSWER_EVENTS, type Failure } from './messages-requests.js';

const TOOL = { name: 'weather', input_schema: { type: 'object' } };

const EMAIL_FILTER = (action: string): object => ({ content_filter_builtins: [{ slug: 'email', action }] });

describe('createMessages', () => {
  const { gateway, organization, key, ask } = messagesRequests();

  const sentTo = (provider: 'alpha' | 'beta'): Record<string, unknown> =>
    gateway[provider].received.at(-1)!.body as Record<string, unknown>;

  it('answers 200 with a message of a provider of another form, recorded and charged like every answer', async () => {
    const answer = await ask({ system: 'Be brief.', stop_sequences: ['END'], tools: [TOOL] });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: WRITER,
      provider: 'Alpha Cloud',
      content: [{ type: 'text', text: 'All is well.', citations: [] }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5, cost: 0.00002, is_byok: false },
    });
    expectToFitContract('createMessages', 200, { ...answer.body, provider: 'Gatehouse' });
    expect(sentTo('alpha')).toEqual({
      model: 'writer',
      max_tokens: 100,
      messages: [{ role: 'system', content: 'Be brief.' }, ...QUESTION],
      stop: ['END'],
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    });
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({ id: answer.body.id, status: 200, model: WRITER, total_cost: 0.00002 });
  });

  it('answers 200 with the thoughts of a provider of the form, and hands them back to it with their signatures', async () => {
    gateway.beta.answerJson(ANSWER);
    const first = await ask(
      { model: SPARE, tools: [TOOL], thinking: { type: 'adaptive' } },
      { 'anthropic-beta': 'a-1, b-2' },
    );
    const sent = sentTo('beta');

    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      content: [
        // Sealed for who made it.
        { ...ANSWER.content[0], signature: expect.stringMatching(/^gatehse1[0-9a-f]{48}c2lnbmVk$/) as unknown },
        { ...ANSWER.content[1], citations: [] },
        { ...ANSWER.content[2], caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      usage: ANSWER.usage,
    });
    expectToFitContract('createMessages', 200, { ...first.body, provider: 'Gatehouse' });
    expect(sent).toMatchObject({ model: 'spare', max_tokens: 100, tools: [TOOL] });
    expect(gateway.beta.received.at(-1)!.headers).toMatchObject({
      'anthropic-beta': 'a-1, b-2',
      'x-api-key': PROVIDER_KEY,
    });

    const mark = { type: 'ephemeral' };
    const result = {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [{ type: 'text', text: 'Rain.' }],
      cache_control: mark,
    };
    const messages = [
      ...QUESTION,
      { role: 'assistant', content: first.body.content },
      { role: 'user', content: [result] },
    ];
    await ask({ model: SPARE, tools: [TOOL], messages });
    expect(sentTo('beta')['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: QUESTION[0]!.content }] },
      { role: 'assistant', content: ANSWER.content },
      { role: 'user', content: [result] },
    ]);
  });

  it('answers 200 to a chat completion with the body that a provider of the Messages form was sent, if the request asks for it', async () => {
    gateway.beta.answerStream(written(ANSWER_EVENTS));
    const fields = { model: SPARE, provider: undefined, debug: { echo_upstream_body: true } };
    const answer = await gateway.stream(key, fields);

    expect(answer.status).toBe(200);
    expect(chunksOf(answer)[0]).toMatchObject({ choices: [], debug: { echo_upstream_body: sentTo('beta') } });
  });

  it('answers 200 with what was redacted neither sent nor answered', async () => {
    const guarded = await gateway.guardedKey(organization, EMAIL_FILTER('redact'));
    const said = 'jane.doe@example.com';
    const messages = [
      { role: 'user', content: [{ type: 'text', text: said }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't_1', name: 'weather', input: { to: said } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't_1', content: said, is_error: true }] },
    ];
    gateway.beta.answerJson(ANSWER);
    const tools = [{ ...TOOL, input_examples: [{ to: said }] }];
    const answers = [
      await ask({ system: said, messages, tools: [TOOL] }, {}, guarded),
      await ask({ system: said, messages, tools, model: SPARE }, {}, guarded),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const [sent, count] of [
      [sentTo('alpha'), 4],
      [sentTo('beta'), 5],
    ] as const) {
      expect(JSON.stringify(sent)).not.toContain(said);
      expect(JSON.stringify(sent).match(/\[EMAIL\]/g)).toHaveLength(count);
    }
    expect(sentTo('beta')['tools']).toEqual([{ ...TOOL, input_examples: [{ to: '[EMAIL]' }] }]);
    expect(sentTo('beta')).toMatchObject({ messages: [{}, {}, { content: [{ is_error: true }] }] });
  });

  it('answers 403 to what a content filter blocks, and asks no provider', async () => {
    const guarded = await gateway.guardedKey(organization, EMAIL_FILTER('block'));
    const refused = await ask<Failure>({ messages: [{ role: 'user', content: 'jane.doe@example.com' }] }, {}, guarded);

    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      type: 'permission_error',
      message: 'Request blocked by content filter: [EMAIL]',
      metadata: { reason: 'content_blocked' },
    });
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 200 with the settings and the instructions of a preset, under those of the request', async () => {
    const { managementKey } = organization;
    const config = {
      model: WRITER,
      temperature: 0.5,
      max_tokens: 7,
      messages: [{ role: 'system', content: 'Be kind.' }],
    };
    const made = await gateway.app.api.post('/presets/kind/chat/completions', { key: managementKey, json: config });
    const answer = await ask({ model: '@preset/kind' });
    const sent = sentTo('alpha');
    await ask({ model: '@preset/kind', system: 'Be brief.' });

    expect([made.status, answer.status]).toEqual([200, 200]);
    expect(sent).toMatchObject({ temperature: 0.5, max_tokens: 100, messages: [{ content: 'Be kind.' }, ...QUESTION] });
    expect(sentTo('alpha')).toMatchObject({ messages: [{ content: 'Be brief.' }, ...QUESTION] });
  });

  it('answers 200 to a key in X-Api-Key, which Authorization wins over, and 401 to one that is none', async () => {
    const send = (headers: Record<string, string>, path = '/messages'): Promise<Answer<Failure>> =>
      gateway.app.api.post(path, { json: { model: 'gatehouse/echo', messages: QUESTION }, headers });
    const answers = [
      await send({ 'x-api-key': key.plaintext }),
      await send({ 'x-api-key': 'sk-none', authorization: `Bearer ${key.plaintext}` }),
      await send({ 'x-api-key': 'sk-none' }),
      await send({ 'x-api-key': `${key.plaintext}, ${key.plaintext}` }),
      await send({}),
      await send({ 'x-api-key': key.plaintext }, '/chat/completions'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 401, 401, 401]);
    const repeated = answers.map(({ headers }) => headers.get('x-should-retry'));
    expect(repeated).toEqual([null, null, 'false', 'false', 'false', null]);
    for (const { body } of answers.slice(2, 5)) {
      expect(body).toMatchObject({ type: 'error', error: { type: 'authentication_error' }, request_id: null });
      expectToFitContract('createMessages', 401, body);
    }
  });

  it.each(['/messages', '/messages?beta=true', '/messages/count_tokens'])(
    'answers 200, 400 and 401 at %s with the request id as Request-Id too',
    async (path) => {
      const send = (by: string, json: object): Promise<Answer<Failure>> =>
        gateway.app.api.post(path, { key: by, json });
      const asked = { model: WRITER, messages: QUESTION };
      const answers = [
        await send(key.plaintext, asked),
        await send(key.plaintext, {}),
        await send('sk-none', asked),
        await gateway.app.api.post<Failure>('/chat/completions', { key: key.plaintext, json: asked }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 200]);
      const [answered, invalid, unknown, chat] = answers.map(({ headers }) => headers);
      for (const headers of [answered!, invalid!, unknown!]) {
        expect(headers.get('request-id')).toMatch(/./);
        expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
      }
      expect(chat!.get('request-id')).toBeNull();
    },
  );

  it.each([
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'A type' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'assistant', content: [{ type: 'image' }] }] }, 'messages[0].content[0].type'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: 1 }] }] },
      'messages[0].content[0].cache_control',
    ],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: 'eA==' } }],
          },
        ],
      },
      'messages[0].content[0].source.media_type',
    ],
    [
      {
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }] }],
      },
      'messages[0].content[0].source.url',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'n', input: 'x' }] }] },
      'messages[0].content[0].input',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'n'.repeat(129) }] }] },
      'messages[0].content[0].name',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't'.repeat(513) }] }] },
      'messages[0].content[0].tool_use_id',
    ],
    [{ system: [{ type: 'image' }] }, 'system[0].type'],
    [{ tools: [{ name: 'n' }] }, 'tools[0].input_schema'],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type'],
    [{ tool_choice: { type: 'tool' } }, 'tool_choice.name'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ output_config: { effort: 'huge' } }, 'output_config.effort'],
    [{ output_format: { type: 'json_object' } }, 'output_format.type'],
    [{ output_format: { type: 'json_schema' } }, 'output_format.schema'],
    [
      {
        output_format: { type: 'json_schema', schema: { type: 'object' } },
        output_config: { format: { type: 'json_schema', schema: { type: 'array' } } },
      },
      'output_format',
    ],
    [{ context_management: { edits: [{ type: 'compact_20260112' }] } }, 'context_management.edits[0].type'],
    [{ fallbacks: [{ model: 'a/b', max_tokens: 1 }] }, 'fallbacks[0]'],
    [{ fallbacks: [{ model: 'a/b' }], models: ['a/b'] }, 'fallbacks'],
    [{ provider: { sort: 'luck' } }, 'provider.sort'],
    [{ max_tokens: 0 }, 'max_tokens'],
  ])('answers 400 to %j, and asks no provider', async (fields, path) => {
    const refused = await ask<Failure>(fields);

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', metadata: { issues: [{ path }] } },
    });
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 200 with a fallback where the first model has no provider, and says how it was routed where it ends', async () => {
    gateway.alpha.answerWith(
      (response) => void response.writeHead(200, STREAM_HEAD).end(chunk({ content: 'Yes.' }) + STREAM_END),
    );
    const fields = { model: 'acme/unconnected', fallbacks: [{ model: WRITER }], stream: true };
    const answer = await ask<string>(fields, { 'X-Router-Metadata': 'enabled' });

    expect(answer.status).toBe(200);
    expect(answer.text.match(/router_metadata/g)).toHaveLength(1);
    expect(answer.text.trimEnd().split('\n\n').at(-1)).toMatch(/^event: message_stop\ndata: \{.*"router_metadata":\{/);
  });

  it('answers 200 with a call of a tool where the provider cut its arguments short', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'length' }] }));
    const answer = await ask({ tools: [TOOL] });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      content: [{ type: 'tool_use', id: 'call_1', input: { arguments: '{"city":' } }],
      stop_reason: 'max_tokens',
    });
  });
});
