import type { ChatChoice, ChatChunk, ChatDelta, FinishReason } from '../../../../codecs/chat/chat-completion.js';
import { builtins, FiltersOfTests, patterns, piecesOf } from '../../../../content/answers/answer-inspection.fixture.js';
import { AnswerRefused } from '../../../../content/answers/answer-text.js';
import type { ContentFilters } from '../../../../content/content-filters.js';
import { filteredChoices } from './filtered-message.js';
import { FilteredStream } from './filtered-stream.js';

type Fields = Readonly<Record<string, unknown>>;

const VALUE = 'jane.roe@example.com';

/** Longer than what is held for a filter of addresses. */
const PROSE = 'And a few more words of prose. '.repeat(20);

const REDACT: Partial<ContentFilters> = builtins('redact', 'email', 'credit-card');

const pieces = (text: string, of: (piece: string) => ChatDelta, size = 3): ChatDelta[] =>
  piecesOf(text, size).map((piece) => of(piece));
const content = (text: string): ChatDelta => ({ content: text });
const thought = (text: string): ChatDelta => ({ reasoning: text, reasoning_details: [detail({ text })] });
const detail = (fields: Fields): Fields => ({ type: 'reasoning.text', format: 'unknown', index: 0, ...fields });
const called = (name: string, index = 0): ChatDelta => ({
  tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
});
const named = (name: string): ChatDelta => ({ tool_calls: [{ index: 0, function: { name } }] });
const argued = (text: string, index = 0): ChatDelta => ({ tool_calls: [{ index, function: { arguments: text } }] });

/** What a client puts together of a choice. */
interface Assembled {
  content: string;
  refusal: string;
  reasoning: string;
  details: Fields[];
  calls: Record<number, { name: string; arguments: string }>;
  transcript: string;
  spoken: string;
  annotations: unknown[];
  others: string;
  finish: FinishReason | null;
}

function assembled(chunks: readonly ChatChunk[], index = 0): Assembled {
  const all: Assembled = {
    ...{ content: '', refusal: '', reasoning: '', details: [], calls: {}, transcript: '', spoken: '' },
    ...{ annotations: [], others: '', finish: null },
  };
  for (const choice of chunks.flatMap(({ choices }) => choices).filter((one) => one.index === index)) {
    const {
      content: text,
      refusal,
      reasoning,
      reasoning_details,
      tool_calls,
      audio,
      annotations,
      ...rest
    } = choice.delta;
    all.content += text ?? '';
    all.refusal += refusal ?? '';
    all.reasoning += reasoning ?? '';
    all.details.push(...(reasoning_details ?? []));
    for (const { index: place, function: part } of tool_calls ?? []) {
      const call = (all.calls[place] ??= { name: '', arguments: '' });
      call.name += part?.name ?? '';
      call.arguments += part?.arguments ?? '';
    }
    all.transcript += ((audio as Fields | undefined)?.['transcript'] as string | undefined) ?? '';
    all.spoken += ((audio as Fields | undefined)?.['data'] as string | undefined) ?? '';
    all.annotations.push(...((annotations as unknown[] | undefined) ?? []));
    all.others += Object.keys(rest)
      .filter((name) => name !== 'role')
      .join();
    all.finish = choice.finish_reason ?? all.finish;
  }
  return all;
}

const chunkOf = (delta: ChatDelta, reason: FinishReason | null = null, fields: Fields = {}, index = 0): ChatChunk => ({
  choices: [{ index, delta, finish_reason: reason, native_finish_reason: reason, ...fields }],
});

