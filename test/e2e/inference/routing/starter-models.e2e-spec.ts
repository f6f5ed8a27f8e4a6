import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { TestApplication } from '../../../support/application/test-application.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { completion, embeddings, STREAM_END, STREAM_HEAD, chunk } from '../provider-answers.js';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
};

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok', annotations: [] }] }],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
};

const HI = { messages: [{ role: 'user', content: 'Hi' }] };

const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const LONG = 'mcp__plugin_chrome-devtools-mcp_chrome-devtools__performance_analyze_insight';

/** What a request of a client becomes: what the body that the provider gets matches, and the fields that it does not have. */
const CASES: readonly (readonly [
  what: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  expected: object,
  absent?: readonly string[],
])[] = [
  [
    'a thought of Opus 4.7 as adaptive with an effort',
    '/chat/completions',
    { model: 'anthropic/claude-opus-4.7', ...HI, reasoning_effort: 'high', max_tokens: 16_000 },
    { model: 'claude-opus-4-7', thinking: { type: 'adaptive' }, output_config: { effort: 'high' }, max_tokens: 16_000 },
  ],
  [
    'one of temperature and top_p',
    '/chat/completions',
    { model: 'anthropic/claude-sonnet-4.6', ...HI, temperature: 0.7, top_p: 0.95 },
    { temperature: 0.7 },
    ['top_p'],
  ],
  [
    'an answer as long as the endpoint allows, of a chat',
    '/chat/completions',
    { model: 'anthropic/claude-sonnet-4.6', ...HI },
    { max_tokens: 128_000 },
  ],
  [
    'an answer as long as the endpoint allows, of a response',
    '/responses',
    { model: 'anthropic/claude-sonnet-4.6', input: 'Hi', store: false },
    { max_tokens: 128_000 },
  ],
  [
    'closed objects in a schema for Claude',
    '/chat/completions',
    {
      model: 'anthropic/claude-sonnet-4.6',
      ...HI,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: WEATHER } },
    },
    { output_config: { format: { schema: { ...WEATHER, additionalProperties: false } } } },
  ],
  [
    'an object for parameters {} of a tool of Claude',
    '/chat/completions',
    {
      model: 'anthropic/claude-sonnet-4.6',
      ...HI,
      tools: [{ type: 'function', function: { name: 'ping', parameters: {} } }],
    },
    { tools: [{ name: 'ping', input_schema: { type: 'object', properties: {} } }] },
  ],
  [
    'properties for a tool of the Messages form without parameters',
    '/messages',
    { model: 'openai/gpt-5.5', max_tokens: 100, ...HI, tools: [{ name: 'list', input_schema: { type: 'object' } }] },
    { tools: [{ name: 'list', parameters: { type: 'object', properties: {} } }] },
  ],
  [
    'no tools where there are none',
    '/responses',
    { model: 'openai/gpt-5.5', input: 'Hi', store: false, tools: [], tool_choice: 'auto', parallel_tool_calls: false },
    {},
    ['tools', 'tool_choice', 'parallel_tool_calls'],
  ],
  [
    'the effort beside tools',
    '/responses',
    {
      model: 'openai/gpt-5.5',
      input: 'Hi',
      store: false,
      reasoning: { effort: 'medium' },
      tools: [{ type: 'function', name: 'shell', parameters: WEATHER }],
    },
    { reasoning: { effort: 'medium' }, store: false },
    ['reasoning_effort', 'messages'],
  ],
  [
    'the effort beside tools of the Messages form',
    '/messages',
    {
      model: 'openai/gpt-5.5',
      max_tokens: 8_000,
      ...HI,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
      tools: [{ name: 'Bash', input_schema: WEATHER }],
    },
    { reasoning: { effort: 'high' }, max_output_tokens: 8_000, store: false },
    ['reasoning_effort', 'messages'],
  ],
  [
    'a name for a PDF that has none',
    '/messages',
    {
      model: 'openai/gpt-5.5',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' } },
            { type: 'text', text: 'Read' },
          ],
        },
      ],
    },
    { messages: [{ content: [{ type: 'file', file: { filename: 'document.pdf' } }, {}] }] },
  ],
  [
    'no prompt_cache_key for Gemini',
    '/responses',
    { model: 'google/gemini-3.1-pro-preview', input: 'Hi', store: false, prompt_cache_key: 'session-1' },
    {},
    ['prompt_cache_key', 'store'],
  ],
];

