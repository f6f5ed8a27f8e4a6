import type { ChatDelta } from '../chat/chat-completion.js';
import { type JsonObject, listOf, objectOf } from '../chat/json-values.js';
import { ResponseEvents } from './stream-decoder.js';

const UPSTREAM = {
  provider: 'acme',
  baseUrl: 'https://acme.test',
  apiKey: null,
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

const CREATED = { type: 'response.created', response: { id: 'resp_1' } };

const PROBABLE = [{ token: 'Hello', logprob: -0.1, bytes: null, top_logprobs: [] }];

const CITATION = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 };

const textPart = (text: string, further: object = {}): JsonObject => ({ type: 'output_text', text, ...further });

const messageItem = (...content: readonly JsonObject[]): JsonObject => ({ type: 'message', id: 'msg_1', content });

const MESSAGE = messageItem(textPart('Hello'));
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look_up', arguments: '{"word":"x"}' };
const THOUGHT = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Then.' },
  ],
  encrypted_content: 'opaque',
};
const IMAGE = { type: 'image_generation_call', id: 'ig_1', result: 'aW1hZ2U=', output_format: 'png' };

/** An event of an item. @param index its place in the output */
const event = (type: string, fields: object, index = 0): JsonObject => ({
  type: `response.${type}`,
  output_index: index,
  ...fields,
});

const completed = (...output: readonly JsonObject[]): JsonObject => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output },
});

/** What a stream said, put together from its deltas as clients do it. */
interface Said {
  readonly content: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly calls: readonly { id: unknown; name: unknown; arguments: string }[];
  readonly details: readonly unknown[];
  readonly annotations: readonly unknown[];
  readonly images: readonly unknown[];
  readonly logprobs: readonly unknown[];
  readonly finish: unknown;
}

function saidBy(events: readonly JsonObject[]): Said {
  const decoder = new ResponseEvents(UPSTREAM);
  const choices = events.flatMap((data) => {
    const chunk = decoder.read({ event: String(data['type']), data: JSON.stringify(data) });
    return chunk?.choices ?? [];
  });
  decoder.ended();
  const text = (name: string): string => choices.map(({ delta }) => (delta[name] as string | undefined) ?? '').join('');
  const list = (name: string): unknown[] => choices.flatMap(({ delta }) => listOf(delta[name]));
  const calls: { id: unknown; name: unknown; arguments: string }[] = [];
  for (const { index, id, function: called } of choices.flatMap(
    ({ delta }: { delta: ChatDelta }) => delta.tool_calls ?? [],
  )) {
    const call = (calls[index] ??= { id, name: called?.name, arguments: '' });
    call.arguments += called?.arguments ?? '';
  }
  return {
    content: text('content'),
    refusal: text('refusal'),
    reasoning: text('reasoning'),
    calls,
    details: list('reasoning_details'),
    annotations: list('annotations'),
    images: list('images'),
    logprobs: choices.flatMap(({ logprobs }) => listOf(objectOf(logprobs)?.['content'])),
    finish: choices.at(-1)?.finish_reason,
  };
}

const delta = (text: string, fields: object = {}): JsonObject => event('output_text.delta', { delta: text, ...fields });

const TEXTS: readonly (readonly [string, ...(readonly JsonObject[])])[] = [
  ['only the end of the text', event('output_text.done', { text: 'Hello' }), completed()],
  ['only the end of the part', event('content_part.done', { part: textPart('Hello') }), completed()],
  ['only the end of the item', event('output_item.done', { item: MESSAGE }), completed()],
  ['only the last event', completed(MESSAGE)],
  ['pieces alone', delta('Hel'), delta('lo'), completed()],
  [
    'pieces without the last, and the end of the text',
    delta('Hel'),
    event('output_text.done', { text: 'Hello' }),
    completed(),
  ],
  [
    'pieces without the last, and the end of the item',
    delta('Hel'),
    event('output_item.done', { item: MESSAGE }),
    completed(MESSAGE),
  ],
  ['pieces without the last, and the last event', delta('Hel'), completed(MESSAGE)],
  [
    'all of it four times',
    event('output_item.added', { item: messageItem() }),
    delta('Hel'),
    delta('lo'),
    event('output_text.done', { text: 'Hello' }),
    event('content_part.done', { part: textPart('Hello') }),
    event('output_item.done', { item: MESSAGE }),
    completed(MESSAGE),
  ],
  [
    'items that the last event numbers otherwise',
    { ...delta('Hello'), output_index: 3 },
    completed(messageItem(), MESSAGE),
  ],
  [
    'pieces that do not say of which part they are',
    delta('Hel'),
    delta('lo'),
    completed(messageItem(textPart('Hel'), textPart('lo'))),
  ],
  [
    'pieces of one of two parts',
    delta('Hel', { content_index: 0 }),
    completed(messageItem(textPart('Hel'), textPart('lo'))),
  ],
  [
    'pieces of two parts, and the rest of the second',
    delta('Hel', { content_index: 0 }),
    delta('l', { content_index: 1 }),
    completed(messageItem(textPart('Hel'), textPart('lo'))),
  ],
];

