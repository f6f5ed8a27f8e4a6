import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { EmbeddingRequest } from '../chat/embeddings.js';
import { KNOWN_MODEL } from '../chat/known-model.js';
import type { AnswerHead, Upstream } from '../upstream-codec.js';
import { CONVERSE } from './codec.js';

const OPERATION = CONVERSE.operations.embeddings!;

const encode = (request: EmbeddingRequest) => OPERATION.encode(request, false);

const decode = (documents: readonly unknown[], request: EmbeddingRequest, heads: readonly AnswerHead[] = []) =>
  OPERATION.decode!(documents, request, {} as Upstream, heads);

function requestFor(form: ModelCapabilities['embedding_form'], fields: object): EmbeddingRequest {
  const known: ModelCapabilities = form === undefined ? {} : { embedding_form: form };
  return { model: 'vendor.embed-v1:0', input: 'a', ...fields, [KNOWN_MODEL]: known };
}

describe('Embeddings of Bedrock', () => {
  it.each([
    [
      'titan',
      { input: ['a', 'b'], dimensions: 256, normalize: false },
      [
        { inputText: 'a', dimensions: 256, normalize: false },
        { inputText: 'b', dimensions: 256, normalize: false },
      ],
    ],
    [
      'cohere',
      { input: ['a', 'b'], dimensions: 512, input_type: 'query', truncate: 'END' },
      [
        {
          texts: ['a', 'b'],
          input_type: 'search_query',
          embedding_types: ['float'],
          truncate: 'END',
          output_dimension: 512,
        },
      ],
    ],
    ['cohere', { input: 'a' }, [{ texts: ['a'], input_type: 'search_document', embedding_types: ['float'] }]],
    [
      'nova',
      { input: 'a', dimensions: 384, input_type: 'search_query' },
      [
        {
          taskType: 'SINGLE_EMBEDDING',
          singleEmbeddingParams: {
            embeddingPurpose: 'TEXT_RETRIEVAL',
            embeddingDimension: 384,
            text: { truncationMode: 'NONE', value: 'a' },
          },
        },
      ],
    ],
  ] as const)('are asked for in the form of %s for %j', (form, fields, bodies) => {
    const path = '/model/vendor.embed-v1%3A0/invoke';
    expect(encode(requestFor(form, fields))).toEqual(bodies.map((body) => ({ path, body })));
  });

  it('are asked of Cohere in calls of 96 texts, whose vectors stand in the order of the inputs', () => {
    const input = Array.from({ length: 100 }, (_, at) => `text ${at}`);
    const request = requestFor('cohere', { input });
    expect(encode(request).map(({ body }) => (body as { texts: string[] }).texts.length)).toEqual([96, 4]);
    const vectors = input.map((_, at) => [at]);
    const documents = [{ id: 'e1', embeddings: { float: vectors.slice(0, 96) } }, { embeddings: vectors.slice(96) }];
    const { data, upstreamId, usage } = decode(documents, request);
    expect(data).toEqual(vectors.map((embedding, index) => ({ index, embedding })));
    expect([upstreamId, usage]).toEqual(['e1', null]);
    const heads = ['288', '12'].map((count) => ({ 'x-amzn-bedrock-input-token-count': count }));
    expect(decode(documents, request, heads).usage).toEqual({ prompt_tokens: 300, total_tokens: 300 });
    for (const count of ['', '-1', '1e3', '12.5', '99999999999', ['1', '2']]) {
      const wrong = [heads[0]!, { 'x-amzn-bedrock-input-token-count': count }];
      expect(decode(documents, request, wrong).usage).toBeNull();
    }
    expect(() => decode([...documents].reverse(), request)).toThrow('one embedding for each input');
  });

  it('have the tokens of all calls, where each counts them', () => {
    const titan = requestFor('titan', { input: ['a', 'b'] });
    const counted = [1, 2].map((inputTextTokenCount) => ({ embedding: [0.5], inputTextTokenCount }));
    expect(decode(counted, titan)).toEqual({
      upstreamId: null,
      data: [0, 1].map((index) => ({ index, embedding: [0.5] })),
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    expect(decode([counted[0], { embedding: [0.5] }], titan).usage).toBeNull();
    const nova = { embeddings: [{ embeddingType: 'TEXT', embedding: [0.25] }], inputTokenCount: 4 };
    expect(decode([nova], requestFor('nova', {}))).toMatchObject({
      data: [{ embedding: [0.25] }],
      usage: { prompt_tokens: 4 },
    });
  });

  it.each([null, 'x', [], {}, { embedding: [] }, { embedding: 'AAAA' }, { embedding: [1, null] }])(
    'in the form of %j are invalid',
    (document) => {
      expect(() => decode([document], requestFor('titan', {}))).toThrow(
        expect.objectContaining({ kind: 'invalid' }) as Error,
      );
    },
  );

  it('are refused with 400 for inputs that are no texts, and for models of which no form is known', () => {
    const refusal = expect.objectContaining({ kind: 'refused', status: 400 }) as Error;
    expect(() => encode(requestFor('titan', { input: [1, 2] }))).toThrow(refusal);
    expect(() => encode(requestFor('titan', { input: [{ content: [] }] }))).toThrow(refusal);
    expect(() => encode(requestFor(undefined, {}))).toThrow(refusal);
  });
});
