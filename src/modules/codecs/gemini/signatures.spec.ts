import fc from 'fast-check';
import type { AssistantMessage, ChatMessage, ChatRequest, ToolCall } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { withRequiredSignature } from '../chat/thought-signatures.js';
import type { Upstream } from '../upstream-codec.js';
import { GEMINI, GEMINI_ON_VERTEX } from './codec.js';

const UPSTREAM = { apiKey: null } as Upstream;

const REQUEST = { model: 'gemini', messages: [] } as unknown as ChatRequest;

/** The message that a client makes of a whole answer. */
function whole(parts: readonly object[]): AssistantMessage {
  const document = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
  return GEMINI.operations.chat.decode([document], REQUEST, UPSTREAM, []).choices[0]!.message;
}

/** The message that a client makes of a stream in which every part comes alone. */
function streamed(parts: readonly object[]): AssistantMessage {
  const decoder = GEMINI.operations.chat.streamDecoder(REQUEST, UPSTREAM);
  const documents = [
    ...parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] })),
    { candidates: [{ finishReason: 'STOP' }] },
  ];
  const deltas = documents.flatMap((document) => {
    const chunk = decoder.read({ event: undefined, data: JSON.stringify(document) });
    return chunk?.choices.map(({ delta }) => delta) ?? [];
  });
  const all = <Of>(field: string): Of[] => deltas.flatMap((delta) => (delta[field] ?? []) as Of[]);
  const calls = all<ToolCall & { readonly index: number }>('tool_calls').map(({ index: _index, ...call }) => call);
  return {
    role: 'assistant',
    content: deltas.map(({ content }) => content ?? '').join(''),
    reasoning_details: all('reasoning_details'),
    ...(calls.length > 0 && { tool_calls: calls }),
    images: all('images'),
  };
}

/** The parts that messages of the assistant become when a client sends them back. */
function sentBack(message: ChatMessage, codec = GEMINI_ON_VERTEX, adjustments = new RequestAdjustments()): unknown {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Hi' }, message, { role: 'user', content: 'Go on' }];
  const { body } = codec.operations.chat.encode({ model: 'gemini', messages }, false, adjustments)[0]!;
  return (body as { contents: { parts: unknown }[] }).contents[1]!.parts;
}

const call = (city: string, thoughtSignature?: string): JsonObject => ({
  functionCall: { name: 'weather', args: { city } },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
});

const identifier = fc.stringMatching(/^[A-Za-z0-9+/]{1,12}$/);
const maybeSigned = (part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(part, fc.option(identifier, { nil: undefined }))
    .map(([given, thoughtSignature]) => ({ ...given, ...(thoughtSignature !== undefined && { thoughtSignature }) }));
const texts = maybeSigned(fc.record({ text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) }));
const calls = maybeSigned(
  fc.string({ maxLength: 5 }).map((city) => ({ functionCall: { name: 'weather', args: { city } } })),
);

/** Texts without a signature that follow each other are one. */
function joined(parts: readonly JsonObject[]): readonly JsonObject[] {
  const all: JsonObject[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const areTexts = typeof last?.['text'] === 'string' && typeof part['text'] === 'string';
    if (areTexts && !('thoughtSignature' in last) && !('thoughtSignature' in part)) {
      all[all.length - 1] = { text: `${String(last['text'])}${String(part['text'])}` };
    } else all.push(part);
  }
  return all;
}

