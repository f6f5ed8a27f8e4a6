import type { Factory } from '../../../support/application/factory.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { keyPerTest, sharedOrganization } from '../../../support/application/shared-organization.js';
import { TestApplication } from '../../../support/application/test-application.js';
import {
  errorOf,
  simulatedChunk,
  simulatedEnd,
  type SimulatedAnswer,
  type SimulatedRefusal,
  simulateGemini,
} from '../../../support/network/gemini-simulator.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { endpointEntry, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { CLIENT_FORMS, type ClientForm, formClients, type Question, type ReadAnswer } from './client-forms.js';

const MODEL = 'google/gemini-3-flash';

const EMBEDDER = 'google/gemini-embedding-001';

const PROVIDER_KEY = 'AIza-provider-secret-0123456789';

const ENDPOINT = {
  pricing: { prompt: '0.000001', completion: '0.000002' },
  context_length: 1_000_000,
  max_completion_tokens: 60_000,
  supported_parameters: [
    ...['max_tokens', 'tools', 'tool_choice', 'reasoning', 'include_reasoning'],
    ...['response_format', 'structured_outputs'],
  ],
};

const MULTIMODAL = {
  modality: 'text+image+file->text',
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
};

interface Started {
  readonly app: TestApplication;
  readonly factory: Factory;
  readonly google: ProviderServer;
}

async function start(): Promise<Started> {
  const google = await ProviderServer.start();
  const app = await TestApplication.start({
    variables: {
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: google.baseUrl,
      PROVIDER_GOOGLE_AI_STUDIO_PROTOCOL: 'gemini',
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: PROVIDER_KEY,
    },
  });
  const embedder = { modality: 'text->embeddings', input_modalities: ['text'], output_modalities: ['embeddings'] };
  await importCatalog(app, {
    providers: [{ slug: 'google-ai-studio', name: 'Google' }],
    models: [modelEntry(MODEL, { architecture: MULTIMODAL }), modelEntry(EMBEDDER, { architecture: embedder })],
    endpoints: [MODEL, EMBEDDER].map((id) => ({
      id,
      endpoints: [endpointEntry('google-ai-studio', { provider_name: 'Google', ...ENDPOINT })],
    })),
  });
  return { app, factory: app.factory, google };
}

const THOUGHT = { text: 'I look it up.', thought: true };
const call = (city: string, thoughtSignature?: string): object => ({
  functionCall: { name: 'weather', args: { city } },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
});

const text = (said: string): SimulatedAnswer => ({ chunks: [simulatedChunk([{ text: said }]), simulatedEnd()] });

/** Two calls at once, whose end comes behind them. */
const CALLS: SimulatedAnswer = {
  chunks: [
    simulatedChunk([THOUGHT]),
    simulatedChunk([call('Ulm', 'U0lHTkVE') as never, call('Bonn') as never]),
    simulatedEnd([{ text: '' }]),
  ],
};

