import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { exceptionMessage } from '../../../support/network/amazon-messages.js';
import {
  answerConverse,
  answerInvoke,
  asksForStream,
  converseDocument,
  converseMessages,
  failingMessages,
  invokeMessages,
  refuse,
  sendMessages,
} from '../../../support/network/simulated-bedrock.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { claudeEvents, claudeMessage } from '../../../support/network/simulated-claude.js';
import { sharedGateway } from '../shared-gateway.js';
import { EMBEDDER, endpoint, PROVIDER_KEY } from '../test-gateway.js';
import { IMAGE, PDF, SCHEMA, TOOL } from './plain-clients.js';
import { describeTable, SEEING, sendCut } from './dialect-table.js';

const MODEL = 'anthropic/claude-sonnet-4.5';
const INVOKED = 'anthropic/claude-haiku-4.5';
const TITAN = 'amazon/titan-embed-text-v2';
const COHERE = 'cohere/embed-v4';

const asked = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });

const TOOL_SPEC = { name: TOOL.name, description: TOOL.description, inputSchema: { json: TOOL.parameters } };

const CALL = { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } };
const OTHER = { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: { city: 'Bonn' } } };
const THOUGHT = { reasoningContent: { reasoningText: { text: 'I look it up.', signature: 'c2lnbmF0dXJl' } } };
const resultOf = (toolUseId: string, text: string): object => ({
  toolResult: { toolUseId, content: [{ text }], status: 'success' },
});

