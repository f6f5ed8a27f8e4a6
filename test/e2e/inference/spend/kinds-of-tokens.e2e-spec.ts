import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer } from '../../../support/network/api-client.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { endpointEntry, imageEndpoint, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { pngOf } from '../images/image-gateway.js';
import { chunk, completion, STREAM_HEAD } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { sharedGateway } from '../shared-gateway.js';

type Dialect = 'anthropic' | 'converse' | 'gemini' | 'openai' | 'openai-responses';

const PRICES = { prompt: '0.000005', completion: '0.00001' };

/** An image costs 0.039 at 1K, and 0.1 at 4K. */
const LINES = [
  { billable: 'output_image', unit: 'image', cost_usd: 0.039, variant: '1K' },
  { billable: 'output_image', unit: 'image', cost_usd: 0.1, variant: '4K' },
];

const DRAWS = {
  architecture: { modality: 'text->text+image', input_modalities: ['text'], output_modalities: ['text', 'image'] },
};

/** Of a thousand pixels each way. */
const PNG = pngOf(1_024, 1_024);

const IMAGE = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };

const json = (document: object) => ({ head: { 'content-type': 'application/json' }, body: JSON.stringify(document) });
const events = (documents: readonly object[]) => ({
  head: STREAM_HEAD,
  body: documents.map((document) => `data: ${JSON.stringify(document)}\n\n`).join(''),
});

const GEMINI = (data: string): object => ({
  candidates: [
    { content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] }, finishReason: 'STOP' },
  ],
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: 1_290,
    totalTokenCount: 1_300,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
  },
});

const COUNTED = { prompt_tokens: 10, completion_tokens: 1_290, total_tokens: 1_300 };

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PNG }],
  usage: { input_tokens: 10, output_tokens: 1_290, total_tokens: 1_300 },
};

/** An answer that is an image, by how each dialect writes it. */
const DRAWN: readonly (readonly [Dialect, boolean, { readonly head: object; readonly body: string }])[] = [
  ['gemini', false, json(GEMINI(PNG))],
  ['gemini', true, events([GEMINI(PNG)])],
  [
    'openai',
    false,
    json(
      completion('', {
        usage: COUNTED,
        choices: [{ index: 0, message: { role: 'assistant', content: '', images: [IMAGE] }, finish_reason: 'stop' }],
      }),
    ),
  ],
  [
    'openai',
    true,
    {
      head: STREAM_HEAD,
      body: `${chunk({ role: 'assistant', images: [IMAGE] })}${chunk({}, 'stop', { usage: COUNTED })}data: [DONE]\n\n`,
    },
  ],
  ['openai-responses', false, json(RESPONSE)],
];

const WRITTEN = { cache_creation_input_tokens: 1_000, cache_read_input_tokens: 0, input_tokens: 0, output_tokens: 0 };

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Well' }],
  stop_reason: 'end_turn',
};

const CONVERSED = {
  output: { message: { role: 'assistant', content: [{ text: 'Well' }] } },
  stopReason: 'end_turn',
};

/** A thousand tokens that were written to a cache, as providers say it, and what they cost with one token of the answer or none. */
const WRITES: readonly (readonly [string, Dialect, object, number])[] = [
  [
    'of which the provider says so',
    'anthropic',
    {
      ...MESSAGE,
      usage: {
        ...WRITTEN,
        output_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000 },
      },
    },
    0.01001,
  ],
  [
    'of which the provider does not say how long it keeps them',
    'anthropic',
    { ...MESSAGE, usage: { ...WRITTEN, output_tokens: 1 } },
    0.01001,
  ],
  [
    'without their sum',
    'anthropic',
    {
      ...MESSAGE,
      usage: {
        input_tokens: 0,
        output_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000 },
      },
    },
    0.01001,
  ],
  [
    'of a provider that says so of a part',
    'anthropic',
    {
      ...MESSAGE,
      usage: {
        ...WRITTEN,
        output_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 600 },
      },
    },
    0.00851,
  ],
  [
    'at Amazon Bedrock',
    'converse',
    {
      ...CONVERSED,
      usage: {
        inputTokens: 0,
        outputTokens: 1,
        totalTokens: 1_001,
        cacheWriteInputTokens: 1_000,
        cacheDetails: [{ inputTokens: 1_000, ttl: '1h' }],
      },
    },
    0.01001,
  ],
  [
    'at a server of the form of OpenAI',
    'openai',
    completion('Well', {
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 1,
        total_tokens: 1_001,
        prompt_tokens_details: { cache_write_tokens: 1_000 },
      },
    }),
    0.01001,
  ],
  [
    'at a server that counts them by the names of Messages in the form of OpenAI',
    'openai',
    completion('Well', {
      usage: { prompt_tokens: 1_000, completion_tokens: 1, total_tokens: 1_001, cache_creation_input_tokens: 1_000 },
    }),
    0.01001,
  ],
];

