import fc from 'fast-check';
import type { ChatChunk, ChatRequest } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { parsed } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';
import type { Upstream } from '../upstream-codec.js';
import { GEMINI } from './codec.js';

const UPSTREAM: Upstream = {
  provider: 'google-ai-studio',
  baseUrl: 'https://example.com/v1beta',
  apiKey: 'AIza-secret',
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

const REQUEST = { model: 'gemini', messages: [] } as unknown as ChatRequest;

const USAGE = { promptTokenCount: 40, candidatesTokenCount: 20, thoughtsTokenCount: 30, totalTokenCount: 90 };

const answer = (parts: readonly object[], fields: object = {}, others: object = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...fields }],
  usageMetadata: USAGE,
  modelVersion: 'gemini-3-pro',
  responseId: 'r1',
  ...others,
});

const part = (parts: readonly object[], fields: object = {}, others: object = {}): JsonObject => {
  const { candidates } = answer(parts, { finishReason: undefined, ...fields });
  return { candidates, responseId: 'r1', ...others };
};

const decoded = (document: unknown) => GEMINI.operations.chat.decode([document], REQUEST, UPSTREAM, []);

/** Reads a stream to its end. */
function streamed(documents: readonly unknown[], request = REQUEST): ChatChunk[] {
  const decoder = GEMINI.operations.chat.streamDecoder(request, UPSTREAM);
  const chunks = documents.flatMap(
    (document) => decoder.read({ event: undefined, data: JSON.stringify(document) }) ?? [],
  );
  decoder.ended();
  return chunks;
}

const failureOf = (act: () => unknown): ProviderError => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

const CALL = { functionCall: { name: 'weather', args: { city: 'Ulm' } } };

