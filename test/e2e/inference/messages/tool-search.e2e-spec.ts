import Anthropic from '@anthropic-ai/sdk';
import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { ModelAnswer } from '../../../support/network/model-answers.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { claudeEvents, claudeMessage, searchBlocks } from '../../../support/network/simulated-claude.js';
import { endpointEntry, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { sharedGateway } from '../shared-gateway.js';
import { ANSWER, SPARE } from './messages-requests.js';

const CLAUDE = 'anthropic/claude-sonnet-4.6';

const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' } } };

const TOOLS: Anthropic.ToolUnion[] = [
  { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  { name: 'get_weather', input_schema: SCHEMA, defer_loading: true },
  { name: 'look', input_schema: SCHEMA },
];

const SEARCHED = { query: 'weather', found: ['get_weather'] };
const CALL = { id: 'toolu_1', name: 'get_weather', input: { city: 'Ulm' } };
const SAID: ModelAnswer = { searched: SEARCHED, text: 'Found.', calls: [CALL] };
const BLOCKS = [...searchBlocks(SEARCHED), { type: 'text', text: 'Found.' }, { type: 'tool_use', ...CALL }];

const QUESTION = { role: 'user' as const, content: 'What is the weather?' };
const RESULT = { type: 'tool_result' as const, tool_use_id: CALL.id, content: 'Rain' };

interface Sent {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly { readonly content: unknown }[];
}

describe('A search for tools that the provider of a Claude model runs', () => {
  const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let claude: ProviderServer;

  beforeAll(async () => {
    claude = await ProviderServer.start();
    await gateway.app.application.get(ConnectionsService).connect({
      provider: 'anthropic',
      protocol: 'anthropic',
      baseUrl: claude.baseUrl,
      apiKey: 'claude-key-0123456789',
      models: {},
      timeouts: {},
    });
    await importCatalog(gateway.app, {
      providers: [{ slug: 'anthropic', name: 'Anthropic' }],
      models: [modelEntry(CLAUDE)],
      endpoints: [
        { id: CLAUDE, endpoints: [endpointEntry('anthropic', { supported_parameters: ['max_tokens', 'tools'] })] },
      ],
    });
  });

  beforeEach(() => {
    claude.answerWith((response, { body }) => {
      if ((body as { stream?: boolean }).stream !== true) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claudeMessage(SAID)));
        return;
      }
      const events = claudeEvents(SAID) as readonly { readonly type: string }[];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });

  afterAll(() => claude.stop());

  const client = (): Anthropic =>
    new Anthropic({ apiKey: key.plaintext, authToken: null, baseURL: `${gateway.app.origin}/api`, maxRetries: 0 });

  const asked = (messages: Anthropic.MessageParam[]): Anthropic.MessageCreateParamsNonStreaming => ({
    model: CLAUDE,
    max_tokens: 100,
    tools: TOOLS,
    messages,
  });

  const sentTo = (provider: ProviderServer): Sent => provider.received.at(-1)!.body as Sent;

  it.each([false, true])(
    'is shown (200) to the official client of the Messages form, and comes back with the conversation; streamed: %s',
    async (isStreamed) => {
      const { messages } = client();
      const message = isStreamed
        ? await messages.stream(asked([QUESTION])).finalMessage()
        : await messages.create(asked([QUESTION]));
      expect(message.content).toMatchObject(BLOCKS);
      expect(sentTo(claude).tools).toEqual(TOOLS);

      const turns: Anthropic.MessageParam[] = [
        QUESTION,
        { role: 'assistant', content: message.content },
        { role: 'user', content: [RESULT] },
      ];
      await messages.create(asked(turns));
      expect(sentTo(claude).messages[1]!.content).toMatchObject(BLOCKS);
    },
  );

  it('is left out with a note (200) for a provider of the form that runs none, which is offered all tools', async () => {
    gateway.beta.answerJson(ANSWER);
    const turns = [QUESTION, { role: 'assistant', content: BLOCKS }, { role: 'user', content: [RESULT] }];
    const answer = await gateway.app.api.post('/messages', {
      key: key.plaintext,
      json: { ...asked([]), model: SPARE, messages: turns },
    });
    expect(answer.status).toBe(200);
    const { tools, messages } = sentTo(gateway.beta);
    expect(tools).toEqual([
      { name: 'get_weather', input_schema: SCHEMA },
      { name: 'look', input_schema: SCHEMA },
    ]);
    expect(messages[1]!.content).toEqual(BLOCKS.slice(2));
    expect((await gateway.record(answer, key))['adjustments']).toEqual(
      expect.arrayContaining([
        { path: 'tools.0', action: 'left_out', reason: 'tool_of_provider' },
        { path: 'messages.*.content', action: 'left_out', reason: 'block_without_counterpart' },
      ]),
    );
  });

  it('is a call of the client of the Responses form (200), whose result offers what it has found', async () => {
    const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: SCHEMA };
    const call = { id: 'toolu_2', name: 'tool_search', input: { city: 'Ulm' } };
    claude.answerJson(claudeMessage({ calls: [call] }));
    const respond = async (input: unknown): Promise<{ output: Record<string, unknown>[] }> => {
      const { status, body } = await gateway.app.api.post<{ output: Record<string, unknown>[] }>('/responses', {
        key: key.plaintext,
        json: { model: CLAUDE, input, tools: [search] },
      });
      expect(status).toBe(200);
      return body;
    };
    const first = await respond('What is the weather?');
    expect(sentTo(claude).tools).toMatchObject([{ name: 'tool_search' }]);
    expect(first.output).toMatchObject([{ type: 'tool_search_call', arguments: call.input, execution: 'client' }]);

    claude.answerJson(claudeMessage({ calls: [CALL] }));
    const found = { type: 'function', name: 'get_weather', description: 'Tells it.', parameters: SCHEMA };
    const second = await respond([
      { role: 'user', content: 'What is the weather?' },
      first.output[0],
      { type: 'tool_search_output', call_id: first.output[0]!['call_id'], execution: 'client', tools: [found] },
    ]);
    expect(sentTo(claude).tools.map(({ name }) => name)).toEqual(['tool_search', 'get_weather']);
    expect(second.output).toMatchObject([{ type: 'function_call', name: 'get_weather' }]);
  });
});
