import type { ChatChunk } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';
import { completionOf, mergedUsage } from './answer-decoder.js';
import { EventTranslator } from './stream-decoder.js';

const START = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 10, output_tokens: 1 } } };

const call = (index: number, input: object = {}): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'weather', input },
});

const thought = (index: number): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'thinking', thinking: '' },
});

const end = (usage?: object): JsonObject => ({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage });

function translated(...events: readonly JsonObject[]): ChatChunk[] {
  const translator = new EventTranslator();
  return events.flatMap((event) => translator.translate(event) ?? []);
}

/** The arguments of each call, by its index. */
function argumentsOf(chunks: readonly ChatChunk[]): string[] {
  const all: string[] = [];
  for (const { delta } of chunks.flatMap(({ choices }) => choices)) {
    for (const { index, function: called } of delta.tool_calls ?? []) {
      all[index] = (all[index] ?? '') + (called?.arguments ?? '');
    }
  }
  return all;
}

describe('Answers of the Messages API in disorder', () => {
  it.each([
    ['says why it stops', end()],
    ['ends', { type: 'message_stop' }],
  ])('have the arguments of calls that did not end when the message %s', (_, last) => {
    const chunks = translated(START, call(0, { city: 'Ulm' }), call(1, { city: 'Bonn' }), last);
    expect(argumentsOf(chunks)).toEqual(['{"city":"Ulm"}', '{"city":"Bonn"}']);
  });

  it('have the arguments of a call once, in whichever way they came', () => {
    const added = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"city":"Bonn"}' },
    };
    const chunks = translated(START, call(0, { city: 'Ulm' }), added, end(), { type: 'message_stop' });
    expect(argumentsOf(chunks)).toEqual(['{"city":"Bonn"}']);
  });

  it('are refused where a block begins within another', () => {
    expect(() => translated(START, call(0, { city: 'Ulm' }), call(0))).toThrow(ProviderError);
  });

  it.each([
    ['calls', (index: number) => call(index, { text: 'x'.repeat(100_000) }), 100],
    ['thoughts', thought, 20_000],
  ])('are refused where too many %s begin and do not end, but not where they end', (_, begin, count) => {
    const begun = Array.from({ length: count }, (_unused, index) => begin(index));
    const ended = begun.flatMap((event) => [event, { type: 'content_block_stop', index: event['index'] }]);

    expect(() => translated(START, ...begun)).toThrow(ProviderError);
    expect(() => translated(START, ...ended)).not.toThrow();
  });

  it('have what a thought or a text begins with', () => {
    const begun = (index: number, block: object): JsonObject => ({
      type: 'content_block_start',
      index,
      content_block: block,
    });
    const deltas = translated(
      START,
      begun(0, { type: 'thinking', thinking: 'Let me see.', signature: 'sealed' }),
      { type: 'content_block_stop', index: 0 },
      begun(1, { type: 'text', text: 'It rains.' }),
      { type: 'content_block_stop', index: 1 },
    ).flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas).toMatchObject([
      {},
      { reasoning: 'Let me see.', reasoning_details: [{ text: 'Let me see.', index: 0 }] },
      { reasoning_details: [{ signature: 'sealed', index: 0 }] },
      { content: 'It rains.' },
    ]);
  });

  it('keep no counts but those that are read, however many a provider sends', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`count_${index}`, index]);
    const sent = { ...Object.fromEntries(names), input_tokens: null, output_tokens: 2 } as JsonObject;
    expect(mergedUsage({ input_tokens: 1 }, sent)).toEqual({ input_tokens: 1, output_tokens: 2 });
  });

  it.each([
    ['zeros', { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }],
    ['what cannot be counts', { input_tokens: -1, cache_read_input_tokens: 'none', cache_creation: [] }],
    ['nothing', {}],
    ['zeros of the cache', { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 } }],
  ])('keep the counts of the prompt where %s come at the end', (_, usage) => {
    const begun = {
      input_tokens: 10,
      output_tokens: 1,
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 6,
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 4 },
    };
    expect(mergedUsage(begun, usage)).toMatchObject(begun);
  });

  it('say how many tokens the model has thought', () => {
    const usage = { input_tokens: 10, output_tokens: 7, output_tokens_details: { thinking_tokens: 5 } };
    const last = translated(START, end(usage)).at(-1)!;
    expect(last.usage).toMatchObject({ completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 5 } });
  });

  it.each([
    undefined,
    {},
    { output_tokens: 0 },
    { output_tokens: -1 },
    { output_tokens: 1e300 },
    { output_tokens: '7' },
  ])('say that the tokens of the answer are not counted where the usage at the end is %j', (usage) => {
    const last = translated(START, end(usage)).at(-1)!;
    expect(last).toMatchObject({ usage: { prompt_tokens: 10 }, isAnswerUncounted: true });
    const document = { content: [], stop_reason: 'end_turn', usage: { input_tokens: 10, ...usage } };
    expect(completionOf(document)).toMatchObject({ usage: { prompt_tokens: 10 }, isAnswerUncounted: true });
  });

  it('say that the tokens are counted as soon as they are', () => {
    const [first, last] = translated(START, end({ output_tokens: 7 }));
    expect(first).toMatchObject({ usage: { completion_tokens: 1 }, isAnswerUncounted: true });
    expect(last).toMatchObject({ usage: { completion_tokens: 7 } });
    expect(last).not.toHaveProperty('isAnswerUncounted');
  });

  it.each([{}, { input_tokens: 1_000_000_001 }, { input_tokens: '10' }])(
    'say that the tokens of the prompt are not counted where those of the answer are, beside %j',
    (usage) => {
      const expected = { usage: { prompt_tokens: 0, completion_tokens: 7 }, isPromptUncounted: true };
      const chunks = translated({ type: 'message_start', message: { id: 'msg_1', usage } }, end({ output_tokens: 7 }));
      expect(chunks[0]).not.toHaveProperty('usage');
      expect(chunks.at(-1)).toMatchObject(expected);
      expect(chunks.at(-1)).not.toHaveProperty('isAnswerUncounted');
      expect(
        completionOf({ content: [], stop_reason: 'end_turn', usage: { ...usage, output_tokens: 7 } }),
      ).toMatchObject(expected);
    },
  );

  it('have ids of calls, where the provider gives none', () => {
    const unnamed = { type: 'tool_use', name: 'weather', input: {} };
    const [, begun] = translated(START, { type: 'content_block_start', index: 0, content_block: unnamed });
    const { choices } = completionOf({ content: [unnamed, unnamed], stop_reason: 'tool_use' });
    const calls = [...begun!.choices[0]!.delta.tool_calls!, ...choices[0]!.message.tool_calls!];
    expect(calls.map(({ id }) => id)).toEqual(calls.map(() => expect.stringMatching(/^call_[0-9a-f]{32}$/) as string));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    ['end_turn', 'tool_calls'],
    ['tool_use', 'tool_calls'],
    ['something_new', 'tool_calls'],
    ['pause_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
  ])('that call a tool and say that they end with %s end with %s', (word, expected) => {
    const reasons = { finish_reason: expected, native_finish_reason: word };
    const last = translated(START, call(0), { type: 'message_delta', delta: { stop_reason: word } }).at(-1)!;
    expect(last.choices[0]).toMatchObject(reasons);
    const { content_block: block } = call(0);
    expect(completionOf({ content: [block], stop_reason: word }).choices[0]).toMatchObject(reasons);
  });
});