describe('The cost of kinds of tokens', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  const servers = new Map<Dialect, ProviderServer>();
  const dialects: readonly Dialect[] = ['anthropic', 'converse', 'gemini', 'openai', 'openai-responses'];

  beforeAll(async () => {
    for (const dialect of dialects) {
      const server = await ProviderServer.start();
      servers.set(dialect, server);
      await gateway.app.application.get(ConnectionsService).connect({
        provider: dialect,
        protocol: dialect,
        baseUrl: server.baseUrl,
        apiKey: 'provider-key-0123456789',
        models: {},
        timeouts: {},
      });
    }
    await importCatalog(gateway.app, {
      providers: dialects.map((slug) => ({ slug, name: slug })),
      models: [modelEntry('acme/artist', DRAWS), modelEntry('anthropic/claude-next'), modelEntry('acme/keeper')],
      endpoints: [
        { id: 'acme/artist', endpoints: dialects.map((slug) => endpointEntry(slug, { pricing: PRICES })) },
        { id: 'anthropic/claude-next', endpoints: dialects.map((slug) => endpointEntry(slug, { pricing: PRICES })) },
        { id: 'acme/keeper', endpoints: dialects.map((slug) => endpointEntry(slug, { pricing: PRICES })) },
      ],
      image_models: [
        {
          id: 'acme/artist',
          name: 'Artist',
          description: 'It draws.',
          created: 1767312000,
          architecture: DRAWS.architecture,
          endpoints: dialects.map((slug) => ({ ...imageEndpoint(slug, {}), pricing: LINES })),
        },
      ],
    });
  });

  afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())));

  const ask = (model: string, dialect: string, fields: object = {}): Promise<Answer<WholeAnswer>> =>
    gateway.app.api.post<WholeAnswer>('/chat/completions', {
      key: key.plaintext,
      json: { model, messages: [{ role: 'user', content: 'Draw.' }], provider: { only: [dialect] }, ...fields },
    });

  const limitKey = async (limit: number): Promise<void> => {
    const { managementKey } = organization;
    const { status } = await gateway.app.api.patch(`/keys/${key.hash}`, { key: managementKey, json: { limit } });
    expect(status).toBe(200);
  };

  it.each(DRAWN)(
    'is for an image in a chat (200) what it costs where only images are asked for, from %s, streamed: %s',
    async (dialect, stream, { head, body }) => {
      servers.get(dialect)!.answerWith((response) => {
        response.writeHead(200, { ...head }).end(body);
      });
      const answer = await ask('acme/artist', dialect, { stream });
      expect(answer.status).toBe(200);
      const record = await gateway.record(answer, key);
      // Ten tokens of the prompt, which are texts.
      expect(record).toMatchObject({ total_cost: 0.03905, num_media_completion: 1, status: 200 });
    },
  );

  it('is for an image in a chat (200) that of the size that it has, and what is dearer at most is reserved', async () => {
    servers.get('gemini')!.answerJson(GEMINI(pngOf(4_096, 4_096)));
    expect(await gateway.record(await ask('acme/artist', 'gemini'), key)).toMatchObject({ total_cost: 0.10005 });
    const wished = await ask('acme/artist', 'gemini', { image_config: { image_size: '1K' } });
    expect(await gateway.record(wished, key)).toMatchObject({ total_cost: 0.03905 });
    const drawn = await gateway.app.api.post<{ usage: { cost: number } }>('/images', {
      key: key.plaintext,
      json: { model: 'acme/artist', prompt: 'Draw.', provider: { only: ['gemini'] } },
    });
    expect([drawn.status, drawn.body.usage.cost]).toEqual([200, 0.1]);
  });

  it('is reserved for an image that was not asked for: answers 402 where the limit pays for texts only', async () => {
    await limitKey(0.09);
    const fields = { max_tokens: 5 };
    expect((await ask('acme/artist', 'gemini', fields)).status).toBe(402);
    servers.get('gemini')!.answerJson(GEMINI(PNG));
    expect((await ask('acme/artist', 'gemini', { ...fields, image_config: { image_size: '1K' } })).status).toBe(200);
  });

  /** An answer with three images, as a whole and as a stream, and what it takes to read which of them came. */
  const THREE: readonly (readonly [boolean, { readonly head: object; readonly body: string }])[] = [
    [
      false,
      json(
        completion('', {
          usage: COUNTED,
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: 'Three', images: [IMAGE, IMAGE, IMAGE] },
              finish_reason: 'stop',
            },
          ],
        }),
      ),
    ],
    [
      true,
      {
        head: STREAM_HEAD,
        body: `${chunk({ content: 'Three', images: [IMAGE, IMAGE] })}${chunk({ images: [IMAGE] })}${chunk({}, 'stop', { usage: COUNTED })}data: [DONE]\n\n`,
      },
    ],
  ];

  it.each(THREE)(
    'is never more than a limit pays for: a 200 has the image that was reserved, streamed: %s, and all without a limit',
    async (stream, { head, body }) => {
      servers.get('openai')!.answerWith((response) => {
        response.writeHead(200, { ...head }).end(body);
      });
      const draw = async (): Promise<{ images: number; reasons: string[]; cost: number }> => {
        const answer = await ask('acme/artist', 'openai', {
          stream,
          max_tokens: 2_000,
          image_config: { image_size: '1K' },
        });
        expect(answer.status).toBe(200);
        const { total_cost: cost } = await gateway.record(answer, key);
        return {
          images: answer.text.split('data:image/png').length - 1,
          reasons: [...answer.text.matchAll(/"finish_reason":"(\w+)"/g)].map(([, reason]) => reason!),
          cost,
        };
      };
      // Of which 0.00007 for ten tokens of the prompt, and two of the text.
      expect(await draw()).toEqual({ images: 3, reasons: ['stop'], cost: 0.11707 });
      const limit = 0.18;
      await limitKey(limit);
      expect(await draw()).toEqual({ images: 1, reasons: ['length'], cost: 0.03907 });
      const shown = await gateway.app.api.get<{ data: { usage: number } }>(`/keys/${key.hash}`, {
        key: organization.managementKey,
      });
      expect(shown.body.data.usage).toBeLessThanOrEqual(limit);
    },
  );

  it.each(WRITES)(
    'is at Claude twice the prompt for what is kept for an hour (200), %s: from %s',
    async (_, dialect, document, cost) => {
      servers.get(dialect)!.answerJson(document);
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Draw.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      ];
      const answer = await ask('anthropic/claude-next', dialect, { messages });
      expect(answer.status).toBe(200);
      expect(await gateway.record(answer, key)).toMatchObject({ total_cost: cost });
    },
  );

  it('is of other authors that of the prompt for what a cache keeps (200), and at Claude 1.25 times that for minutes', async () => {
    servers.get('anthropic')!.answerJson({ ...MESSAGE, usage: { ...WRITTEN, output_tokens: 1 } });
    expect(await gateway.record(await ask('acme/keeper', 'anthropic'), key)).toMatchObject({ total_cost: 0.00501 });
    const atClaude = await ask('anthropic/claude-next', 'anthropic');
    expect(await gateway.record(atClaude, key)).toMatchObject({ total_cost: 0.00626 });
  });
});