describe('FilteredStream', () => {
  const filtersOfTests = new FiltersOfTests();

  afterAll(() => filtersOfTests.stop());

  /** What leaves of chunks, and whether the answer was refused. */
  async function passed(
    chunks: readonly ChatChunk[],
    filters: Partial<ContentFilters> = REDACT,
    isJson = false,
  ): Promise<{ left: ChatChunk[]; isRefused: boolean }> {
    const stream = new FilteredStream(filtersOfTests.inspection(filters), isJson);
    const left: ChatChunk[] = [];
    try {
      for (const chunk of chunks) left.push(...(await stream.add(chunk)));
      left.push(...(await stream.end()));
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return { left, isRefused: true };
    }
    return { left, isRefused: false };
  }

  const ended = (deltas: readonly ChatDelta[], reason: FinishReason = 'stop'): ChatChunk[] => [
    chunkOf({ role: 'assistant' }),
    ...deltas.map((delta) => chunkOf(delta)),
    chunkOf({}, reason),
  ];

  /** Answers with the value, and what a client is to put together of each. */
  const ANSWERS: readonly (readonly [string, readonly ChatChunk[], Partial<Assembled>])[] = [
    ['text', ended(pieces(`I am ${VALUE}.`, content)), { content: 'I am [EMAIL].' }],
    ['a refusal', ended(pieces(`Not ${VALUE}.`, (refusal) => ({ refusal }))), { refusal: 'Not [EMAIL].' }],
    [
      'a finish reason with every piece',
      pieces(`I am ${VALUE}.`, content).map((delta) => chunkOf(delta, 'stop')),
      { content: 'I am [EMAIL].', finish: 'stop' },
    ],
    [
      'text that goes on behind its finish reason',
      [chunkOf(content('I am jane.roe@'), 'stop'), chunkOf(content('example.com.'), 'length')],
      { content: 'I am [EMAIL].', finish: 'length' },
    ],
    [
      'text, a call and text',
      ended([
        content('I am jane.roe@'),
        called('weather'),
        argued('{"to": "jane.roe@exam'),
        content('example.com.'),
        argued('ple.com"}'),
      ]),
      { content: 'I am [EMAIL].', calls: { 0: { name: 'weather', arguments: '{"to": "[EMAIL]"}' } } },
    ],
    [
      'calls of which the pieces come in turn',
      ended([
        called('a'),
        called('b', 1),
        ...piecesOf(`{"to": "${VALUE}"}`, 2).flatMap((text) => [argued(text), argued(text, 1)]),
      ]),
      {
        calls: {
          0: { name: 'a', arguments: '{"to": "[EMAIL]"}' },
          1: { name: 'b', arguments: '{"to": "[EMAIL]"}' },
        },
      },
    ],
    [
      'a name in pieces',
      ended([called('to jane.'), named('roe@'), named('example.com'), argued('{}')]),
      { calls: { 0: { name: 'to [EMAIL]', arguments: '{}' } } },
    ],
    [
      'a name whose end comes behind arguments',
      ended([called('to jane.roe@'), argued('{}'), named('example.com')]),
      { calls: { 0: { name: 'to jane.roe@', arguments: '{}' } } },
    ],
    [
      'arguments that are no JSON in the end',
      ended([called('a'), ...pieces(`{"to": "${VALUE}", and ${VALUE}`, argued)]),
      { calls: { 0: { name: 'a', arguments: '{"to": "[EMAIL]", and [EMAIL]' } } },
    ],
    [
      'a number with spaces as arguments',
      ended([called('a'), ...pieces('4111 1111 1111 1111', argued)]),
      { calls: { 0: { name: 'a', arguments: '[CREDIT_CARD]' } } },
    ],
    [
      'a thought that is signed',
      ended([
        ...pieces(`I am ${VALUE}.`, thought),
        { reasoning_details: [detail({ signature: 'c2ln' })] },
        content('Yes.'),
      ]),
      { reasoning: 'I am [EMAIL].', content: 'Yes.' },
    ],
    [
      'a thought with details that say nothing between its pieces',
      ended(
        pieces(`I am ${VALUE}.`, thought).flatMap((delta) => [
          delta,
          { reasoning_details: [detail({ text: '' })] },
          { content: '', reasoning_details: [detail({ signature: '' })] },
        ]),
      ),
      { reasoning: 'I am [EMAIL].' },
    ],
    [
      'speech with its transcript',
      ended([
        { audio: { id: 'audio_1', data: 'UklG' } },
        ...pieces(`I am ${VALUE}.`, (transcript) => ({ audio: { transcript } })),
      ]),
      { transcript: 'I am [EMAIL].', spoken: '' },
    ],
    [
      'citations',
      ended([
        content('See there.'),
        { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: VALUE } }] },
      ]),
      {
        content: 'See there.',
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: '[EMAIL]' } }],
      },
    ],
    [
      'fields that are not known',
      [
        chunkOf({ content: 'I am.', said: VALUE }, null, {
          logprobs: { content: [{ token: VALUE }] },
          provider_text: VALUE,
        }),
        chunkOf({
          reasoning: 'So.',
          reasoning_details: [detail({ text: 'So.', said: VALUE, id: `id of ${VALUE}`, signature: VALUE })],
        }),
        chunkOf({
          tool_calls: [
            {
              ...{ index: 0, id: `id ${VALUE}`, type: 'function', custom: { input: VALUE } },
              ...{ function: { name: 'a', arguments: '{}', said: VALUE }, extra_content: { google: { said: VALUE } } },
            },
          ],
        }),
        chunkOf({}, 'tool_calls'),
      ],
      { content: 'I am.', reasoning: 'So.', calls: { 0: { name: 'a', arguments: '{}' } }, finish: 'tool_calls' },
    ],
    [
      'halves of characters and escapes',
      ended(pieces(`\ud83d\ude00 jane&#46;roe%40exa\u200bmple\u2060.com \ud83d\ude00 ${PROSE}`, content, 1)),
      { content: `\ud83d\ude00 [EMAIL] \ud83d\ude00 ${PROSE}` },
    ],
    [
      'a value that is cut',
      ended(pieces('I am jane.roe@exam', content), 'length'),
      { content: 'I am jane.roe@exam', finish: 'length' },
    ],
  ];

  it.each(ANSWERS)('lets %s leave without what is taken out, and nothing of it before', async (_, chunks, expected) => {
    const { left } = await passed(chunks);

    expect(assembled(left)).toMatchObject({ finish: 'stop', ...expected, others: '' });
    if (expected.content !== 'I am jane.roe@exam') expect(JSON.stringify(left)).not.toMatch(/example\.com|4111/);
    expect(JSON.stringify(left)).not.toContain('c2ln');
  });

  it.each(ANSWERS.filter(([, , { content: text }]) => text !== 'I am jane.roe@exam'))(
    'refuses %s, of which nothing that is blocked has left',
    async (_, chunks) => {
      const { left, isRefused } = await passed(chunks, builtins('block', 'email', 'credit-card'));

      expect([isRefused, JSON.stringify(left)]).toEqual([true, expect.not.stringMatching(/example|@exam|4111|roe@e/)]);
    },
  );

  it('lets everything leave as it came under filters that only report', async () => {
    for (const [, chunks] of ANSWERS) {
      expect(await passed(chunks, builtins('flag', 'email'))).toEqual({ left: chunks, isRefused: false });
    }
  });

  it('lets several choices leave, each by itself', async () => {
    const said = piecesOf(`I am ${VALUE}.`, 4).flatMap((text) => [
      chunkOf(content(text)),
      chunkOf(content(text), null, {}, 1),
    ]);
    const { left } = await passed([...said, chunkOf({}, 'stop'), chunkOf({}, 'length', {}, 1)]);

    expect([assembled(left), assembled(left, 1)]).toMatchObject([
      { content: 'I am [EMAIL].', finish: 'stop' },
      { content: 'I am [EMAIL].', finish: 'length' },
    ]);
  });

  it('keeps JSON that was asked for in JSON', async () => {
    const json = `{"to": "jane.roe\\u0040example.com", "card": 4111111111111111}`;
    const { left } = await passed(ended(pieces(json, content, 1)), REDACT, true);

    expect(JSON.parse(assembled(left).content)).toEqual({ to: '[EMAIL]', card: '[CREDIT_CARD]' });
  });

  it('hands on what the filters of the provider say, with the end', async () => {
    const verdicts = { hate: { filtered: false, severity: 'safe' } };
    const { left } = await passed([
      chunkOf(content('Yes.'), null, { content_filter_results: verdicts }),
      chunkOf({}, 'stop'),
    ]);

    expect(left.at(-1)!.choices[0]).toMatchObject({ finish_reason: 'stop', content_filter_results: verdicts });
  });

  it('makes the same of 2,000 calls, and of 1 MiB in one chunk', async () => {
    const calls = Array.from({ length: 2_000 }, (_, index) => [
      called('a', index),
      argued(`{"to": "${VALUE}"}`, index),
    ]);
    const text = `${VALUE} ${'words of prose '.repeat(70_000)}${VALUE}`;
    const { left } = await passed(ended([content(text), ...calls.flat()]));

    const { content: made, calls: shown } = assembled(left);
    expect(made).toBe(text.replaceAll(VALUE, '[EMAIL]'));
    expect(Object.values(shown)).toEqual(calls.map(() => ({ name: 'a', arguments: '{"to": "[EMAIL]"}' })));
  });

  it('takes time that grows with the pieces of interleaved calls that are held, and no more', async () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => argued('ab', index % 2));
    const begun = performance.now();
    await passed(ended([called('a'), called('b', 1), ...texts]), patterns('redact', 'x+y'));

    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('makes the same of a whole answer', async () => {
    const message = {
      ...{ role: 'assistant', content: `I am ${VALUE}.`, refusal: `Not ${VALUE}.`, reasoning: `I am ${VALUE}.` },
      reasoning_details: [detail({ text: `I am ${VALUE}.`, signature: 'c2ln', said: VALUE })],
      ...{ said: VALUE, audio: { id: 'audio_1', data: 'UklG', transcript: `I am ${VALUE}.` } },
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: VALUE } }],
      tool_calls: [
        {
          ...{ id: `id ${VALUE}`, type: 'function', custom: { input: VALUE } },
          function: { name: `to ${VALUE}`, arguments: `{"to": "${VALUE}"}`, said: VALUE },
        },
      ],
    };
    const choice = {
      ...{ index: 0, message, finish_reason: 'stop', native_finish_reason: 'stop', provider_text: VALUE },
      logprobs: { content: [{ token: VALUE }] },
      content_filter_results: { hate: { filtered: false } },
    } as unknown as ChatChoice;
    const made = await filteredChoices([choice], filtersOfTests.inspection(REDACT), false);

    expect(JSON.stringify(made)).not.toMatch(/example\.com|c2ln/);
    expect(made).toEqual([
      {
        index: 0,
        message: {
          ...{ role: 'assistant', content: 'I am [EMAIL].', refusal: 'Not [EMAIL].', reasoning: 'I am [EMAIL].' },
          reasoning_details: [detail({ text: 'I am [EMAIL].' })],
          audio: { id: 'audio_1', data: '', transcript: 'I am [EMAIL].' },
          tool_calls: [
            { id: 'id [EMAIL]', type: 'function', function: { name: 'to [EMAIL]', arguments: '{"to": "[EMAIL]"}' } },
          ],
        },
        ...{ finish_reason: 'stop', native_finish_reason: 'stop', logprobs: null },
        content_filter_results: { hate: { filtered: false } },
      },
    ]);
  });
});
