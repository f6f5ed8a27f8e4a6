import Anthropic from '@anthropic-ai/sdk';
import type { ModelCapabilities } from '../../src/modules/catalog/capabilities/model-capabilities.js';
import { CLAUDE, sentTo } from '../../src/modules/codecs/capabilities/translation.fixture.js';
import {
  chatRequestOfMessages,
  type MessagesRequest,
} from '../../src/modules/codecs/anthropic-messages/request-decoder.js';
import type { ModelAnswer } from '../support/network/model-answers.js';
import { ProviderServer } from '../support/network/provider-server.js';
import { claudeEvents, claudeMessage, searchBlocks } from '../support/network/simulated-claude.js';

const SEARCHED = { query: 'weather', found: ['get_weather'] };
const CALL = { id: 'toolu_1', name: 'get_weather', input: { city: 'Ulm' } };
const SAID: ModelAnswer = { searched: SEARCHED, text: 'Found.', calls: [CALL] };
const BLOCKS = [...searchBlocks(SEARCHED), { type: 'text', text: 'Found.' }, { type: 'tool_use', ...CALL }];

const TOOLS: Anthropic.ToolUnion[] = [
  { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  { name: 'get_weather', input_schema: { type: 'object' }, defer_loading: true },
];

const REQUEST: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  tools: TOOLS,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'What is the weather?' }] },
    { role: 'assistant', content: BLOCKS as Anthropic.ContentBlockParam[] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: CALL.id, content: [{ type: 'text', text: 'Rain' }] }],
    },
  ],
};

describe('A search for tools, as the official client of Anthropic has it', () => {
  let claude: ProviderServer;
  let client: Anthropic;

  beforeAll(async () => {
    claude = await ProviderServer.start();
    client = new Anthropic({
      apiKey: 'claude-key',
      authToken: null,
      baseURL: new URL(claude.baseUrl).origin,
      maxRetries: 0,
    });
  });

  afterAll(() => claude.stop());

  it('is read in the whole answer of the simulated provider', async () => {
    claude.answerJson(claudeMessage(SAID));
    const message = await client.messages.create(REQUEST);
    expect(message.content).toEqual(BLOCKS);
    expect(message.stop_reason).toBe('tool_use');
  });

  it('is read in the stream of the simulated provider', async () => {
    const events = claudeEvents(SAID) as readonly { readonly type: string }[];
    claude.answerStream(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    const message = await client.messages.stream(REQUEST).finalMessage();
    expect(message.content).toEqual(BLOCKS);
  });

  it('is asked for, and handed back, with the body that the gateway sends', async () => {
    claude.answerJson(claudeMessage(SAID));
    await client.messages.create(REQUEST);
    const capabilities: ModelCapabilities = { tool_search: true };
    const sent = sentTo(
      { ...CLAUDE, capabilities },
      chatRequestOfMessages(REQUEST as unknown as MessagesRequest, undefined),
    );
    const { model: _model, ...body } = claude.received.at(-1)!.body as Record<string, unknown>;
    expect(sent).toMatchObject(body);
  });
});
