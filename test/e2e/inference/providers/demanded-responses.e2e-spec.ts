import OpenAI from 'openai';
import type { Factory } from '../../../support/application/factory.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { TestApplication } from '../../../support/application/test-application.js';
import { ProviderServer, type ReceivedRequest } from '../../../support/network/provider-server.js';
import { type AgentClient, CHAT_CLIENT, CLAUDE_CODE, CODEX } from '../clients/agent-clients.js';
import { answerAsOpenAI, CALL, THOUGHT } from './simulated-openai.js';
import type { Fields } from './strict-providers.js';

const MODEL = 'openai/gpt-5.5';

/** A coding agent, how it asks for an effort and keeps a whole answer, and what its requests have that no provider gets. */
const AGENTS: readonly (readonly [string, AgentClient, object, (answer: Fields) => unknown, readonly string[]])[] = [
  [
    'chats',
    CHAT_CLIENT,
    { reasoning: undefined, reasoning_effort: 'high' },
    ({ choices }) => [(choices as { message: object }[])[0]!.message],
    [],
  ],
  [
    'the Messages form',
    CLAUDE_CODE,
    { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ({ content }) => [{ role: 'assistant', content }],
    [],
  ],
  [
    'the Responses form',
    CODEX,
    { reasoning: { effort: 'high' } },
    ({ output }) => output,
    ['tools.1: tool_of_provider'],
  ],
];

interface Started {
  readonly app: TestApplication;
  readonly factory: Factory;
  readonly openai: ProviderServer;
}

async function start(): Promise<Started> {
  const openai = await ProviderServer.start();
  const variables = { PROVIDER_OPENAI_BASE_URL: openai.baseUrl, PROVIDER_OPENAI_API_KEY: 'sk-of-the-deployment' };
  const app = await TestApplication.start({ variables });
  await app.factory.starterCatalog();
  return { app, factory: app.factory, openai };
}

describe('A model that thinks beside tools in the Responses interface alone, over a connection for chats', () => {
  const started = filledBefore(beforeAll, start);
  const key = keyPerTest(started, organizationPerTest(started));

  afterAll(async () => {
    await started.app.stop();
    await started.openai.stop();
  });

  beforeEach(() => {
    started.openai.received.length = 0;
    started.openai.answerWith(answerAsOpenAI);
  });

  const ask = (path: string, fields: object): Promise<{ status: number; text: string; headers: Headers }> =>
    started.app.api.post(path, { key: key.plaintext, json: { model: MODEL, ...fields } });

  const adjustmentsOf = async ({ headers }: { headers: Headers }): Promise<readonly string[]> => {
    const path = `/generation?id=${headers.get('x-generation-id')}`;
    const { body } = await started.app.api.get<{ data: { adjustments: { path: string; reason: string }[] } }>(path, {
      key: key.plaintext,
    });
    return body.data.adjustments.map(({ path: where, reason }) => `${where}: ${reason}`);
  };

  const sentBodies = (): readonly unknown[] => started.openai.received.map(({ body }: ReceivedRequest) => body);

  describe.each(AGENTS)('by a client of %s', (_form, client, effort, keptOfWhole, adjustments) => {
    it.each([
      ['whole', false],
      ['as a stream', true],
    ])('answers 200 %s with its thoughts and the call, and takes both back with the result', async (_how, stream) => {
      const asked = (history: readonly Fields[]): object => ({ ...client.request(history), ...effort, stream });
      const keptOf = (text: string): readonly Fields[] =>
        stream
          ? client.kept(
              text
                .split('\n')
                .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
                .map((line) => JSON.parse(line.slice('data: '.length)) as Fields),
            )!
          : (keptOfWhole(JSON.parse(text) as Fields) as readonly Fields[]);

      const question = client.asks('What is x?');
      const first = await ask(client.path, asked(question));
      expect({ status: first.status, text: first.text }).toMatchObject({ status: 200 });
      const kept = keptOf(first.text);
      expect(client.calls(kept)).toEqual([{ id: 'call_1', input: { turn: 1 } }]);

      const second = await ask(client.path, asked([...question, ...kept, ...client.results(['call_1'])]));
      expect({ status: second.status, text: second.text }).toMatchObject({ status: 200 });
      expect(JSON.stringify(keptOf(second.text))).toContain('All done.');

      expect(started.openai.received.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
      for (const body of sentBodies()) {
        expect(body).toMatchObject({
          model: 'gpt-5.5',
          reasoning: { effort: 'high' },
          tools: [{ type: 'function', name: 'look_up' }],
          include: ['reasoning.encrypted_content'],
          store: false,
        });
      }
      const { input } = sentBodies()[1] as { input: { type: string }[] };
      expect(input.slice(-3)).toMatchObject([
        { type: 'reasoning', encrypted_content: 'opaque' },
        { type: 'function_call', call_id: 'call_1', name: 'look_up' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Found.' },
      ]);
      for (const answer of [first, second]) expect(await adjustmentsOf(answer)).toEqual(adjustments);
    });

    it('answers 200 without tools from the operation for chats, with the effort', async () => {
      const {
        tools: _tools,
        tool_choice: _choice,
        parallel_tool_calls: _parallel,
        ...fields
      } = client.request(client.asks('What is x?'));
      const answer = await ask(client.path, { ...fields, ...effort, stream: false });

      expect(answer).toMatchObject({ status: 200 });
      expect(started.openai.received).toMatchObject([
        { path: '/v1/chat/completions', body: { reasoning_effort: 'high' } },
      ]);
    });
  });

  it.each([
    ['chats by reasoning_effort', CHAT_CLIENT, { reasoning: undefined, reasoning_effort: 'high' }, { effort: 'high' }],
    ['chats by reasoning', CHAT_CLIENT, { reasoning: { effort: 'high' } }, { effort: 'high', summary: 'auto' }],
    [
      'the Messages form',
      CLAUDE_CODE,
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      { effort: 'high', summary: 'auto' },
    ],
    ['the Responses form', CODEX, { reasoning: { effort: 'high' } }, { effort: 'high' }],
    [
      'the Responses form with a summary',
      CODEX,
      { reasoning: { effort: 'high', summary: 'detailed' } },
      { effort: 'high', summary: 'detailed' },
    ],
  ])(
    'answers 200 with a summary of its thoughts only to who asks for one: %s',
    async (_form, client, effort, reasoning) => {
      const fields = { ...client.request(client.asks('What is x?')), ...effort, stream: false };

      expect(await ask(client.path, fields)).toMatchObject({ status: 200 });
      expect((sentBodies()[0] as { reasoning: unknown }).reasoning).toEqual(reasoning);
    },
  );

  it('answers 200 beside the effort none from the operation for chats', async () => {
    const answer = await ask('/chat/completions', {
      ...CHAT_CLIENT.request(CHAT_CLIENT.asks('What is x?')),
      ...{ reasoning: { effort: 'none' }, stream: false },
    });

    expect(answer).toMatchObject({ status: 200 });
    expect(started.openai.received).toMatchObject([
      { path: '/v1/chat/completions', body: { reasoning_effort: 'none' } },
    ]);
    expect(await adjustmentsOf(answer)).toEqual([]);
  });

  it('answers a stream of 200 whose echo of the request is what the Responses interface gets', async () => {
    const { text, status } = await ask('/chat/completions', {
      ...CHAT_CLIENT.request(CHAT_CLIENT.asks('What is x?')),
      debug: { echo_upstream_body: true },
    });

    expect(status).toBe(200);
    const [echo] = text.split('\n').filter((line) => line.includes('echo_upstream_body'));
    expect(JSON.parse(echo!.slice('data: '.length))).toMatchObject({
      debug: { echo_upstream_body: sentBodies()[0] },
    });
  });

  it('answers 400 with the provider’s own words for what it refuses there', async () => {
    started.openai.answerWith((response) => {
      const error = { type: 'invalid_request_error', message: 'The summary needs a verified organization.' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const { status, text } = await ask('/chat/completions', {
      ...CHAT_CLIENT.request(CHAT_CLIENT.asks('What is x?')),
      stream: false,
    });

    expect(status).toBe(400);
    expect(text).toContain('The summary needs a verified organization.');
    expect(started.openai.received).toHaveLength(1);
  });

  it('is played with answers of 200 that OpenAI’s own client reads, whole and as a stream', async () => {
    const client = new OpenAI({ baseURL: started.openai.baseUrl, apiKey: 'sk' });
    const asked = { model: 'gpt-5.5', input: [{ type: 'message' as const, role: 'user' as const, content: 'Hi' }] };
    const whole = await client.responses.create(asked);
    const streamed = await client.responses.stream(asked).finalResponse();

    for (const { output } of [whole, streamed]) expect(output).toMatchObject([THOUGHT, CALL]);
  });
});