describe('An answer of generateContent', () => {
  it('is read with thoughts, text, calls and what signs them', () => {
    const parts = [
      { text: 'I look it up', thought: true },
      { text: 'Let me see.', thoughtSignature: 'VEVYVA==' },
      { ...CALL, thoughtSignature: 'U0lH' },
      { functionCall: { name: 'weather', id: 'own' } },
      { executableCode: { language: 'PYTHON', code: '1' } },
    ];
    const completion = decoded(answer(parts));
    expect(completion).toMatchObject({ upstreamId: 'r1', systemFingerprint: null, serviceTier: null });
    const { message, ...end } = completion.choices[0]!;
    expect(end).toEqual({ index: 0, finish_reason: 'tool_calls', native_finish_reason: 'STOP' });
    const { id } = message.tool_calls![0]!;
    expect(id).toMatch(/^call_/);
    expect(message).toEqual({
      role: 'assistant',
      content: 'Let me see.',
      reasoning: 'I look it up',
      tool_calls: [
        {
          id,
          type: 'function',
          function: { name: 'weather', arguments: '{"city":"Ulm"}' },
          extra_content: { google: { thought_signature: 'U0lH' } },
        },
        { id: 'own', type: 'function', function: { name: 'weather', arguments: '{}' } },
      ],
      reasoning_details: [
        { type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 0, id: 'after-0-0-11', data: 'VEVYVA==' },
        { type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 1, id, data: 'U0lH' },
      ],
    });
  });

  it('counts thoughts in the completion, and cached tokens in the prompt', () => {
    const usageMetadata = {
      ...USAGE,
      cachedContentTokenCount: 32,
      toolUsePromptTokenCount: 5,
      totalTokenCount: 95,
      promptTokensDetails: [
        { modality: 'IMAGE', tokenCount: 12 },
        { modality: 'TEXT', tokenCount: 28 },
      ],
      serviceTier: 'flex',
    };
    expect(decoded(answer([{ text: 'x' }], {}, { usageMetadata }))).toMatchObject({
      usage: {
        prompt_tokens: 45,
        completion_tokens: 50,
        total_tokens: 95,
        prompt_tokens_details: { cached_tokens: 32, image_tokens: 12 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      serviceTier: 'flex',
    });
  });

  it.each<[string, object | undefined, object]>([
    ['a total with more output', { promptTokenCount: 10, totalTokenCount: 30 }, { usage: { completion_tokens: 20 } }],
    ['a prompt alone', { promptTokenCount: 10, totalTokenCount: 10 }, { isAnswerUncounted: true }],
    ['an answer alone', { candidatesTokenCount: 5 }, { isPromptUncounted: true, usage: { completion_tokens: 5 } }],
    ['nothing', undefined, { usage: null }],
    [
      'what cannot be counts',
      { promptTokenCount: -1, candidatesTokenCount: '7', totalTokenCount: 1e300 },
      { usage: null },
    ],
    [
      'more cached than sent',
      { promptTokenCount: 4, cachedContentTokenCount: 9 },
      { usage: { prompt_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } } },
    ],
  ])('is counted from %s', (_, usageMetadata, expected) => {
    expect(decoded(answer([{ text: 'x' }], {}, { usageMetadata }))).toMatchObject(expected);
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
    ['IMAGE_RECITATION', 'content_filter'],
    ['MODEL_ARMOR', 'content_filter'],
    ['LANGUAGE', 'stop'],
    ['OTHER', 'stop'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
    ['A_NEW_WORD', 'stop'],
  ])('ends with %s as %s', (native, reason) => {
    expect(decoded(answer([{ text: 'x' }], { finishReason: native })).choices).toMatchObject([
      { finish_reason: reason, native_finish_reason: native },
    ]);
  });

  it.each([
    'MALFORMED_FUNCTION_CALL',
    'MALFORMED_RESPONSE',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
    'LANGUAGE',
    'OTHER',
    'NO_IMAGE',
    'IMAGE_OTHER',
  ])('fails with %s where nothing was said', (finishReason) => {
    const error = failureOf(() => decoded(answer([], { finishReason, finishMessage: 'Bad call AIza-secret' })));
    expect(error).toMatchObject({ kind: 'refused', message: 'Bad call [redacted]', code: finishReason });
    const silent = failureOf(() => decoded(answer([], { finishReason })));
    expect(silent.message).toBe(`The model ended its answer with ${finishReason}.`);
  });

  it('says with what it has why a choice has failed', () => {
    const fields = { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Bad call' };
    expect(decoded(answer([{ text: 'x' }], fields)).choices).toMatchObject([
      { message: { content: 'x' }, finish_reason: 'error', error: { code: 502, message: 'Bad call' } },
    ]);
  });

  it.each([
    {},
    { content: {} },
    { content: { role: 'model' } },
    { content: { parts: [] } },
    { content: { parts: [{ text: '' }] } },
  ])('may be empty with a reason for its end: %j', (fields) => {
    expect(decoded({ candidates: [{ finishReason: 'STOP', ...fields }] }).choices).toEqual([
      { index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop', native_finish_reason: 'STOP' },
    ]);
  });

  it.each(['SAFETY', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY', 'MODEL_ARMOR', 'JAILBREAK'])(
    'is one of a filter where the prompt is blocked by %s',
    (blockReason) => {
      const document = { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } };
      const expected = { finish_reason: 'content_filter', native_finish_reason: blockReason };
      expect(decoded(document)).toMatchObject({ choices: [{ message: { content: null }, ...expected }] });
      expect(decoded(document)).not.toHaveProperty('isAnswerUncounted');
      expect(streamed([document])).toMatchObject([
        { choices: [{ delta: {}, ...expected }], usage: { prompt_tokens: 9 } },
      ]);
    },
  );

  it.each([null, [], {}, { candidates: [] }, { candidates: 'x' }, { candidates: [{}] }, { promptFeedback: {} }])(
    'is invalid as %j',
    (document) => {
      expect(failureOf(() => decoded(document)).kind).toBe('invalid');
    },
  );

  it('has several choices, of which the first may say no index', () => {
    const candidates = ['a', 'b'].map((text, index) => ({
      content: { parts: [{ text }] },
      finishReason: 'STOP',
      ...(index > 0 && { index }),
    }));
    expect(decoded({ candidates }).choices).toMatchObject([
      { index: 0, message: { content: 'a' } },
      { index: 1, message: { content: 'b' } },
    ]);
  });

  it('has images, and what signs them', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' }, thoughtSignature: 'U0lH' };
    const sound = { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } };
    expect(decoded(answer([{ text: 'Look' }, image, sound])).choices[0]!.message).toMatchObject({
      content: 'Look',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
      reasoning_details: [{ id: 'image-0', data: 'U0lH' }],
    });
  });

  it('cites sources at their places, which the provider counts in bytes', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: { uri: 'https://b.example' } }, {}],
      groundingSupports: [
        { segment: { endIndex: 7, text: 'Größe' }, groundingChunkIndices: [0, 7, 'x'] },
        { segment: { startIndex: 8, endIndex: 99 }, groundingChunkIndices: [0] },
      ],
    };
    const citationMetadata = { citationSources: [{ startIndex: 0, endIndex: 2, uri: 'https://c.example' }] };
    const cited = (url: string, title: string, start_index: number, end_index: number): object => ({
      type: 'url_citation',
      url_citation: { url, title, start_index, end_index },
    });
    const fields = { groundingMetadata, citationMetadata };
    expect(decoded(answer([{ text: 'Größe ok' }], fields)).choices[0]!.message['annotations']).toEqual([
      cited('https://a.example', 'A', 0, 5),
      cited('https://a.example', 'A', 0, 0),
      cited('https://b.example', 'https://b.example', 0, 0),
      cited('https://c.example', 'https://c.example', 0, 2),
    ]);
    const chunks = streamed([part([{ text: 'Größe' }]), part([{ text: ' ok' }], fields), answer([], fields)]);
    const counts = chunks.map(({ choices }) => (choices[0]!.delta['annotations'] as unknown[] | undefined)?.length);
    expect(counts).toEqual([undefined, 4, undefined]);
  });

  it('cites sources at every place of a long text, within a character as well', () => {
    const text = 'aé漢😀'.repeat(700);
    const bytes = Buffer.from(text);
    const ends = Array.from({ length: 190 }, (_, at) => 4_090 + at).concat(1_023, 1_024, 1_025, 6_999, 7_000, 7_001);
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example' } }],
      groundingSupports: ends.map((endIndex) => ({ segment: { endIndex }, groundingChunkIndices: [0] })),
    };
    const cited = decoded(answer([{ text }], { groundingMetadata })).choices[0]!.message['annotations'];
    const places = (cited as { readonly url_citation: { readonly end_index: number } }[]).map(
      ({ url_citation: { end_index } }) => end_index,
    );
    expect(places).toEqual(ends.map((end) => (end > bytes.length ? 0 : bytes.toString('utf8', 0, end).length)));
  });

  it('has no bytes of a text that is too long to be a token', () => {
    const [token, longest] = ['é'.repeat(1_025), 'é'.repeat(1_024)];
    const logprobsResult = { chosenCandidates: [{ token }, { token: longest }] };
    const { logprobs } = decoded(answer([{ text: 'Hé' }], { logprobsResult })).choices[0]!;
    const [first, second] = (logprobs as { readonly content: { readonly bytes: readonly number[] | null }[] }).content;
    expect([first!.bytes, second!.bytes?.length]).toEqual([null, 2_048]);
  });

  it('has the probabilities of tokens', () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'Hé', tokenId: 1, logProbability: -0.5 }, {}],
      topCandidates: [
        {
          candidates: [
            { token: 'Hé', logProbability: -0.5 },
            { token: 'Yo', logProbability: -2 },
          ],
        },
      ],
    };
    const bytes = [...Buffer.from('Hé')];
    expect(decoded(answer([{ text: 'Hé' }], { logprobsResult })).choices[0]!.logprobs).toEqual({
      content: [
        {
          token: 'Hé',
          logprob: -0.5,
          bytes,
          top_logprobs: [
            { token: 'Hé', logprob: -0.5, bytes },
            { token: 'Yo', logprob: -2, bytes: [89, 111] },
          ],
        },
        { token: '', logprob: 0, bytes: [], top_logprobs: [] },
      ],
      refusal: null,
    });
  });
});