describe('The models of the starter catalog', () => {
  let app: TestApplication;
  let provider: ProviderServer;
  let key: IssuedCredential;

  beforeAll(async () => {
    provider = await ProviderServer.start();
    const connected = ['OPENAI', 'ANTHROPIC', 'MISTRAL', 'GOOGLE_AI_STUDIO', 'DEEPSEEK', 'XAI', 'GROQ'];
    const variables = connected.flatMap((id) => [
      [`PROVIDER_${id}_BASE_URL`, provider.baseUrl],
      [`PROVIDER_${id}_API_KEY`, 'sk-of-the-deployment'],
      [`PROVIDER_${id}_PROTOCOL`, id === 'ANTHROPIC' ? 'anthropic' : 'openai'],
    ]);
    app = await TestApplication.start({ variables: Object.fromEntries(variables) as Record<string, string> });
    await app.factory.starterCatalog();
    key = await app.factory.key(await app.factory.organization());
  });

  afterAll(async () => {
    await app.stop();
    await provider.stop();
  });

  beforeEach(() => {
    provider.received.length = 0;
    provider.answerWith((response, { path, body }) => {
      const { input } = body as { input?: unknown };
      const answer = path.endsWith('/messages')
        ? MESSAGE
        : path.endsWith('/responses')
          ? RESPONSE
          : path.endsWith('/embeddings')
            ? embeddings((Array.isArray(input) ? input : [input]).map(() => [0.1, 0.2]))
            : completion('ok');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });

  const ask = (path: string, json: object): Promise<{ status: number; text: string }> =>
    app.api.post(path, { key: key.plaintext, json });

  it.each(CASES.map(([what, path, body, expected, absent = []]) => [what, path, body, expected, absent] as const))(
    'get %s, for %s with 200',
    async (_what, path, body, expected, absent) => {
      const { status, text } = await ask(path, body);

      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
      const sent = provider.received.at(-1)!.body;
      expect(sent).toMatchObject(expected);
      for (const field of absent) expect(sent).not.toHaveProperty(field);
    },
  );

  it('call tools by names that OpenAI takes, and clients by their own in a stream with 200', async () => {
    provider.answerWith((response, { body }) => {
      const { name } = (body as { tools: { function: { name: string } }[] }).tools[0]!.function;
      const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: '{}' } };
      response.writeHead(200, STREAM_HEAD).end(chunk({ tool_calls: [call] }, 'tool_calls') + STREAM_END);
    });
    const { status, text } = await ask('/messages', {
      model: 'openai/gpt-4.1',
      max_tokens: 100,
      ...HI,
      stream: true,
      tools: [{ name: LONG, input_schema: WEATHER }],
    });

    expect(status).toBe(200);
    expect(text).toContain(LONG);
    const { tools } = provider.received.at(-1)!.body as { tools: { function: { name: string } }[] };
    expect(tools[0]!.function.name).toMatch(/^[\w-]{1,64}$/);
  });

  it.each([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-mini', 'gpt-4o-mini'],
    ['openai/gpt-4.1', 'gpt-4.1'],
    ['gpt-5', 'gpt-5'],
    ['gpt-5-mini', 'gpt-5-mini'],
    ['o3', 'o3'],
    ['o4-mini', 'o4-mini'],
    ['claude-opus-4-7', 'claude-opus-4-7'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4-0'],
    ['claude-haiku-4-5', 'claude-haiku-4-5'],
    ['gemini-2.5-flash', 'gemini-2.5-flash'],
    ['deepseek-v4-flash', 'deepseek-v4-flash'],
    ['codestral-latest', 'codestral-2508'],
    ['grok-4', 'grok-4'],
    ['llama-3.3-70b-instruct', 'llama-3.3-70b-versatile'],
  ])('answer with 200 to the name that people type first: %s', async (model, upstream) => {
    const { status } = await ask('/chat/completions', { model, ...HI, max_tokens: 10 });

    expect(status).toBe(200);
    expect(provider.received.at(-1)!.body).toMatchObject({ model: upstream });
  });

  it.each([
    ['text-embedding-3-small', 'text-embedding-3-small'],
    ['openai/text-embedding-3-large', 'text-embedding-3-large'],
    ['text-embedding-ada-002', 'text-embedding-ada-002'],
    ['gemini-embedding-001', 'gemini-embedding-001'],
    ['mistral-embed', 'mistral-embed'],
  ])('make embeddings with 200: %s', async (model, upstream) => {
    const { status } = await ask('/embeddings', { model, input: ['One', 'Two'] });

    expect(status).toBe(200);
    expect(provider.received.at(-1)!.body).toMatchObject({ model: upstream });
  });
});