describe('What signs thoughts of Gemini', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['the first of two calls', [call('Ulm', 'U0lH'), call('Bonn')]],
    ['each of two calls', [{ text: 'x' }, call('Ulm', 'U0lH'), call('Bonn', 'VEFJTA==')]],
    ['a text', [{ text: 'x', thoughtSignature: 'U0lH' }]],
    ['a text before another', [{ text: 'x', thoughtSignature: 'U0lH' }, { text: 'y' }]],
    ['a text behind another', [{ text: 'x' }, { text: 'y', thoughtSignature: 'U0lH' }]],
    ['a text of nothing at the end', [{ text: 'x' }, { text: '', thoughtSignature: 'U0lH' }]],
    [
      'a text of nothing behind calls',
      [{ text: 'x' }, call('Ulm', 'U0lH'), call('Bonn'), { text: '', thoughtSignature: 'VA==' }],
    ],
    ['an image', [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' }, thoughtSignature: 'U0lH' }]],
    ['a thought', [{ text: 'Why?', thought: true, thoughtSignature: 'U0lH' }, { text: 'x' }]],
  ])('goes back in %s, where it came', (_, parts) => {
    expect(sentBack(whole(parts))).toEqual(parts);
    expect(sentBack(streamed(parts))).toEqual(parts);
  });

  it('goes back in every part that had it, whatever a model says before its calls', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), fc.array(calls, { maxLength: 3 }), (said, called) => {
        const parts = [...said, ...called];
        fc.pre(parts.length > 0);
        for (const read of [whole, streamed]) expect(sentBack(read(parts))).toEqual(joined(parts));
      }),
    );
  });

  it('goes back from the field of Google’s form of chats', () => {
    const extra = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
    const asked = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
    const message: ChatMessage = {
      role: 'assistant',
      content: 'x',
      tool_calls: [{ ...asked, ...extra('U0lH') }],
      ...extra('VA=='),
    };
    expect(sentBack(message)).toEqual([
      { text: 'x', thoughtSignature: 'VA==' },
      { functionCall: { name: 'weather', args: {} }, thoughtSignature: 'U0lH' },
    ]);
    expect(sentBack({ ...message, content: null })).toEqual([
      { functionCall: { name: 'weather', args: {} }, thoughtSignature: 'U0lH' },
      { text: '', thoughtSignature: 'VA==' },
    ]);
  });

  it('goes back by details alone, also by the ids that clients of the Messages form have', () => {
    const { tool_calls: made, reasoning_details: details } = whole([call('Ulm', 'U0lH')]);
    const { extra_content: _extra, ...plain } = made![0]!;
    const read = { role: 'assistant' as const, content: null, reasoning_details: details! };
    expect(sentBack({ ...read, tool_calls: [plain] })).toEqual([call('Ulm', 'U0lH')]);
  });

  it('is left out where the text was changed so that it has no such part', () => {
    const details = [
      { type: 'reasoning.encrypted', format: 'google-gemini-v1', id: 'after-4-0-2', data: 'U0lH' },
      { type: 'reasoning.encrypted', format: 'google-gemini-v1', id: 'after-0-0-2', data: 'VA==' },
      { type: 'reasoning.encrypted', format: 'google-gemini-v1', id: 'after-0-3-2', data: 'VA==' },
    ];
    expect(sentBack({ role: 'assistant', content: 'abcdef', reasoning_details: details })).toEqual([
      { text: 'abcd' },
      { text: 'ef', thoughtSignature: 'U0lH' },
    ]);
    const divided = [{ ...details[0]!, id: 'after-0-0-1' }];
    expect(sentBack({ role: 'assistant', content: '😀!', reasoning_details: divided })).toEqual([
      { text: '😀', thoughtSignature: 'U0lH' },
      { text: '!' },
    ]);
  });

  it('of another provider is left out', () => {
    const details = [{ type: 'reasoning.text', format: 'anthropic-claude-v1', text: 'Why?', signature: 'U0lH' }];
    const adjustments = new RequestAdjustments();
    expect(sentBack({ role: 'assistant', content: 'x', reasoning_details: details }, GEMINI, adjustments)).toEqual([
      { text: 'x' },
    ]);
    expect(adjustments.list).toMatchObject([{ reason: 'thoughts_of_other_provider' }]);
  });

  it('is a placeholder on the first call where another model has made it', () => {
    const asked = (id: string): ToolCall => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } });
    const message = { role: 'assistant' as const, content: null, tool_calls: [asked('a'), asked('b')] };
    const called = { functionCall: { name: 'weather', args: {} } };
    expect(sentBack(withRequiredSignature(message, () => undefined))).toEqual([
      { ...called, thoughtSignature: 'skip_thought_signature_validator' },
      called,
    ]);
  });
});