const WEATHER = {
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const TOKENS = { prompt: 40, cached: 32, completion: 50, thoughts: 30 };

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.4 %EOF').toString('base64')}`;

interface Sent {
  readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[];
  readonly systemInstruction?: object;
  readonly tools?: object;
  readonly generationConfig?: object;
}

describe('A model behind the dialect of Gemini', () => {
  const started = filledBefore(beforeAll, start);
  const organization = sharedOrganization(started);
  const key = keyPerTest(started, organization);

  afterAll(async () => {
    await started.app.stop();
    await started.google.stop();
  });

  /** Lets Google give these answers, one after the other. @returns what it has refused, which must stay empty */
  const answering = (...answers: readonly (SimulatedAnswer | SimulatedRefusal)[]): string[] => {
    const refused: string[] = [];
    let next = 0;
    simulateGemini(started.google, () => answers[Math.min(next++, answers.length - 1)]!, {
      demandsSignatures: true,
      refused: (issues) => refused.push(...issues),
    });
    return refused;
  };

  const sent = (index = 0): Sent => started.google.received[index]!.body as Sent;

  describe.each(
    CLIENT_FORMS.flatMap((form) => [false, true].map((isStreamed) => [form.name, isStreamed, form] as const)),
  )('for %s (stream: %s)', (_, isStreamed, form: ClientForm) => {
    const ask = (question: Question, conversation = form.begin(question)): Promise<ReadAnswer> =>
      form.ask(formClients(started.app, key), MODEL, question, conversation, isStreamed);

    it('answers with 200 and a text, and counts its tokens', async () => {
      const refused = answering(text('It is 7 °C.'));
      const answer = await ask({ text: 'How warm is it?', instructions: 'Be brief.' });
      expect(answer).toMatchObject({ text: 'It is 7 °C.', calls: [], end: 'stop', tokens: TOKENS });
      expect(refused).toEqual([]);
      const { path, headers } = started.google.received[0]!;
      const verb = isStreamed ? ':streamGenerateContent?alt=sse' : ':generateContent';
      expect(path).toBe(`/v1/models/gemini-3-flash${verb}`);
      expect(headers['x-goog-api-key']).toBe(PROVIDER_KEY);
      expect(sent()).toMatchObject({
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'How warm is it?' }] }],
        generationConfig: { maxOutputTokens: 8_000 },
      });
    });

    it('gets the results of calls at once, with what signs them: 200', async () => {
      const refused = answering(CALLS, text('7 and 9.'));
      const question: Question = { text: 'Ulm and Bonn?', tools: [WEATHER], effort: 'low' };
      const begun = form.begin(question);
      const answer = await ask(question, begun);
      expect(answer).toMatchObject({
        thoughts: 'I look it up.',
        calls: [
          { name: 'weather', input: { city: 'Ulm' } },
          { name: 'weather', input: { city: 'Bonn' } },
        ],
        end: 'calls',
      });
      const results = form.results(answer, ['7 C', '{"degrees":9}']);
      expect(await ask(question, [...begun, ...answer.kept, ...results])).toMatchObject({
        text: '7 and 9.',
        end: 'stop',
      });

      expect(refused).toEqual([]);
      expect(sent()).toMatchObject({
        tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: WEATHER.parameters }] }],
        generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
      });
      const { contents } = sent(1);
      expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
      expect(contents[1]!.parts).toMatchObject([
        { functionCall: { name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'U0lHTkVE' },
        { functionCall: { name: 'weather', args: { city: 'Bonn' } } },
      ]);
      expect(contents[1]!.parts[1]).not.toHaveProperty('thoughtSignature');
      expect(contents[2]!.parts).toMatchObject([
        { functionResponse: { name: 'weather', response: { output: '7 C' } } },
        { functionResponse: { name: 'weather', response: { degrees: 9 } } },
      ]);
    });

    it('reads images, documents and schemas: 200', async () => {
      const refused = answering(text('{"city":"Ulm"}'));
      const answer = await ask({ text: 'Where?', image: PNG, pdf: PDF, schema: WEATHER.parameters });
      expect(answer.text).toBe('{"city":"Ulm"}');
      expect(refused).toEqual([]);
      expect(sent()).toMatchObject({
        contents: [
          {
            parts: [
              { text: 'Where?' },
              { inlineData: { mimeType: 'image/png', data: PNG.split(',')[1] } },
              { inlineData: { mimeType: 'application/pdf', data: PDF.split(',')[1] } },
            ],
          },
        ],
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } },
      });
    });

    it.each<[string, SimulatedAnswer, ReadAnswer['end']]>([
      ['a filter', { chunks: [simulatedEnd([{ text: 'I' }], 'SAFETY')] }, 'refused'],
      ['its length', { chunks: [simulatedEnd([{ text: 'I' }], 'MAX_TOKENS')] }, 'length'],
    ])('ends with 200 for %s', async (_reason, answer, end) => {
      answering(answer);
      expect(await ask({ text: 'Hi' })).toMatchObject({ text: 'I', end });
    });

    it('answers 503 where Google refuses the key, which is the operator’s', async () => {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
      const document = errorOf(400, 'INVALID_ARGUMENT', `API key not valid: ${PROVIDER_KEY}`, details);
      answering({ status: 400, document });
      const failure = await ask({ text: 'Hi' }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ status: 503 });
      expect(JSON.stringify(failure)).not.toContain(PROVIDER_KEY);
    });

    it('answers 429 with the time that Google wants to be left alone', async () => {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }];
      answering({ status: 429, document: [errorOf(429, 'RESOURCE_EXHAUSTED', 'Quota', details)] });
      const failure = await ask({ text: 'Hi' }).catch(
        (error: unknown) => error as { status: number; headers: Headers },
      );
      expect(failure).toMatchObject({ status: 429 });
      expect((failure as { headers: Headers }).headers.get('retry-after')).toBe('12');
    });

    it('answers 200 with a refusal where the prompt is blocked', async () => {
      const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
      answering({ chunks: [{ promptFeedback, usageMetadata: { promptTokenCount: 40 } }] });
      expect(await ask({ text: 'Hi' })).toMatchObject({ text: '', end: 'refused' });
    });

    it('fails where its answer is cut, breaks off within, or was given up', async () => {
      answering({ chunks: [simulatedChunk([{ text: 'It is' }])], isCut: true });
      await expect(ask({ text: 'Hi' })).rejects.toThrow();
      answering({ chunks: [simulatedEnd([], 'MALFORMED_FUNCTION_CALL')] });
      await expect(ask({ text: 'Hi' })).rejects.toThrow();
      if (!isStreamed) return;
      answering({ chunks: [simulatedChunk([{ text: 'It is' }])] });
      await expect(ask({ text: 'Hi' })).rejects.toThrow();
      answering({ chunks: [simulatedChunk([{ text: 'It is' }]), errorOf(503, 'UNAVAILABLE', 'Overloaded') as never] });
      await expect(ask({ text: 'Hi' })).rejects.toThrow();
    });
  });

  it('answers 200 with embeddings, a hundred at a time', async () => {
    started.google.answerWith((response, { body }) => {
      const { requests } = body as { requests: { content: { parts: { text: string }[] } }[] };
      const embeddings = requests.map(({ content }) => ({ values: [Number(content.parts[0]!.text), 1] }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ embeddings, usageMetadata: { promptTokenCount: requests.length } }));
    });
    const input = Array.from({ length: 150 }, (_, index) => String(index));
    const { status, body } = await started.app.api.post<{ data: { embedding: number[] }[]; usage: object }>(
      '/embeddings',
      {
        key: key.plaintext,
        json: { model: EMBEDDER, input, dimensions: 2, input_type: 'query' },
      },
    );
    expect(status).toBe(200);
    expect(body.data.map(({ embedding }) => embedding[0])).toEqual(input.map(Number));
    expect(body.usage).toMatchObject({ prompt_tokens: 150 });
    expect(started.google.received.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/v1/models/gemini-embedding-001:batchEmbedContents'),
    );
    expect(started.google.received[0]!.body).toMatchObject({
      requests: [
        { model: 'models/gemini-embedding-001', taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 },
        ...Array.from({ length: 99 }, () => ({})),
      ],
    });
  });
});
