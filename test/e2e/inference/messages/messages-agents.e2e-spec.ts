import { ANSWER, type Failure, messagesRequests, SPARE } from './messages-requests.js';

const own = (name: string, fields: object = {}): object => ({ name, input_schema: { type: 'object' }, ...fields });

/** A conversation of a client that searches its tools, and has found one of them. */
const SEARCHED = {
  tools: [own('ToolSearch'), own('query', { defer_loading: true }), own('drop', { defer_loading: true })],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'query' }] }],
    },
  ],
};

/** A conversation in which a provider has searched the web. */
const HOSTED = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'jane.doe@example.com' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'web_search_result', title: 'T' }] },
];

const hostedMessages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [...HOSTED, { type: 'text', text: 'Found.' }] },
  { role: 'user', content: 'Go on.' },
];

describe('createMessages', () => {
  const { gateway, organization, key, ask } = messagesRequests();

  const sentTo = (provider: 'alpha' | 'beta'): Record<string, unknown> =>
    gateway[provider].received.at(-1)!.body as Record<string, unknown>;

  const adjustments = async (answer: { readonly headers: Headers }): Promise<unknown> =>
    (await gateway.record(answer, key))['adjustments'];

  it('answers 200 from a provider of the form with the references and deferred tools of a search of the client', async () => {
    gateway.beta.answerJson(ANSWER);
    const answer = await ask({ ...SEARCHED, model: SPARE, provider: {} });

    expect(answer.status).toBe(200);
    expect(sentTo('beta')).toMatchObject({ tools: SEARCHED.tools });
    const { messages } = sentTo('beta') as { messages: { content: object[] }[] };
    expect(messages[2]!.content).toEqual(SEARCHED.messages[2]!.content);
  });

  it('answers 200 from a provider of another form with the tools that the search has found', async () => {
    const answer = await ask(SEARCHED);

    expect(answer.status).toBe(200);
    const { tools, messages } = sentTo('alpha') as { tools: { function: { name: string } }[]; messages: object[] };
    expect(tools.map((tool) => tool.function.name)).toEqual(['ToolSearch', 'query']);
    expect(JSON.stringify(messages[2])).toContain('This tool can be called now: query');
    expect(await adjustments(answer)).toContainEqual({
      path: 'tools',
      action: 'left_out',
      reason: 'tool_not_found_yet',
    });
  });

  it('answers 200 with blocks of a provider’s tools handed on as they are, or left out with a note', async () => {
    gateway.beta.answerJson(ANSWER);
    const [same, other] = [
      await ask({ messages: hostedMessages, model: SPARE, provider: {} }),
      await ask({ messages: hostedMessages }),
    ];

    expect([same.status, other.status]).toEqual([200, 200]);
    expect((sentTo('beta') as { messages: { content: object[] }[] }).messages[1]!.content.slice(0, 2)).toEqual(HOSTED);
    expect((sentTo('alpha') as { messages: object[] }).messages[1]).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'Found.' }],
    });
    expect(await adjustments(other)).toContainEqual({
      path: 'messages.*.content',
      action: 'left_out',
      reason: 'block_without_counterpart',
    });
  });

  it('answers 200 with such blocks redacted, because content filters read all of them', async () => {
    gateway.beta.answerJson(ANSWER);
    const guarded = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    const { status } = await ask({ messages: hostedMessages, model: SPARE, provider: {} }, {}, guarded);

    expect(status).toBe(200);
    expect(JSON.stringify(sentTo('beta'))).not.toContain('jane.doe');
    expect(JSON.stringify(sentTo('beta'))).toContain('[EMAIL]');
  });

  it('answers 400 for such a block of the user where the provider has no form for it', async () => {
    const messages = [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }];
    const { status, body } = await ask<Failure>({ messages, provider: { order: ['alpha'], allow_fallbacks: false } });

    expect(status).toBe(400);
    expect(body.error.message).toContain('container_upload');
  });

  it('answers 200 without tools that a provider would run, and 400 where one is chosen', async () => {
    const hosted = { type: 'web_search_20250305', name: 'web_search' };
    const answer = await ask({ tools: [hosted, own('look')] });
    const chosen = await ask({ tools: [hosted, own('look')], tool_choice: { type: 'tool', name: 'web_search' } });

    expect([answer.status, chosen.status]).toEqual([200, 400]);
    expect((sentTo('alpha') as { tools: object[] }).tools).toHaveLength(1);
    expect(await adjustments(answer)).toContainEqual({
      path: 'tools.0',
      action: 'left_out',
      reason: 'tool_of_provider',
    });
  });
});