describe('Amazon Bedrock', () => {
  const gateway = sharedGateway({
    variables: { PROVIDER_BETA_PROTOCOL: 'converse', ALLOW_PRIVATE_IMAGE_ADDRESSES: 'true' },
    models: {
      [MODEL]: [endpoint('beta', { supported_parameters: [] })],
      [INVOKED]: [endpoint('nobody', { supported_parameters: [], upstream_id: 'anthropic.claude-opus-4-5-v1:0' })],
      [TITAN]: [endpoint('beta', { supported_parameters: [] })],
      [COHERE]: [endpoint('beta', { supported_parameters: [] })],
    },
    facts: { [MODEL]: SEEING, [INVOKED]: SEEING, [TITAN]: EMBEDDER, [COHERE]: EMBEDDER },
  });

  beforeAll(async () => {
    const region = { region: 'eu-central-1' };
    const { baseUrl } = gateway.alpha;
    const connection = {
      provider: 'nobody',
      preset: 'bedrock-claude',
      settings: region,
      baseUrl,
      apiKey: PROVIDER_KEY,
    };
    await gateway.app.application.get(ConnectionsService).connect({ ...connection, timeouts: {}, models: {} });
  });

  describe('by Converse', () =>
    describeTable(gateway, 'beta', {
      model: MODEL,
      answer: answerConverse,
      refuse: (response) => refuse(response, 'ThrottlingException', 429, 'Too many tokens, please wait.'),
      failWithin: (answer, response) =>
        sendMessages(response, failingMessages(answer, 'modelStreamErrorException', 'Lost')),
      cut(answer, response, request) {
        if (asksForStream(request)) sendMessages(response, converseMessages(answer).slice(0, 3));
        else sendCut(response, converseDocument(answer));
      },
      received: {
        text: {
          system: [{ text: 'Be short.' }],
          ...asked({ text: 'Weather?' }),
          inferenceConfig: { maxTokens: 4_000 },
        },
        'a tool': { toolConfig: { tools: [{ toolSpec: TOOL_SPEC }] } },
        'an image': asked({ text: 'What is it?' }, { image: { format: 'png', source: { bytes: IMAGE } } }),
        'a PDF': asked(
          { text: 'What is it?' },
          { document: { format: 'pdf', name: 'Document 1 report pdf', source: { bytes: PDF } } },
        ),
        thinking: { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 3_200 } } },
        'structured output': {
          outputConfig: {
            textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(SCHEMA) } } },
          },
        },
        // The form of Responses has no marks.
        'a mark for the cache': (form) =>
          asked({ text: 'Weather?' }, ...(form === 'responses' ? [] : [{ cachePoint: { type: 'default' } }])),
      },
      next: {
        'a tool': {
          messages: [
            {},
            { role: 'assistant', content: [CALL] },
            { role: 'user', content: [resultOf('tooluse_1', '7 °C')] },
          ],
        },
        'parallel tools': {
          messages: [
            {},
            { role: 'assistant', content: [{ text: 'I look.' }, CALL, OTHER] },
            { role: 'user', content: [resultOf('tooluse_1', '7 °C'), resultOf('tooluse_2', '8 °C')] },
          ],
        },
        thinking: {
          messages: [{}, { role: 'assistant', content: [THOUGHT, CALL] }, { role: 'user' }],
          additionalModelRequestFields: { thinking: { type: 'enabled' } },
        },
      },
    }));

  describe('asked about media at addresses', () => {
    const key = keyPerTest(gateway, organizationPerTest(gateway));
    let files: ProviderServer;

    beforeAll(async () => {
      files = await ProviderServer.start();
    });

    afterAll(() => files.stop());

    beforeEach(() => {
      files.answerWith((response, { path }) => {
        const data = path.endsWith('/a.png') ? IMAGE : path.endsWith('/a.pdf') ? PDF : undefined;
        if (data === undefined) response.writeHead(path.endsWith('/a.txt') ? 200 : 404).end('text');
        else response.writeHead(200).end(Buffer.from(data, 'base64'));
      });
      gateway.beta.answerWith((response, request) => answerConverse({ text: 'Fine.' }, response, request));
      gateway.alpha.answerWith((response, request) => answerInvoke({ text: 'Fine.' }, response, request));
    });

    const askOf = (model: string, names: readonly string[], stream = false): object => ({
      model,
      provider: null,
      stream,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            ...names.map((name) => {
              const url = `${files.baseUrl}/${name}`;
              return name.endsWith('.png')
                ? { type: 'image_url', image_url: { url } }
                : { type: 'file', file: { file_data: url, filename: 'report.pdf' } };
            }),
          ],
        },
      ],
    });

    const CLAUDE_BLOCKS = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
    ];
    const CONVERSE_BLOCKS = [
      { image: { format: 'png', source: { bytes: IMAGE } } },
      { document: { format: 'pdf', source: { bytes: PDF } } },
    ];

    it.each([
      [MODEL, false],
      [MODEL, true],
      [INVOKED, false],
      [INVOKED, true],
    ])('answers 200, and sends %s images and documents in base64 (stream: %j)', async (model, stream) => {
      const answer = await gateway.ask<unknown>(key, askOf(model, ['a.png', 'a.pdf', 'a.png'], stream));
      expect(answer.status).toBe(200);
      const { received } = model === MODEL ? gateway.beta : gateway.alpha;
      const blocks = model === MODEL ? CONVERSE_BLOCKS : CLAUDE_BLOCKS;
      expect(received).toHaveLength(1);
      expect(received[0]!.body).toMatchObject({
        messages: [{ role: 'user', content: [{ text: 'What is it?' }, ...blocks, blocks[0]] }],
      });
      expect(files.received).toHaveLength(2);
    });

    it.each([
      ['none.png', 'answered 404'],
      ['a.txt', 'has no image'],
    ])('answers 400, and says why %s is not sent', async (name, why) => {
      for (const model of [MODEL, INVOKED]) {
        const answer = await gateway.ask<ErrorBody>(key, askOf(model, [name]));
        expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(why)]);
      }
      expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
    });

    it('answers 400 for more addresses than are fetched', async () => {
      const names = Array.from({ length: 101 }, (_, index) => `${index}/a.png`);
      expect((await gateway.ask(key, askOf(MODEL, names))).status).toBe(400);
      expect(files.received).toEqual([]);
    });
  });

  describe('asked for chats', () => {
    const key = keyPerTest(gateway, organizationPerTest(gateway));

    it.each([false, true])(
      'answers 200, and records the request id of its head as the upstream id: streamed %s',
      async (stream) => {
        gateway.beta.answerWith((response, request) => answerConverse({ text: 'Fine.' }, response, request));
        const ask = { model: MODEL, provider: null, stream };
        const answer = await gateway.ask<unknown>(key, ask);

        expect(answer.status).toBe(200);
        expect(await gateway.record(answer, key)).toMatchObject({ status: 200, upstream_id: 'request-1' });
      },
    );
  });

  describe('asked for embeddings', () => {
    const key = keyPerTest(gateway, organizationPerTest(gateway));

    it('answers 200 with those of Cohere, whose tokens all calls count in their heads, and costs them', async () => {
      let calls = 0;
      gateway.beta.answerWith((response, { body }) => {
        const { texts } = body as { texts: string[] };
        calls += 1;
        const head = {
          'x-amzn-requestid': `request-${calls}`,
          'x-amzn-bedrock-input-token-count': `${texts.length * 3}`,
        };
        const document = { embeddings: { float: texts.map(() => [0.5]) } };
        response.writeHead(200, { 'content-type': 'application/json', ...head }).end(JSON.stringify(document));
      });
      const input = Array.from({ length: 100 }, (_, at) => `text ${at}`);
      const answer = await gateway.embed(key, { model: COHERE, input, provider: null });

      expect([answer.status, answer.body.usage]).toMatchObject([200, { prompt_tokens: 300, cost: 0.0003 }]);
      expect(gateway.beta.received).toHaveLength(2);
      expect(await gateway.record(answer, key)).toMatchObject({
        tokens_prompt: 300,
        is_usage_estimated: false,
        upstream_id: expect.stringMatching(/^request-[12]$/) as string,
      });
    });

    it('answers 200 with those of all texts, which a model takes one by one', async () => {
      gateway.beta.answerWith((response, { body }) => {
        const size = (body as { inputText: string }).inputText.length;
        const document = { embedding: [size, 0.5], inputTextTokenCount: size };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      });
      const { status, body } = await gateway.embed(key, { model: TITAN, input: ['a', 'bcd'], dimensions: 256 });

      expect(status).toBe(200);
      expect(body.data.map(({ embedding }) => embedding)).toEqual([
        [1, 0.5],
        [3, 0.5],
      ]);
      expect(body.usage).toMatchObject({ prompt_tokens: 4 });
      expect(gateway.beta.received).toHaveLength(2);
      expect(gateway.beta.received[0]).toMatchObject({
        path: expect.stringMatching(/^\/v1\/model\/[^/]+\/invoke$/) as string,
        body: { inputText: 'a', dimensions: 256 },
      });
    });
  });

  describe('by Invoke', () =>
    describeTable(gateway, 'alpha', {
      model: INVOKED,
      answer: answerInvoke,
      refuse: (response) => refuse(response, 'ThrottlingException', 429, 'Too many tokens, please wait.'),
      failWithin: (answer, response) =>
        sendMessages(response, [
          ...invokeMessages(claudeEvents(answer)).slice(0, 3),
          exceptionMessage('modelStreamErrorException', { message: 'Lost' }),
        ]),
      cut(answer, response, request) {
        if (asksForStream(request)) sendMessages(response, invokeMessages(claudeEvents(answer)).slice(0, 3));
        else sendCut(response, claudeMessage(answer));
      },
      received: {
        text: {
          anthropic_version: 'bedrock-2023-05-31',
          system: [{ type: 'text', text: 'Be short.' }],
          max_tokens: 4_000,
        },
        'a tool': { tools: [{ name: TOOL.name, input_schema: TOOL.parameters }] },
        'a mark for the cache': (form) =>
          asked({ text: 'Weather?', ...(form !== 'responses' && { cache_control: { type: 'ephemeral' } }) }),
      },
      next: {
        thinking: {
          messages: [
            {},
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'I look it up.', signature: 'c2lnbmF0dXJl' },
                { type: 'tool_use', id: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } },
              ],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'tooluse_1' }] },
          ],
          thinking: { type: 'enabled' },
        },
      },
    }));
});
