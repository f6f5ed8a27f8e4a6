import type { ChatMessage, ChatRequest } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { GEMINI, GEMINI_ON_VERTEX } from './codec.js';

const QUESTION: ChatMessage = { role: 'user', content: 'Weather in Ulm and Bonn?' };

function encoded(fields: object, { codec = GEMINI, isStreamed = false } = {}) {
  const adjustments = new RequestAdjustments();
  const request = { model: 'gemini-3-pro', messages: [QUESTION], ...fields } as ChatRequest;
  const { path, headers, body } = codec.operations.chat.encode(request, isStreamed, adjustments)[0]!;
  const notes = adjustments.list.map(({ path: place, reason }) => `${place}: ${reason}`);
  return { path, headers, body: JSON.parse(JSON.stringify(body)) as JsonObject, notes };
}

const bodyOf = (fields: object, codec = GEMINI): JsonObject => encoded(fields, { codec }).body;

const contentsOf = (messages: readonly ChatMessage[], codec = GEMINI): unknown =>
  bodyOf({ messages }, codec)['contents'];

const configOf = (fields: object): unknown => bodyOf(fields)['generationConfig'];

const call = (id: string, city: string, fields = {}) => ({
  id,
  type: 'function' as const,
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
  ...fields,
});

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const WEATHER = {
  type: 'function',
  function: { name: 'weather', description: 'Weather of a city', parameters: PARAMETERS },
};

const CLOCK = { type: 'function', function: { name: 'clock' } };

