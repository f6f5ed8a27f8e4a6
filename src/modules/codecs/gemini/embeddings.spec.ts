import type { EmbeddingRequest } from '../chat/embeddings.js';
import { KNOWN_MODEL } from '../chat/known-model.js';
import { ProviderError } from '../errors/provider-error.js';
import type { Upstream, UpstreamCodec } from '../upstream-codec.js';
import { GEMINI, GEMINI_ON_VERTEX } from './codec.js';

const embeddingsOf = ({ operations: { embeddings } }: UpstreamCodec) => ({
  encode: (request: EmbeddingRequest) => embeddings!.encode(request, false),
  decode: (documents: readonly unknown[], request: EmbeddingRequest) =>
    embeddings!.decode!(documents, request, {} as Upstream, []),
});

const [API, VERTEX] = [embeddingsOf(GEMINI), embeddingsOf(GEMINI_ON_VERTEX)];

const asked = (input: unknown, fields: object = {}): EmbeddingRequest => ({
  model: 'gemini-embedding-001',
  input,
  ...fields,
});

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };

describe('Embeddings of the Gemini API', () => {
  it('are asked for with what they are for', () => {
    const fields = { dimensions: 3, input_type: 'search_query', encoding_format: 'base64' };
    expect(API.encode(asked('Hi', fields))).toEqual([
      {
        path: '/models/gemini-embedding-001:batchEmbedContents',
        body: {
          requests: [
            {
              model: 'models/gemini-embedding-001',
              content: { parts: [{ text: 'Hi' }] },
              taskType: 'RETRIEVAL_QUERY',
              outputDimensionality: 3,
            },
          ],
        },
      },
    ]);
    expect(JSON.stringify(API.encode(asked('Hi', { task: 'retrieval.passage' })))).toContain('RETRIEVAL_DOCUMENT');
    expect(JSON.stringify(API.encode(asked('Hi', { input_type: 'x' })))).not.toContain('taskType');
  });

  it('are asked for a hundred at a time', () => {
    const requests = API.encode(asked(texts(201)));
    expect(requests.map(({ body }) => (body as { requests: unknown[] }).requests.length)).toEqual([100, 100, 1]);
  });

  it('are those of several parts together', () => {
    const [request] = API.encode(asked([{ content: [{ type: 'text', text: 'A' }, IMAGE] }]));
    expect(request!.body).toMatchObject({
      requests: [{ content: { parts: [{ text: 'A' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] } }],
    });
  });

  it('are read from all answers, with their usage', () => {
    const usageMetadata = { promptTokenCount: 3, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }] };
    const documents = [
      { embeddings: [{ values: [1, 2] }, { values: [3] }], usageMetadata },
      { embeddings: [{ values: [4] }], usageMetadata },
    ];
    expect(API.decode(documents, asked(texts(3)))).toEqual({
      upstreamId: null,
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [3] },
        { index: 2, embedding: [4] },
      ],
      usage: { prompt_tokens: 6, total_tokens: 6, prompt_tokens_details: { text_tokens: 6 } },
    });
    expect(API.decode([{ embeddings: [{ values: [1] }] }], asked('x')).usage).toBeNull();
  });

  it.each([
    [[{}]],
    [[{ embeddings: [{ values: [] }] }]],
    [[{ embeddings: [{ values: ['x'] }] }]],
    [[{ embeddings: [{ values: [1] }, { values: [1] }] }]],
    [[null]],
    [['x']],
  ])('are invalid as %j', (documents) => {
    for (const embeddings of [API, VERTEX]) {
      expect(() => embeddings.decode(documents, asked('x'))).toThrow(ProviderError);
    }
  });
});

describe('Embeddings of Vertex AI', () => {
  it('are asked for one at a time where nothing says that a model takes more', () => {
    expect(VERTEX.encode(asked(['a', 'b'], { dimensions: 3, input_type: 'document' }))).toEqual(
      ['a', 'b'].map((content) => ({
        path: '/models/gemini-embedding-001:predict',
        body: {
          instances: [{ content, task_type: 'RETRIEVAL_DOCUMENT' }],
          parameters: { outputDimensionality: 3, autoTruncate: false },
        },
      })),
    );
  });

  it('are asked for together as far as the model takes them and they are short', () => {
    const sizes = (input: unknown): number[] =>
      VERTEX.encode(asked(input, { [KNOWN_MODEL]: { embedding_inputs: 4 } })).map(
        ({ body }) => (body as { instances: unknown[] }).instances.length,
      );
    expect(sizes(texts(9))).toEqual([4, 4, 1]);
    expect(sizes(['x'.repeat(30_000), 'y'.repeat(30_000), 'z'])).toEqual([1, 2]);
  });

  it('are read with the tokens that each text counts', () => {
    const document = (token_count?: number): object => ({
      predictions: [{ embeddings: { values: [1], statistics: { token_count, truncated: false } } }],
    });
    const request = asked(['a', 'b']);
    expect(VERTEX.decode([document(2), document(3)], request)).toMatchObject({
      data: [{ index: 0 }, { index: 1 }],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    expect(VERTEX.decode([document(2), document()], request).usage).toBeNull();
  });

  it('are those of contents for models that have no others', () => {
    const request = asked(['a', { content: [IMAGE] }], { [KNOWN_MODEL]: { embedding_operation: 'embed_content' } });
    expect(VERTEX.encode(request)).toEqual(
      [{ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }].map((part) => ({
        path: '/models/gemini-embedding-001:embedContent',
        body: { content: { parts: [part] }, embedContentConfig: { autoTruncate: false } },
      })),
    );
    const documents = [1, 2].map((value) => ({
      embedding: { values: [value] },
      usageMetadata: { promptTokenCount: 4 },
    }));
    expect(VERTEX.decode(documents, request)).toMatchObject({
      data: [{ embedding: [1] }, { embedding: [2] }],
      usage: { prompt_tokens: 8 },
    });
  });

  it.each([
    ['tokens', [[1, 2]]],
    ['images', [{ content: [IMAGE] }]],
  ])('are refused for %s', (_, input) => {
    expect(() => VERTEX.encode(asked(input))).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });
});