describe('A stream of generateContent', () => {
  it('has calls whole, signatures beside them, and the usage that was counted last', () => {
    const chunks = streamed([
      part(
        [{ text: 'I look it up', thought: true }],
        {},
        {
          usageMetadata: { promptTokenCount: 40, totalTokenCount: 52, thoughtsTokenCount: 12 },
        },
      ),
      part([{ ...CALL, thoughtSignature: 'U0lH' }, { functionCall: { name: 'weather' } }]),
      answer(
        [{ text: '', thoughtSignature: 'VEFJTA==' }],
        {},
        {
          usageMetadata: {
            promptTokenCount: 40,
            cachedContentTokenCount: 32,
            candidatesTokenCount: 20,
            thoughtsTokenCount: 30,
            totalTokenCount: 90,
          },
        },
      ),
    ]);
    expect(chunks[0]).toMatchObject({
      upstreamId: 'r1',
      choices: [{ index: 0, delta: { reasoning: 'I look it up' }, finish_reason: null }],
      isAnswerUncounted: true,
      usage: { completion_tokens: 12 },
    });
    const { tool_calls: calls, reasoning_details: details } = chunks[1]!.choices[0]!.delta;
    expect(calls).toMatchObject([
      {
        index: 0,
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Ulm"}' },
        extra_content: { google: { thought_signature: 'U0lH' } },
      },
      { index: 1, type: 'function', function: { name: 'weather', arguments: '{}' } },
    ]);
    expect(details).toMatchObject([{ index: 0, id: calls![0]!.id, data: 'U0lH' }]);
    expect(chunks[2]).toEqual({
      upstreamId: 'r1',
      choices: [
        {
          index: 0,
          delta: {
            reasoning_details: [
              {
                type: 'reasoning.encrypted',
                format: 'google-gemini-v1',
                index: 1,
                id: 'after-0-2-0',
                data: 'VEFJTA==',
              },
            ],
          },
          finish_reason: 'tool_calls',
          native_finish_reason: 'STOP',
        },
      ],
      usage: {
        prompt_tokens: 40,
        completion_tokens: 50,
        total_tokens: 90,
        prompt_tokens_details: { cached_tokens: 32 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
    });
  });

  it('keeps what was counted before where the end leaves it out', () => {
    const [, last] = streamed([
      part(
        [{ text: 'x' }],
        {},
        { usageMetadata: { promptTokenCount: 40, cachedContentTokenCount: 32, candidatesTokenCount: 1 } },
      ),
      answer([], {}, { usageMetadata: { candidatesTokenCount: 7, totalTokenCount: 47 } }),
    ]);
    expect(last).toMatchObject({
      usage: { prompt_tokens: 40, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 32 } },
    });
    expect(last).not.toHaveProperty('isAnswerUncounted');
  });

  it('says that all is counted where the end has no usage of its own', () => {
    const [, last] = streamed([
      part([{ text: 'x' }], {}, { usageMetadata: USAGE }),
      answer([], {}, { usageMetadata: undefined }),
    ]);
    expect(last).toMatchObject({ usage: { completion_tokens: 50 } });
    expect(last).not.toHaveProperty('isAnswerUncounted');
  });

  it.each<[string, readonly unknown[]]>([
    ['has a reason for its end alone', [part([{ text: 'x' }]), { candidates: [{ finishReason: 'STOP' }] }]],
    ['comes at once', [answer([{ text: 'x' }])]],
    ['ends with a text of nothing', [part([{ text: 'x' }]), answer([{ text: '' }])]],
    ['goes on behind its end', [answer([{ text: 'x' }]), { usageMetadata: USAGE }]],
    ['is one list', [[part([{ text: 'x' }]), answer([])]]],
  ])('is complete where it %s', (_, documents) => {
    const choices = streamed(documents).flatMap((chunk) => chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('x');
    expect(choices.map(({ finish_reason: reason }) => reason).filter((reason) => reason !== null)).toEqual(['stop']);
  });

  it('ends with calls where one comes behind the end', () => {
    const chunks = streamed([answer([{ text: 'x' }]), part([CALL])]);
    expect(chunks.map(({ choices }) => choices[0]!.finish_reason)).toEqual(['stop', 'tool_calls']);
  });

  it.each<[string, readonly unknown[]]>([
    ['nothing comes', []],
    ['it has no end', [part([{ text: 'x' }])]],
    ['it has only thoughts', [part([{ text: 'x', thought: true }])]],
    ['it only counts', [{ usageMetadata: USAGE }]],
    ['one of its candidates has no end', [answer([{ text: 'x' }]), part([{ text: 'y' }], { index: 1 })]],
    [
      'one of its candidates has only thoughts',
      [answer([{ text: 'x' }]), part([{ text: 'y', thought: true }], { index: 1 })],
    ],
  ])('has broken off where %s', (_, documents) => {
    expect(failureOf(() => streamed(documents))).toMatchObject({ kind: 'unreachable' });
  });

  it.each<[string, unknown]>([
    ['an error', { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
    ['a list of one', [{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }]],
    ['a list with one behind an answer', [part([{ text: 'x' }]), { error: { code: 503, message: 'Overloaded' } }]],
  ])('fails with %s', (_, document) => {
    expect(failureOf(() => streamed([part([{ text: 'x' }]), document]))).toMatchObject({
      kind: 'refused',
      status: 503,
      message: 'Overloaded',
    });
  });

  it('fails at its end where a candidate was given up, so that its usage counts', () => {
    const decoder = GEMINI.operations.chat.streamDecoder(REQUEST, UPSTREAM);
    const data = JSON.stringify(answer([], { finishReason: 'MALFORMED_FUNCTION_CALL' }));
    expect(decoder.read({ event: undefined, data })).toMatchObject({
      choices: [{ finish_reason: null }],
      usage: { completion_tokens: 50 },
    });
    expect(decoder.hasFinished()).toBe(true);
    expect(failureOf(() => decoder.ended())).toMatchObject({ kind: 'refused', code: 'MALFORMED_FUNCTION_CALL' });
  });

  it('is over as soon as all candidates that were asked for have ended', () => {
    const decoder = GEMINI.operations.chat.streamDecoder({ ...REQUEST, n: 2 }, UPSTREAM);
    const read = (document: unknown): unknown => decoder.read({ event: undefined, data: JSON.stringify(document) });
    read(answer([{ text: 'a' }]));
    expect(decoder.hasFinished()).toBe(false);
    read(answer([{ text: 'b' }], { index: 1 }));
    expect(decoder.hasFinished()).toBe(true);
    expect(decoder.keptBytes).toBeGreaterThan(0);
  });

  it('reads nothing of events that say nothing', () => {
    const decoder = GEMINI.operations.chat.streamDecoder(REQUEST, UPSTREAM);
    expect(decoder.read({ event: undefined, data: '' })).toBeUndefined();
    expect(decoder.read({ event: undefined, data: '[DONE]' })).toBeUndefined();
  });

  it.each([
    ['candidates', { candidates: Array.from({ length: 10_001 }, () => ({})) }],
    ['parts', part(Array.from({ length: 10_001 }, () => ({ text: 'x' })))],
    ['candidates of one stream', { candidates: Array.from({ length: 1_001 }, (_, index) => ({ index })) }],
  ])('is refused with too many %s', (_, document) => {
    expect(failureOf(() => streamed([document])).kind).toBe('invalid');
  });
});

/** Objects that look like answers, with whatever in place of what ought to be there. */
const hostile = fc.letrec<{ node: unknown; candidate: unknown; part: unknown }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 2 }), tie('part'), tie('candidate')),
  part: fc.record(
    {
      text: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
      thought: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 1 })),
      thoughtSignature: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
      functionCall: fc.oneof(
        fc.record(
          {
            name: fc.jsonValue({ maxDepth: 1 }),
            args: fc.jsonValue({ maxDepth: 3 }),
            id: fc.jsonValue({ maxDepth: 1 }),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      inlineData: fc.oneof(
        fc.record({ mimeType: fc.constantFrom('image/png', 1, null), data: fc.jsonValue({ maxDepth: 1 }) }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      ['__proto__']: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  ),
  candidate: fc.record(
    {
      index: fc.oneof(fc.integer(), fc.constant(1e300), fc.jsonValue({ maxDepth: 1 })),
      content: fc.oneof(
        fc.record({ parts: fc.oneof(fc.array(tie('part'), { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })) }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      finishReason: fc.oneof(
        fc.constantFrom('STOP', 'OTHER', 'SAFETY', 'MALFORMED_FUNCTION_CALL'),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      finishMessage: fc.jsonValue({ maxDepth: 1 }),
      logprobsResult: fc.oneof(
        fc.record({
          chosenCandidates: fc.array(fc.jsonValue({ maxDepth: 2 })),
          topCandidates: fc.jsonValue({ maxDepth: 2 }),
        }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      groundingMetadata: fc.oneof(
        fc.record({
          groundingChunks: fc.array(
            fc.oneof(
              fc.record({
                web: fc.oneof(
                  fc.record({ uri: fc.webUrl(), title: fc.jsonValue({ maxDepth: 1 }) }),
                  fc.jsonValue({ maxDepth: 1 }),
                ),
              }),
              fc.jsonValue({ maxDepth: 1 }),
            ),
            { maxLength: 3 },
          ),
          groundingSupports: fc.array(
            fc.oneof(
              fc.record({
                segment: fc.oneof(
                  fc.record({ startIndex: fc.integer(), endIndex: fc.double() }),
                  fc.jsonValue({ maxDepth: 1 }),
                ),
                groundingChunkIndices: fc.oneof(
                  fc.array(fc.integer({ min: -1, max: 4 })),
                  fc.jsonValue({ maxDepth: 1 }),
                ),
              }),
              fc.jsonValue({ maxDepth: 1 }),
            ),
            { maxLength: 3 },
          ),
        }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      citationMetadata: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: [] },
  ),
})).candidate;

const hostileAnswers = fc.record(
  {
    candidates: fc.oneof(fc.array(hostile, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })),
    promptFeedback: fc.oneof(fc.record({ blockReason: fc.jsonValue({ maxDepth: 1 }) }), fc.jsonValue({ maxDepth: 1 })),
    usageMetadata: fc.oneof(
      fc.dictionary(
        fc.constantFrom(
          'promptTokenCount',
          'candidatesTokenCount',
          'totalTokenCount',
          'thoughtsTokenCount',
          'promptTokensDetails',
          'candidatesTokensDetails',
          'serviceTier',
          'trafficType',
        ),
        fc.oneof(fc.double(), fc.constant(Number.MAX_VALUE), fc.jsonValue({ maxDepth: 3 })),
      ),
      fc.jsonValue({ maxDepth: 1 }),
    ),
    responseId: fc.jsonValue({ maxDepth: 1 }),
    error: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    ),
  },
  { requiredKeys: [] },
);

describe('Hostile answers of generateContent', () => {
  const isRefused = (act: () => unknown): void => {
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(ProviderError);
    }
  };

  it('are read, or refused as those of a provider', () => {
    fc.assert(
      fc.property(hostileAnswers, (document) => {
        const sent = parsed(JSON.stringify(document));
        isRefused(() => decoded(sent));
        isRefused(() => GEMINI.countedIn(sent));
      }),
      { numRuns: 500 },
    );
  });

  it('are read, or refused as those of a provider, in a stream', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostileAnswers, fc.jsonValue()), { maxLength: 4 }), (documents) => {
        isRefused(() => streamed(documents));
      }),
      { numRuns: 500 },
    );
  });

  it('count no more than can be counted', () => {
    fc.assert(
      fc.property(hostileAnswers, (document) => {
        const usage = GEMINI.countedIn(parsed(JSON.stringify(document)))?.usage;
        for (const count of [usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens]) {
          expect(Number.isSafeInteger(count ?? 0) && (count ?? 0) >= 0).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
