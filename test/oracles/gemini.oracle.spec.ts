import {
  type Content,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
} from '@google/genai';
import { Agent, setGlobalDispatcher } from 'undici';
import type { ChatRequest } from '../../src/modules/codecs/chat/chat-completion.js';
import { KNOWN_MODEL } from '../../src/modules/codecs/chat/known-model.js';
import { GEMINI, GEMINI_ON_VERTEX } from '../../src/modules/codecs/gemini/codec.js';
import {
  errorOf,
  geminiRefusals,
  simulatedChunk,
  simulatedEnd,
  simulateGemini,
} from '../support/network/gemini-simulator.js';
import { ProviderServer } from '../support/network/provider-server.js';

const MODEL = 'gemini-3-pro';

const QUESTION = { role: 'user' as const, content: 'Weather in Ulm and Bonn?' };

const QUESTION_CONTENT: Content = { role: 'user', parts: [{ text: QUESTION.content }] };

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const call = (id: string, city: string, signature?: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
  ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
});

/** Requests of a chat, and what the SDK is given to ask for the same. */
const EQUIVALENTS: readonly (readonly [
  name: string,
  request: Partial<ChatRequest>,
  contents: readonly Content[],
  config: GenerateContentConfig,
])[] = [
  [
    'a text with instructions and everything about how it is to be answered',
    {
      messages: [{ role: 'system', content: 'Be short.' }, QUESTION],
      max_tokens: 500,
      temperature: 1,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      n: 2,
      stop: 'END',
      logprobs: true,
      top_logprobs: 3,
      service_tier: 'flex',
      reasoning: { effort: 'low' },
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    },
    [QUESTION_CONTENT],
    {
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      maxOutputTokens: 500,
      temperature: 1,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      candidateCount: 2,
      stopSequences: ['END'],
      responseLogprobs: true,
      logprobs: 3,
      serviceTier: 'flex' as never,
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' as never },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT' as never, threshold: 'OFF' as never }],
    },
  ],
  [
    'the second turn of two calls at once',
    {
      messages: [
        QUESTION,
        { role: 'assistant', content: null, tool_calls: [call('call_1', 'Ulm', 'U0lH'), call('call_2', 'Bonn')] },
        { role: 'tool', tool_call_id: 'call_2', content: '{"degrees":9}' },
        { role: 'tool', tool_call_id: 'call_1', content: '7 C' },
      ],
      tools: [
        { type: 'function', function: { name: 'weather', description: 'Weather of a city', parameters: PARAMETERS } },
      ],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      reasoning: { max_tokens: 1_000 },
    },
    [
      QUESTION_CONTENT,
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'U0lH' },
          { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Bonn' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'weather', response: { output: '7 C' } } },
          { functionResponse: { id: 'call_2', name: 'weather', response: { degrees: 9 } } },
        ],
      },
    ],
    {
      tools: [
        {
          functionDeclarations: [
            { name: 'weather', description: 'Weather of a city', parametersJsonSchema: PARAMETERS },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' as never, allowedFunctionNames: ['weather'] } },
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1_000 },
    },
  ],
  [
    'an image, a document and a schema',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.webp' } },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: PARAMETERS } },
    },
    [
      {
        role: 'user',
        parts: [
          { text: 'Where?' },
          { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          { fileData: { mimeType: 'image/webp', fileUri: 'https://example.com/a.webp' } },
        ],
      },
    ],
    { responseMimeType: 'application/json', responseJsonSchema: PARAMETERS },
  ],
  [
    'images as the answer',
    { modalities: ['text', 'image'], image_config: { aspect_ratio: '16:9' } },
    [QUESTION_CONTENT],
    { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  ],
];

/** What Google counts, in each of two parts of a stream. */
const CHUNKS = [
  simulatedChunk([{ text: 'I look it up.', thought: true }]),
  simulatedChunk([
    { text: 'Let me see.' },
    { functionCall: { name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'U0lH' },
  ]),
  simulatedEnd([{ text: '' }]),
];

describe('The official client of Gemini', () => {
  const connections = new Agent();
  let google: ProviderServer;
  let client: GoogleGenAI;

  beforeAll(async () => {
    google = await ProviderServer.start();
    // The client looks for it among the globals, and those of a test do not have the one of Node.js.
    setGlobalDispatcher(connections);
    const httpOptions = {
      baseUrl: google.baseUrl.replace(/\/v1$/, ''),
      apiVersion: 'v1',
      retryOptions: { attempts: 1 },
    };
    client = new GoogleGenAI({ apiKey: 'AIza-test', httpOptions });
  });

  afterAll(async () => {
    await connections.close();
    await google.stop();
  });

  const asked = (fields: Partial<ChatRequest>): ChatRequest => ({ model: MODEL, messages: [QUESTION], ...fields });

  /** Reads a stream to its end. */
  const streamed = async (): Promise<readonly GenerateContentResponse[]> => {
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await client.models.generateContentStream(parameters([QUESTION_CONTENT], {}))) {
      chunks.push(chunk);
    }
    return chunks;
  };

  const parameters = (contents: readonly Content[], config: GenerateContentConfig): GenerateContentParameters => ({
    model: MODEL,
    contents: [...contents],
    config,
  });

  it.each(EQUIVALENTS)('sends what the codec sends for %s', async (_, fields, contents, config) => {
    simulateGemini(google, () => ({ chunks: CHUNKS }));
    await client.models.generateContent(parameters(contents, config));
    const { path, body, headers } = google.received[0]!;
    const encoded = GEMINI.operations.chat.encode(asked(fields), false)[0]!;

    expect(path).toBe(`/v1${encoded.path}`);
    expect(headers['x-goog-api-key']).toBe('AIza-test');
    expect(JSON.parse(JSON.stringify(encoded.body))).toEqual(body);
    expect(geminiRefusals(encoded.body as never)).toEqual([]);
    const onVertex = GEMINI_ON_VERTEX.operations.chat.encode(asked(fields), false)[0]!;
    expect(geminiRefusals(onVertex.body as never, { isVertex: true })).toEqual([]);
  });

  it('asks for a stream where the codec does', async () => {
    simulateGemini(google, () => ({ chunks: CHUNKS }));
    await streamed();
    expect(google.received[0]!.path).toBe(`/v1${GEMINI.operations.chat.encode(asked({}), true)[0]!.path}`);
  });

  it('reads the answers of the simulated service', async () => {
    simulateGemini(google, () => ({ chunks: CHUNKS }));
    const answer = await client.models.generateContent(parameters([QUESTION_CONTENT], {}));
    expect(answer.functionCalls).toEqual([{ name: 'weather', args: { city: 'Ulm' } }]);
    expect(answer.usageMetadata).toMatchObject({ promptTokenCount: 40, thoughtsTokenCount: 30 });

    const candidates = (await streamed()).flatMap((chunk) => chunk.candidates ?? []);
    expect(candidates.flatMap(({ content }) => content?.parts ?? [])).toEqual([
      { text: 'I look it up.', thought: true },
      { text: 'Let me see.' },
      { functionCall: { name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'U0lH' },
      { text: '' },
    ]);
    expect(candidates.at(-1)!.finishReason).toBe('STOP');
  });

  it('reads the errors of the simulated service, before a stream and in it', async () => {
    simulateGemini(google, () => ({ status: 429, document: errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota') }));
    await expect(client.models.generateContent(parameters([QUESTION_CONTENT], {}))).rejects.toMatchObject({
      status: 429,
    });
    simulateGemini(google, () => ({ chunks: [CHUNKS[0]!, errorOf(503, 'UNAVAILABLE', 'Overloaded') as never] }));
    await expect(streamed()).rejects.toMatchObject({ status: 503 });
  });

  it('asks for embeddings as the codec does, at the Gemini API and on Vertex', async () => {
    google.answerJson({ embeddings: [{ values: [1] }, { values: [2] }] });
    const config = { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 3 };
    await client.models.embedContent({ model: 'gemini-embedding-001', contents: ['a', 'b'], config });
    const request = { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 3, input_type: 'query' };
    const [encoded] = GEMINI.operations.embeddings!.encode(request, false);
    const { path, body } = google.received[0]!;
    expect(path).toBe(`/v1${encoded!.path}`);
    const { requests } = encoded!.body as { requests: object[] };
    // The client gives the content of an embedding a role, which it needs nowhere else.
    const sent = (body as { requests: { content: { role?: string } }[] }).requests.map(
      ({ content: { role: _role, ...content }, ...others }) => ({ ...others, content }),
    );
    expect(requests).toEqual(sent);

    const known = { ...request, input: 'a', [KNOWN_MODEL]: { embedding_operation: 'embed_content' as const } };
    expect(GEMINI_ON_VERTEX.operations.embeddings!.encode(known, false)[0]!.path).toBe(
      '/models/gemini-embedding-001:embedContent',
    );
  });
});
