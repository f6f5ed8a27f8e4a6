import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { ModelCapabilities } from '../../src/modules/catalog/capabilities/model-capabilities.js';
import { CONVERSE } from '../../src/modules/codecs/converse/codec.js';
import { KNOWN_MODEL } from '../../src/modules/codecs/chat/known-model.js';
import type { ChatRequest } from '../../src/modules/codecs/chat/chat-completion.js';
import { errorMessage } from '../support/network/amazon-messages.js';
import { type ModelAnswer, TOKENS } from '../support/network/model-answers.js';
import { ProviderServer } from '../support/network/provider-server.js';
import {
  answerConverse,
  converseMessages,
  failingMessages,
  invokeMessages,
  refuse,
  sendMessages,
} from '../support/network/simulated-bedrock.js';

const MODEL = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

const ANSWER: ModelAnswer = {
  thought: { text: 'I look it up.', signature: 'c2ln' },
  text: 'It is 7 °C 😀.',
  calls: [
    { id: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } },
    { id: 'tooluse_2', name: 'weather', input: {} },
  ],
  tokens: TOKENS,
};

const QUESTION = { modelId: MODEL, messages: [{ role: 'user' as const, content: [{ text: 'Hi' }] }] };

const PDF = Buffer.from('%PDF-1.7');
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };

const CLAUDE: ModelCapabilities = {
  cache_marks: true,
  model_fields: { reasoning: 'thinking', top_k: 'top_k', tool_choice: true, betas: true, stop_sequence: true },
};