describe('Streams of the Responses interface whose texts come late', () => {
  it.each(TEXTS)('say a text once that comes as %s', (_, ...events) => {
    expect(saidBy([CREATED, ...(events as readonly JsonObject[])])).toMatchObject({ content: 'Hello', finish: 'stop' });
  });

  it('keep what came where the end says something else', () => {
    const events = [
      delta('Hallo'),
      event('output_text.done', { text: 'Hello there' }),
      completed(messageItem(textPart('Hello there'))),
    ];
    expect(saidBy(events).content).toBe('Hallo');
  });

  it('compare long pieces by their ends', () => {
    const piece = 'x'.repeat(100);
    expect(saidBy([delta(piece), completed(messageItem(textPart(`${piece}!`)))]).content).toBe(`${piece}!`);
    expect(saidBy([delta(`${piece}y`), completed(messageItem(textPart(`${piece}z!!`)))]).content).toBe(`${piece}y`);
  });

  it.each([
    ['the end of its arguments', event('function_call_arguments.done', { arguments: CALL.arguments }), completed(CALL)],
    ['its item', event('output_item.done', { item: CALL }), completed(CALL)],
    ['the last event', completed(CALL)],
    ['half of them, and the last event', event('function_call_arguments.delta', { delta: '{"word"' }), completed(CALL)],
    [
      'all of them twice',
      event('function_call_arguments.delta', { delta: CALL.arguments }),
      event('function_call_arguments.done', { arguments: CALL.arguments }),
      event('output_item.done', { item: CALL }),
      completed(CALL),
    ],
  ])('give a call that has begun its arguments once: %s', (_, ...events) => {
    const begun = event('output_item.added', { item: { ...CALL, arguments: '' } });
    expect(saidBy([CREATED, begun, ...(events as readonly JsonObject[])])).toMatchObject({
      calls: [{ id: 'call_1', name: 'look_up', arguments: CALL.arguments }],
      finish: 'tool_calls',
    });
  });

  it.each([
    ['its item', event('output_item.done', { item: CALL }), completed(CALL)],
    [
      'its arguments and its item',
      event('function_call_arguments.done', { arguments: '{' }),
      event('output_item.done', { item: CALL }),
      completed(),
    ],
    ['the last event', completed(CALL)],
    [
      'an item that the last event numbers otherwise',
      event('output_item.done', { item: CALL }, 2),
      completed({ ...CALL, id: 'fc_2' }),
    ],
  ])('have a call that comes only with %s', (_, ...events) => {
    expect(saidBy([CREATED, ...(events as readonly JsonObject[])])).toMatchObject({
      calls: [{ id: 'call_1', name: 'look_up', arguments: CALL.arguments }],
      finish: 'tool_calls',
    });
  });

  it('have the second of two calls where only the last event has it', () => {
    const other = { ...CALL, id: 'fc_2', call_id: 'call_2' };
    const { calls } = saidBy([event('output_item.done', { item: CALL }), completed(CALL, other)]);
    expect(calls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
  });

  it.each([
    [
      'the ends of its parts',
      ...THOUGHT.summary.map(({ text }, at) => event('reasoning_summary_text.done', { summary_index: at, text })),
    ],
    [
      'its parts',
      ...THOUGHT.summary.map((part, at) => event('reasoning_summary_part.done', { summary_index: at, part })),
    ],
    ['its item', event('output_item.done', { item: THOUGHT })],
    ['the last event'],
    ['half of it', event('reasoning_summary_text.delta', { summary_index: 0, delta: 'Fir' })],
    [
      'all of it',
      event('reasoning_summary_text.delta', { delta: 'First.Then.' }),
      event('output_item.done', { item: THOUGHT }),
    ],
  ])('have a thought and what is encrypted of it once: %s', (_, ...events) => {
    const { reasoning, details } = saidBy([CREATED, ...(events as readonly JsonObject[]), completed(THOUGHT, MESSAGE)]);
    expect(reasoning).toBe('First.Then.');
    expect(details.map((detail) => (objectOf(detail)?.['summary'] as string | undefined) ?? '').join('')).toBe(
      'First.Then.',
    );
    expect(details.filter((detail) => objectOf(detail)?.['data'] === 'opaque')).toHaveLength(1);
  });

  it('have thoughts in full, which are no summaries', () => {
    const item = { type: 'reasoning', id: 'rs_1', content: [{ type: 'reasoning_text', text: 'I look.' }] };
    const done = event('reasoning_text.done', { item_id: 'rs_1', content_index: 0, text: 'I look.' });
    for (const events of [[done], [done, event('output_item.done', { item })], []]) {
      expect(saidBy([...events, completed(item)])).toMatchObject({
        reasoning: 'I look.',
        details: [{ type: 'reasoning.text', text: 'I look.', id: 'rs_1' }],
      });
    }
  });

  it('have a refusal', () => {
    const refused = messageItem({ type: 'refusal', refusal: 'I cannot.' });
    const part = event('refusal.delta', { delta: 'I can' });
    for (const events of [[event('refusal.done', { refusal: 'I cannot.' })], [part], []]) {
      expect(saidBy([...events, completed(refused)]).refusal).toBe('I cannot.');
    }
  });

  it('have pictures, citations and probabilities once', () => {
    const cited = messageItem(textPart('Hello', { annotations: [CITATION], logprobs: PROBABLE }));
    const streamed = [
      delta('Hello', { logprobs: PROBABLE }),
      event('output_text.annotation.added', { annotation: CITATION }),
      event('output_item.done', { item: cited }),
      event('output_item.done', { item: IMAGE }, 1),
    ];
    for (const events of [streamed, streamed.slice(2), []]) {
      expect(saidBy([...events, completed(cited, IMAGE)])).toMatchObject({
        content: 'Hello',
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }],
        images: [{ type: 'image_url' }],
        logprobs: PROBABLE,
      });
      expect(saidBy([...events, completed(cited, IMAGE)]).images).toHaveLength(1);
    }
  });

  it('have the rest of an answer that is incomplete', () => {
    const incomplete = {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [MESSAGE] },
    };
    expect(saidBy([delta('Hel'), incomplete])).toMatchObject({ content: 'Hello', finish: 'length' });
  });
});