describe('A request to generateContent', () => {
  it.each([
    ['gemini-3-pro', false, '/models/gemini-3-pro:generateContent'],
    ['models/gemini-3-pro', true, '/models/gemini-3-pro:streamGenerateContent?alt=sse'],
    ['tunedModels/mine', false, '/tunedModels/mine:generateContent'],
    ['text-bison@001', false, '/models/text-bison@001:generateContent'],
    ['a/../b?x:y', false, '/models/a%2F..%2Fb%3Fx%3Ay:generateContent'],
  ])('names the model %s in its path', (model, isStreamed, path) => {
    expect(encoded({ model }, { isStreamed }).path).toBe(path);
    expect(bodyOf({ model })).not.toHaveProperty('model');
  });

  it('has instructions at the beginning apart, one part each, and later ones as texts of the user', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Speak ' },
          { type: 'text', text: 'German.' },
        ],
      },
      { role: 'user', name: 'Ann', content: 'Hi' },
      { role: 'system', content: 'Ann is in a hurry.' },
      { role: 'assistant', content: 'Hallo' },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'Bye' },
    ];
    expect(bodyOf({ messages })).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Speak German.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Ann: Hi' }, { text: 'Ann is in a hurry.' }] },
        { role: 'model', parts: [{ text: 'Hallo' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
    });
  });

  it('has instructions alone as what the user says', () => {
    expect(bodyOf({ messages: [{ role: 'system', content: 'Begin.' }] })).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Begin.' }] }],
    });
  });

  it('has images, recordings, videos and documents as data or addresses', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.JPG?x=1' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a' } },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
      { type: 'file', file: { file_data: 'data:text/plain,h%C3%A9' } },
      { type: 'video_url', video_url: { url: 'https://www.youtube.com/watch?v=1' } },
      { type: 'text', text: '' },
    ];
    expect(contentsOf([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a.JPG?x=1' } },
          { fileData: { fileUri: 'https://example.com/a' } },
          { inlineData: { mimeType: 'audio/mp3', data: 'aGk=' } },
          { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
          { inlineData: { mimeType: 'text/plain', data: Buffer.from('hé').toString('base64') } },
          { fileData: { mimeType: 'video/mp4', fileUri: 'https://www.youtube.com/watch?v=1' } },
        ],
      },
    ]);
  });

  it.each<[string, object]>([
    ['a file of another service', { type: 'file', file: { file_id: 'file-1' } }],
    ['a part that is not known', { type: 'hologram' }],
    ['a data URL without data', { type: 'image_url', image_url: { url: 'data:image/png' } }],
    ['a data URL that is no text', { type: 'file', file: { file_data: 'data:text/plain,%ff' } }],
  ])('is refused with %s', (_, part) => {
    expect(() => contentsOf([{ role: 'user', content: [part as never] }])).toThrow(
      expect.objectContaining({ kind: 'refused', status: 400 }) as Error,
    );
  });

  it('needs to know what is at an address for Vertex', () => {
    const at = (url: string): ChatMessage[] => [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    expect(contentsOf(at('gs://bucket/a.webp'), GEMINI_ON_VERTEX)).toMatchObject([
      { parts: [{ fileData: { mimeType: 'image/webp', fileUri: 'gs://bucket/a.webp' } }] },
    ]);
    expect(() => contentsOf(at('https://example.com/a'), GEMINI_ON_VERTEX)).toThrow('no known file type');
  });

  const TURN: readonly ChatMessage[] = [
    QUESTION,
    { role: 'assistant', content: 'I look.', tool_calls: [call('call_1', 'Ulm'), call('call_2', 'Bonn')] },
    withMessagesFields<ChatMessage>({ role: 'tool', tool_call_id: 'call_2', content: 'no data' }, { is_error: true }),
    { role: 'tool', tool_call_id: 'call_1', content: '7 C' },
    { role: 'user', content: 'And?' },
  ];

  it('has the results of all calls of a turn in one content, in the order of the calls, by their names', () => {
    expect(contentsOf(TURN)).toEqual([
      { role: 'user', parts: [{ text: 'Weather in Ulm and Bonn?' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Ulm' } } },
          { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Bonn' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'weather', response: { output: '7 C' } } },
          { functionResponse: { id: 'call_2', name: 'weather', response: { error: 'no data' } } },
          { text: 'And?' },
        ],
      },
    ]);
  });

  it('has no ids of calls for Vertex, which refuses them', () => {
    expect(JSON.stringify(contentsOf(TURN, GEMINI_ON_VERTEX))).not.toContain('"id"');
  });

  it('knows calls by the ids that clients of the Messages form have', () => {
    const messages: ChatMessage[] = [
      QUESTION,
      { role: 'assistant', content: null, tool_calls: [call('call/1', 'Ulm')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'x' },
    ];
    expect(contentsOf(messages)).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { id: 'call/1', name: 'weather' } }] },
    ]);
  });

  it.each<[string, ChatMessage['content'], object]>([
    ['an object', ' {"degrees":7}', { degrees: 7 }],
    ['a list', '[1]', { output: '[1]' }],
    ['half an object', '{"a":', { output: '{"a":' }],
    ['nothing', '', { output: '' }],
    ['an object with a reference', '{"a":[{"$ref":"#/$defs/A"}]}', { output: '{"a":[{"$ref":"#/$defs/A"}]}' }],
    [
      'one whose name has escapes',
      String.raw`{"a":{"\u0024r\u0065f":1}}`,
      { output: String.raw`{"a":{"\u0024r\u0065f":1}}` },
    ],
    ['an object that only speaks of references', '{"a":"$ref","$defs":{}}', { a: '$ref', $defs: {} }],
    ['an object with other escapes', String.raw`{"a":"\u00e9"}`, { a: 'é' }],
    [
      'several texts',
      [
        { type: 'text', text: '7' },
        { type: 'text', text: ' C' },
      ],
      { output: '7 C' },
    ],
  ])('has %s as the result of a call', (_, content, response) => {
    const result: ChatMessage = { role: 'tool', tool_call_id: 'call_1', content: content! };
    const messages = [QUESTION, { role: 'assistant' as const, tool_calls: [call('call_1', 'Ulm')] }, result];
    expect(contentsOf(messages)).toMatchObject([{}, {}, { parts: [{ functionResponse: { response } }] }]);
  });

  it('has images of results in the result', () => {
    const content = [
      { type: 'text', text: 'A map' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ];
    const messages: ChatMessage[] = [
      QUESTION,
      { role: 'assistant', tool_calls: [call('call_1', 'Ulm')] },
      { role: 'tool', tool_call_id: 'call_1', content },
    ];
    expect(contentsOf(messages, GEMINI_ON_VERTEX)).toMatchObject([
      {},
      {},
      {
        parts: [
          {
            functionResponse: {
              name: 'weather',
              response: { output: 'A map' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
            },
          },
        ],
      },
    ]);
  });

  it.each([
    ['', {}],
    [' ', {}],
    ['{"a":1}', { a: 1 }],
    ['"null"', { arguments: '"null"' }],
    ['null', {}],
    ['[1]', { arguments: '[1]' }],
    ['{"a"', { arguments: '{"a"' }],
  ])('has the arguments %j as an object', (text, args) => {
    const asked = { ...call('call_1', 'Ulm'), function: { name: 'weather', arguments: text } };
    expect(contentsOf([QUESTION, { role: 'assistant', tool_calls: [asked] }])).toMatchObject([
      {},
      { parts: [{ functionCall: { name: 'weather', args } }] },
    ]);
  });

  it('has functions in one list, with their schemas as they are', () => {
    expect(bodyOf({ tools: [WEATHER, CLOCK] })).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: 'weather', description: 'Weather of a city', parametersJsonSchema: PARAMETERS },
            { name: 'clock' },
          ],
        },
      ],
    });
    expect(bodyOf({ tools: [WEATHER] })).not.toHaveProperty('toolConfig');
  });

  it('says nothing of calls where there are no functions, and leaves out tools that a provider would run', () => {
    const { body, notes } = encoded({ tools: [{ type: 'web_search' }], tool_choice: 'required' });
    expect(Object.keys(body)).toEqual(['contents']);
    expect(notes).toEqual(['tools: tool_of_provider']);
  });

  const strict = { ...WEATHER, function: { ...WEATHER.function, strict: true } };
  const allowed = (mode: string, ...names: string[]): object => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
  });

  it.each<[string, unknown, object | undefined]>([
    ['none', 'none', { mode: 'NONE' }],
    ['auto', 'auto', undefined],
    ['required', 'required', { mode: 'ANY' }],
    [
      'one function',
      { type: 'function', function: { name: 'clock' } },
      { mode: 'ANY', allowedFunctionNames: ['clock'] },
    ],
    ['some that are required', allowed('required', 'clock', 'x'), { mode: 'ANY', allowedFunctionNames: ['clock'] }],
    ['some that are free', allowed('auto', 'clock'), { mode: 'VALIDATED', allowedFunctionNames: ['clock'] }],
    ['none that is there', allowed('auto', 'x'), { mode: 'NONE' }],
  ])('can be told to call %s', (_, choice, functionCallingConfig) => {
    const { toolConfig } = bodyOf({ tools: [WEATHER, CLOCK], tool_choice: choice });
    expect(toolConfig).toEqual(functionCallingConfig && { functionCallingConfig });
  });

  it('has calls that obey their schemas where one is to', () => {
    expect(bodyOf({ tools: [strict] })['toolConfig']).toEqual({ functionCallingConfig: { mode: 'VALIDATED' } });
  });

  it('has the other parameters under their names', () => {
    const fields = {
      max_tokens: 9,
      max_completion_tokens: 500,
      temperature: 0,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      n: 2,
      stop: 'END',
      logprobs: true,
      top_logprobs: 3,
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF', x: 1 }, 'x'],
    };
    expect(bodyOf(fields)).toMatchObject({
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      generationConfig: {
        maxOutputTokens: 500,
        temperature: 0,
        topP: 0.9,
        topK: 40,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        candidateCount: 2,
        stopSequences: ['END'],
        responseLogprobs: true,
        logprobs: 3,
      },
    });
  });

  it('has five sequences to stop at, and no probabilities in a stream of the Gemini API', () => {
    const fields = { stop: ['a', 'b', 'c', 'd', 'e', 'f', ''], logprobs: true };
    const { body, notes } = encoded(fields, { isStreamed: true });
    expect(body['generationConfig']).toEqual({ stopSequences: ['a', 'b', 'c', 'd', 'e'] });
    expect(notes).toEqual(['stop: above_maximum', 'logprobs: no_counterpart']);
    expect(encoded(fields, { isStreamed: true, codec: GEMINI_ON_VERTEX }).body).toMatchObject({
      generationConfig: { responseLogprobs: true },
    });
  });

  it('has formats of answers', () => {
    const json_schema = { name: 'weather', schema: PARAMETERS, strict: true };
    expect(configOf({ response_format: { type: 'json_schema', json_schema } })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: PARAMETERS,
    });
    expect(configOf({ response_format: { type: 'json_object' } })).toEqual({ responseMimeType: 'application/json' });
    expect(configOf({ response_format: { type: 'text' } })).toBeUndefined();
  });

  it('asks for images', () => {
    const fields = { modalities: ['image', 'text', 'audio'], image_config: { aspect_ratio: '16:9', image_size: '2K' } };
    const { body, notes } = encoded(fields);
    expect(body['generationConfig']).toEqual({
      responseModalities: ['IMAGE', 'TEXT'],
      imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
    });
    expect(notes).toEqual(['modalities: no_counterpart']);
  });

  it.each<[object, object | undefined]>([
    [{ max_tokens: 2_000 }, { includeThoughts: true, thinkingBudget: 2_000 }],
    [
      { max_tokens: -1, exclude: true },
      { includeThoughts: false, thinkingBudget: -1 },
    ],
    [{ max_tokens: 0 }, { includeThoughts: false, thinkingBudget: 0 }],
    [{ effort: 'none' }, { includeThoughts: false, thinkingBudget: 0 }],
    [{ effort: 'minimal' }, { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    [{ effort: 'xhigh' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    [{ enabled: true }, { includeThoughts: true }],
    [{ exclude: true }, undefined],
  ])('asks for thoughts by %j', (reasoning, thinkingConfig) => {
    expect(configOf({ reasoning })).toEqual(thinkingConfig && { thinkingConfig });
  });

  it('asks the Gemini API for a tier in a field, and Vertex in a header', () => {
    expect(encoded({ service_tier: 'flex' })).toMatchObject({ headers: undefined, body: { serviceTier: 'flex' } });
    const vertex = encoded({ service_tier: 'flex' }, { codec: GEMINI_ON_VERTEX });
    expect(vertex.headers).toEqual({ 'x-vertex-ai-llm-shared-request-type': 'flex' });
    expect(Object.keys(vertex.body)).toEqual(['contents']);
    expect(encoded({ service_tier: 'auto' }).notes).toEqual([]);
    expect(encoded({ service_tier: 'batch' }).notes).toEqual(['service_tier: no_counterpart']);
  });

  it('has labels for Vertex alone', () => {
    const fields = { user: 'Ann@example.com', metadata: { Team: 'A b', '1': 'x' } };
    expect(bodyOf(fields, GEMINI_ON_VERTEX)['labels']).toEqual({ team: 'a_b', user: 'ann_example_com' });
    expect(Object.keys(bodyOf(fields))).toEqual(['contents']);
  });
});