/** Requests of a chat, and what the SDK is given to ask for the same. */
const EQUIVALENTS: readonly (readonly [
  name: string,
  request: Partial<ChatRequest>,
  input: Partial<ConverseCommandInput>,
])[] = [
  [
    'a text with instructions and everything about how it is to be answered',
    {
      messages: [
        {
          role: 'system',
          content: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
        { role: 'user', content: 'Hi' },
      ],
      max_tokens: 100,
      temperature: 0.5,
      stop: ['END'],
      top_k: 5,
      service_tier: 'priority',
    },
    {
      system: [{ text: 'Be short.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: QUESTION.messages,
      inferenceConfig: { maxTokens: 100, temperature: 0.5, stopSequences: ['END'] },
      additionalModelRequestFields: { top_k: 5 },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
      serviceTier: { type: 'priority' },
    },
  ],
  [
    'an image and a document',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
            {
              type: 'file',
              file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${PDF.toString('base64')}` },
            },
          ],
        },
      ],
    },
    {
      messages: [
        {
          role: 'user',
          content: [
            { text: 'Compare' },
            { image: { format: 'png', source: { bytes: PNG } } },
            { document: { format: 'pdf', name: 'Document 1 report pdf', source: { bytes: PDF } } },
          ],
        },
      ],
    },
  ],
  [
    'a turn behind thoughts and parallel calls',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: 'I look.',
          reasoning_details: [
            { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'hm', signature: 'c2ln' },
            { type: 'reasoning.encrypted', format: 'anthropic-claude-v1', index: 1, id: 'after-0-0', data: 'ZW5j' },
          ],
          tool_calls: [
            { id: 'tooluse_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
            { id: 'tooluse_2', type: 'function', function: { name: 'weather', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'tooluse_1', content: '7 °C' },
        { role: 'tool', tool_call_id: 'tooluse_2', content: '' },
      ],
      max_tokens: 4_000,
      reasoning: { max_tokens: 2_000 },
      tools: [{ type: 'function', function: { name: 'weather', description: 'Weather', parameters: SCHEMA } }],
      tool_choice: 'auto',
    },
    {
      messages: [
        { role: 'user', content: [{ text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } },
            { reasoningContent: { redactedContent: Buffer.from('ZW5j', 'base64') } },
            { text: 'I look.' },
            { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } },
            { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'tooluse_1', content: [{ text: '7 °C' }], status: 'success' } },
            { toolResult: { toolUseId: 'tooluse_2', content: [{ text: '(no output)' }], status: 'success' } },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 4_000 },
      toolConfig: {
        tools: [{ toolSpec: { name: 'weather', description: 'Weather', inputSchema: { json: SCHEMA } } }],
        toolChoice: { auto: {} },
      },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    },
  ],
  [
    'an answer that obeys a schema',
    {
      messages: [{ role: 'user', content: 'Hi' }],
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA } },
    },
    {
      messages: QUESTION.messages,
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { schema: JSON.stringify(SCHEMA), name: 'place' } },
        },
      },
    },
  ],
];

describe('Amazon’s SDK', () => {
  let bedrock: ProviderServer;
  let client: BedrockRuntimeClient;

  beforeAll(async () => {
    bedrock = await ProviderServer.start();
    client = new BedrockRuntimeClient({
      region: 'eu-central-1',
      endpoint: new URL(bedrock.baseUrl).origin,
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    });
  });

  afterAll(async () => {
    client.destroy();
    await bedrock.stop();
  });

  const streamed = async (): Promise<ConverseStreamOutput[]> => {
    const { stream } = await client.send(new ConverseStreamCommand(QUESTION));
    const events: ConverseStreamOutput[] = [];
    for await (const event of stream!) events.push(event);
    return events;
  };

  it('reads a whole answer of the simulated Bedrock', async () => {
    bedrock.answerWith((response, request) => answerConverse(ANSWER, response, request));
    const { output, stopReason, usage } = await client.send(new ConverseCommand(QUESTION));

    expect(output!.message!.content).toEqual([
      { reasoningContent: { reasoningText: ANSWER.thought } },
      { text: ANSWER.text },
      { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } } },
      { toolUse: { toolUseId: 'tooluse_2', name: 'weather', input: {} } },
    ]);
    expect(stopReason).toBe('tool_use');
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 5, cacheReadInputTokens: 20, totalTokens: 35 });
  });

  it('reads a stream of the simulated Bedrock', async () => {
    bedrock.answerWith((response, request) => answerConverse(ANSWER, response, request));
    const events = await streamed();
    const deltas = events.flatMap(({ contentBlockDelta: block }) => block?.delta ?? []);

    expect(events[0]).toEqual({ messageStart: { role: 'assistant' } });
    expect(deltas.map((delta) => delta.text ?? '').join('')).toBe(ANSWER.text);
    expect(deltas.map((delta) => delta.toolUse?.input ?? '').join('')).toBe('{"city":"Ulm"}{}');
    expect(deltas.flatMap((delta) => delta.reasoningContent?.signature ?? [])).toEqual(['c2ln']);
    expect(events.at(-2)).toEqual({ messageStop: { stopReason: 'tool_use' } });
    expect(events.at(-1)).toMatchObject({ metadata: { usage: { inputTokens: 7 } } });
  });

  it('reads refusals and exceptions of the simulated Bedrock by their classes', async () => {
    bedrock.answerWith((response) => refuse(response, 'ThrottlingException', 429, 'Too many tokens'));
    await expect(streamed()).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Too many tokens' });
    for (const type of ['modelStreamErrorException', 'throttlingException', 'internalServerException']) {
      bedrock.answerWith((response) => sendMessages(response, failingMessages(ANSWER, type, 'Sorry')));
      const name = `${type[0]!.toUpperCase()}${type.slice(1)}`;
      await expect(streamed()).rejects.toMatchObject({ name, message: 'Sorry' });
    }
    bedrock.answerWith((response) => sendMessages(response, [errorMessage('InternalFailure', 'Sorry')]));
    await expect(streamed()).rejects.toThrow('Sorry');
  });

  it('refuses a stream of the simulated Bedrock with a wrong checksum', async () => {
    const [first, ...others] = converseMessages(ANSWER);
    const wrong = Buffer.from(first!);
    wrong[wrong.length - 6]! ^= 1;
    bedrock.answerWith((response) => sendMessages(response, [wrong, ...others]));
    await expect(streamed()).rejects.toThrow(/checksum/i);
  });

  it('reads what the simulated Bedrock wraps of a model’s own form', async () => {
    const events = [{ type: 'message_start' }, { type: 'message_stop' }];
    bedrock.answerWith((response) => sendMessages(response, invokeMessages(events)));
    const { body } = await client.send(new InvokeModelWithResponseStreamCommand({ modelId: MODEL, body: '{}' }));
    const read: unknown[] = [];
    for await (const { chunk } of body!) read.push(JSON.parse(Buffer.from(chunk!.bytes!).toString()));

    expect(read).toEqual(events);
    expect(bedrock.received[0]!.path).toBe(`/model/${encodeURIComponent(MODEL)}/invoke-with-response-stream`);
  });

  it.each(EQUIVALENTS)('asks for the same as the dialect for %s', async (_, fields, input) => {
    const request = { model: MODEL, messages: [], ...fields, [KNOWN_MODEL]: CLAUDE } as ChatRequest;
    bedrock.answerWith((response, received) => answerConverse(ANSWER, response, received));
    for (const [isStreamed, command] of [
      [false, new ConverseCommand({ modelId: MODEL, ...input })],
      [true, new ConverseStreamCommand({ modelId: MODEL, ...input })],
    ] as const) {
      bedrock.received.length = 0;
      await client.send(command as ConverseCommand);
      const { path, body } = CONVERSE.operations.chat.encode(request, isStreamed)[0]!;
      const [sent] = bedrock.received;
      expect({ path, body: JSON.parse(JSON.stringify(body)) as unknown }).toEqual({
        path: sent!.path,
        body: sent!.body,
      });
    }
  });

  it('names a model by its ARN in the path as the dialect does', async () => {
    const model = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc';
    bedrock.answerWith((response, request) => answerConverse(ANSWER, response, request));
    await client.send(new ConverseCommand({ ...QUESTION, modelId: model }));
    const { path } = CONVERSE.operations.chat.encode({ model, messages: [{ role: 'user', content: 'Hi' }] }, false)[0]!;

    expect(path).toBe(bedrock.received[0]!.path);
  });
});
