import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { embeddings } from '../provider-answers.js';
import type { EmbeddingsAnswer } from '../read-answers.js';
import { embeddingsRequests, NUMBERS } from './embeddings-requests.js';

const GENERATION_ID = /^gen-\d{10}-[A-Za-z0-9]{20}$/;

const BASE64 = 'AAAAPwAAgL8=';

describe('createEmbeddings', () => {
  const { gateway, key, sent } = embeddingsRequests();

  it('answers 200 with the embeddings under its own id and model, and what they cost', async () => {
    const answer = await gateway.embed(key);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(GENERATION_ID) as string,
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: NUMBERS }],
      model: 'acme/embedder',
      usage: {
        prompt_tokens: 10,
        total_tokens: 10,
        cost: 0.00001,
        is_byok: false,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_prompt_cost: 0.00001,
          upstream_inference_completions_cost: 0,
        },
      },
    });
    expect(answer.headers.get('x-generation-id')).toBe(answer.body.id);
    expectToFitContract('createEmbeddings', 200, answer.body);
    expect(gateway.alpha.received.map(({ path }) => path)).toEqual(['/v1/embeddings']);
  });

  it('answers 200 and records the session of the body, which goes before that of the header, and 400 to one that is none', async () => {
    const header = { 'x-session-id': 'of-the-header' };
    const [body, alone] = [
      await gateway.embed(key, { session_id: 'of-the-body' }, header),
      await gateway.embed(key, {}, header),
    ];

    expect([body.status, alone.status]).toEqual([200, 200]);
    expect(await gateway.record(body, key)).toMatchObject({ session_id: 'of-the-body' });
    expect(await gateway.record(alone, key)).toMatchObject({ session_id: 'of-the-header' });
    for (const fields of [{ session_id: 'x'.repeat(257) }, { session_id: 7 }, { trace: 'x' }]) {
      expect((await gateway.embed(key, fields)).status).toBe(400);
    }
  });

  it('hands on what the provider needs, and nothing that is the gateway’s own', async () => {
    await gateway.embed(key, {
      dimensions: 2,
      encoding_format: 'float',
      input_type: 'search_query',
      truncate: 'END',
      user: 'user-1',
      trace: { trace_name: 'x' },
      session_id: 'session-1',
    });

    expect(sent()).toEqual({
      model: 'embedder',
      input: 'What is new?',
      dimensions: 2,
      encoding_format: 'float',
      input_type: 'search_query',
      truncate: 'END',
    });
  });

  it.each([
    ['a text', 'Hello', 1],
    ['texts', ['Hello', 'world'], 2],
    ['the tokens of a text', [1, 2, 3], 1],
    ['the tokens of texts', [[1, 2], [3]], 2],
    [
      'parts',
      [
        {
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'image_url', image_url: { url: 'data:,x' } },
          ],
        },
      ],
      1,
    ],
  ])('answers 200 for %s, with an embedding for each input', async (_, input, count) => {
    gateway.alpha.answerJson(embeddings(Array<number[]>(count).fill(NUMBERS)));
    const answer = await gateway.embed(key, { input });

    expect([answer.status, answer.body.data.map(({ index }) => index)]).toEqual([200, [...Array(count).keys()]]);
    expect(sent()['input']).toEqual(input);
  });

  it.each([
    ['float', NUMBERS, NUMBERS],
    ['float', BASE64, NUMBERS],
    ['base64', NUMBERS, BASE64],
    ['base64', BASE64, BASE64],
    [undefined, BASE64, NUMBERS],
  ])(
    'answers 200 with vectors in the form %s that was asked for, also of %j',
    async (encoding_format, vector, shown) => {
      gateway.alpha.answerJson(embeddings([vector]));
      const answer = await gateway.embed(key, { encoding_format });

      expect([answer.status, answer.body.data[0]?.embedding]).toEqual([200, shown]);
    },
  );

  it('answers 200 from the next endpoint when vectors are none', async () => {
    gateway.alpha.answerJson(embeddings(['AAAA']));
    const answer = await gateway.embed(key);

    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({
      api_type: 'embeddings',
      streamed: false,
      model: 'acme/embedder',
      provider_name: 'Beta Cloud',
      finish_reason: null,
      provider_responses: [{ provider_name: 'Alpha Cloud' }, { provider_name: 'Beta Cloud', status: 200 }],
    });
  });

  it('charges what the provider counted, and an estimate where it counted nothing', async () => {
    gateway.alpha.answerJson(embeddings([NUMBERS], { usage: undefined }));
    const ofText = await gateway.embed(key, { input: 'x'.repeat(41) });
    const ofTokens = await gateway.embed(key, { input: [1, 2, 3] });

    expect(ofText.body.usage).toMatchObject({ prompt_tokens: 11, total_tokens: 11, cost: 0.000011 });
    expect(ofTokens.body.usage).toMatchObject({ prompt_tokens: 3, total_tokens: 3, cost: 0.000003 });
    expect(await gateway.record(ofText, key)).toMatchObject({ total_cost: 0.000011, tokens_prompt: 11 });
  });

  it('says of which kinds the tokens were, where the provider does', async () => {
    const details = { text_tokens: 4, image_tokens: 6, cached_tokens: 1 };
    const usage = { prompt_tokens: 10, total_tokens: 10, prompt_tokens_details: details };
    gateway.alpha.answerJson(embeddings([NUMBERS], { usage }));
    const answer = await gateway.embed(key);

    expect(answer.body.usage['prompt_tokens_details']).toEqual({ text_tokens: 4, image_tokens: 6 });
    expectToFitContract('createEmbeddings', 200, answer.body);
  });

  it.each([
    ['input', undefined],
    ['input', null],
    ['input', ''],
    ['input', []],
    ['input', {}],
    ['input', 7],
    ['input[1]', ['Hello', '']],
    ['input[1]', ['Hello', 7]],
    ['input[1]', [1, -1]],
    ['input[0]', [1.5]],
    ['input[0]', [[]]],
    ['input[0][1]', [[1, 'two']]],
    ['input[0].content', [{ content: [] }]],
    ['input[0].content[0].type', [{ content: [{ type: 'poem', text: 'Hello' }] }]],
    ['input[0].content[0].text', [{ content: [{ type: 'text' }] }]],
    ['input[0].content[0].image_url.url', [{ content: [{ type: 'image_url', image_url: { url: 'file:///x' } }] }]],
    ['input[0].content[0].input_audio.data', [{ content: [{ type: 'input_audio', input_audio: {} }] }]],
    ['input', Array<string>(2_049).fill('x')],
  ])('answers 400 at %s for %j, and asks no provider', async (path, input) => {
    const answer = await gateway.embed<ErrorBody>(key, { input });

    expect([answer.status, answer.body.error.metadata.issues]).toMatchObject([400, [{ path }]]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each([
    ['dimensions', 0],
    ['dimensions', 1.5],
    ['encoding_format', 'binary'],
    ['user', 7],
    ['provider', { sort: 'mood' }],
  ])('answers 400 for the field %s of %j', async (field, value) => {
    const answer = await gateway.embed<ErrorBody>(key, { [field]: value });
    const issues = answer.body.error.metadata.issues as readonly { readonly path: string }[];

    expect([answer.status, issues.map(({ path }) => path.split('.')[0])]).toEqual([400, [field]]);
  });

  it('answers 400 for a model that makes no embeddings, and in a chat for one that makes nothing else', async () => {
    const answers = [
      await gateway.embed<ErrorBody>(key, { model: 'acme/writer' }),
      await gateway.ask<ErrorBody>(key, { model: 'acme/embedder' }),
    ];

    for (const { status, body } of answers) {
      expect([status, body.error]).toMatchObject([
        400,
        { metadata: { reason: 'wrong_endpoint' }, availability: { code: 'wrong_endpoint', retryable: false } },
      ]);
    }
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 404 where the protocol of every provider has no embeddings', async () => {
    const answer = await gateway.embed<ErrorBody>(key, { model: 'acme/lone-embedder', provider: undefined });

    expect([answer.status, answer.body.error]).toMatchObject([
      404,
      { metadata: { reason: 'no_endpoints' }, availability: { excluded_by: ['unsupported_operation'] } },
    ]);
  });

  it('answers 404 for media that the model does not take', async () => {
    const input = [{ content: [{ type: 'input_audio', input_audio: { data: 'AAAA' } }] }];
    const answer = await gateway.embed<ErrorBody>(key, { input });

    expect([answer.status, answer.body.error]).toMatchObject([404, { availability: { excluded_by: ['modalities'] } }]);
  });

  it('answers 400 when one input is longer than the model reads, but not when all together are', async () => {
    gateway.alpha.answerJson(embeddings([NUMBERS, NUMBERS]));
    const half = 'x'.repeat(600_000);
    const both = await gateway.embed(key, { input: [half, half] });
    const joined = await gateway.embed<ErrorBody>(key, { input: [half + half, 'x'] });

    expect([both.status, joined.status]).toEqual([200, 400]);
    expect(joined.body.error).toMatchObject({ availability: { excluded_by: ['context_length'] } });
  });

  describe('of the builtin provider', () => {
    const echoed = (input: unknown, fields = {}): Promise<Answer<EmbeddingsAnswer>> =>
      gateway.embed(key, { model: 'gatehouse/echo-embedding', provider: undefined, input, ...fields });

    it('answers 200 with the same vector for the same words, of the length one', async () => {
      const answer = await echoed(['Where is my parcel?', 'where  is MY parcel?', 'Good morning']);
      const [one, same, other] = answer.body.data.map(({ embedding }) => embedding as readonly number[]);

      expect(answer.status).toBe(200);
      expect(one).toHaveLength(256);
      expect(same).toEqual(one);
      expect(other).not.toEqual(one);
      expect(Math.hypot(...one!)).toBeCloseTo(1, 4);
      expect(answer.body.usage).toMatchObject({ prompt_tokens: 13, total_tokens: 13 });
    });

    it('answers 200 with vectors as long as asked for, and 400 for longer ones than it makes', async () => {
      const short = await echoed([1, 2, 3], { dimensions: 8 });
      const long = await echoed('Hello', { dimensions: 1_025 });

      expect([short.status, short.body.data[0]!.embedding.length]).toEqual([200, 8]);
      expect([long.status, long.body]).toMatchObject([
        400,
        { error: { metadata: { reason: 'provider_refused_request' } } },
      ]);
    });
  });
});
