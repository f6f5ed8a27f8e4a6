import { createHash } from 'node:crypto';
import {
  asKind,
  builtins,
  FILTERS,
  FiltersOfTests,
  halves,
  KINDS,
  paragraphs,
  patterns,
  piecesOf,
  REFUSED,
} from './answer-inspection.fixture.js';

/** Of so many examples one is tried here; `answer-inspection.exhaustive.spec.ts` tries all of them. */
const STEP = 25;

describe('AnswerInspection', () => {
  const filtersOfTests = new FiltersOfTests();

  afterAll(() => filtersOfTests.stop());

  it.each(KINDS)('lets out of a %s what filters make of the whole, in pieces of any size', async (kind) => {
    const mistakes: string[] = [];
    for (const paragraph of paragraphs(STEP)) {
      const text = asKind(paragraph, kind);
      const made = await filtersOfTests.whole(FILTERS, text, kind);
      for (const size of [1, 7, 50]) {
        if ((await filtersOfTests.streamed(FILTERS, piecesOf(text, size), kind)) !== made)
          mistakes.push(`${size}: ${text}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it.each([
    [
      'text',
      'Write to jane.roe@example.com or call +49 30 901820, PROJECT-1234. The card is 4111 1111 1111 1111, the key \\u0073k.',
    ],
    [
      'tool_arguments',
      '{"to": "jane.roe\\u0040example.com", "card": 4111111111111111, "l": [1, "PROJECT-1234\\n4111-1111-1111-1111"]}',
    ],
    ['tool_arguments', '{"to": "jane.roe@example.com", oops 4111 1111 1111 1111'],
    ['tool_arguments', '4111 1111 1111 1111'],
    ['tool_arguments', '4111111111111111'],
    ['tool_arguments', ' "jane.roe"@example.com'],
    ['tool_arguments', '"jane.roe@example.com" 4111 1111 1111 1111'],
    ['text', `jane.roe${'\\'.repeat(16)}u0040example.com and ${'\u200b'.repeat(80)}john\u200b@\u200bexample.com`],
    [
      'text',
      '4111\u200b1111\u00ad1111\u20601111 jane&#64;example.com, john%2540example.com \ud83d\ude00jane@example.com\ud83d\ude00',
    ],
  ] as const)('cuts a %s anywhere: what leaves is the same', async (kind, text) => {
    const made = await filtersOfTests.whole(FILTERS, text, kind);
    expect(made).not.toBe(text);
    for (const pieces of halves(text)) expect(await filtersOfTests.streamed(FILTERS, pieces, kind)).toBe(made);
  });

  it('finds behind JSON what has begun in it', async () => {
    const text = '{"PROJECT-":12}34';
    const filters = patterns('block', 'PROJECT-[^a-z]{1,9}34');
    for (const pieces of halves(text))
      expect(await filtersOfTests.streamed(filters, pieces, 'tool_arguments')).toContain(REFUSED);
  });

  it('lets no character of what is blocked leave, wherever the text is cut, and nothing behind it', async () => {
    const text = 'The address of the author is jane.roe@example.com, and that is all.';
    for (const pieces of halves(text)) {
      const left = await filtersOfTests.streamed(builtins('block', 'email'), pieces, 'text');
      expect(left.endsWith(REFUSED)).toBe(true);
      expect(text.slice(0, text.indexOf('jane')).startsWith(left.slice(0, -1))).toBe(true);
    }
  });

  it.each([
    ['email', 460],
    ['credit-card', 130],
    ['ip-address', 210],
  ] as const)('holds no more of prose than a match of %s may need: %i characters', async (slug, most) => {
    const text = filtersOfTests.inspection(builtins('redact', slug)).text('response', 'text');
    let held = 0;
    for (let index = 0; index < 3_000; index += 1) {
      text.append('word ');
      await text.advance(false);
      held = Math.max(held, text.heldLength);
    }
    expect(held).toBeLessThanOrEqual(most);
    expect(text.takeTo(text.length)).toHaveLength(15_000 - text.heldLength);
  });

  it('holds the rest of a text of which it would have to hold more than 4,096 characters', async () => {
    const drawn = (length: number): string =>
      Array.from({ length: Math.ceil(length / 43) }, (_, index) =>
        createHash('sha256').update(String(index)).digest('base64url'),
      )
        .join('')
        .slice(0, length);
    const key = `eyJhbGciOiJIUzI1NiJ9.${drawn(3_900)}.${drawn(300)}`;
    const text = filtersOfTests.inspection(builtins('redact', 'secrets')).text('response', 'text');
    for (let index = 0; index < key.length; index += 10) {
      text.append(key.slice(index, index + 10));
      await text.advance(false);
    }
    expect([text.heldLength, text.takeTo(text.length)]).toEqual([key.length, '']);

    text.append(' and prose');
    await text.advance(true);

    expect(text.takeTo(text.length)).toBe('[SECRET] and prose');
  });

  it.each([
    ['a custom pattern without a bound', patterns('redact', 'a+b')],
    ['a filter that asks the analyzer', builtins('redact', 'person-name')],
  ])('holds a text to its end under %s', async (_, filters) => {
    const text = filtersOfTests.inspection(filters).text('response', 'text');
    text.append('x'.repeat(10_000));
    await text.advance(false);
    expect(text.heldLength).toBe(10_000);
  });

  it('lets a text leave at once under filters that only report, and reports what they find in all of it', async () => {
    const under = filtersOfTests.inspection(builtins('flag', 'email'));
    const text = under.text('response', 'text');
    const left: string[] = [];
    for (const piece of ['jane.roe@', 'example.com and ', 'john@example.com']) {
      text.append(piece);
      await text.advance(false);
      left.push(text.takeTo(text.length));
    }
    await under.report();

    expect(left).toEqual(['jane.roe@', 'example.com and ', 'john@example.com']);
    expect(under.findings).toEqual([
      { filter: { slug: 'email' }, action: 'flag', guardrailIds: ['guardrail-1'], place: 'response', count: 2 },
    ]);
  });

  it('finds what goes on behind a place where a text had to leave', async () => {
    const text = filtersOfTests.inspection(builtins('redact', 'email')).text('response', 'text');
    text.append('Write to jane.roe@example.com, or john');
    await text.flush();
    const before = text.takeTo(text.length);
    text.append('.doe@example.com.');
    await text.advance(true);

    expect([before, text.takeTo(text.length)]).toEqual(['Write to [EMAIL], or john', '[EMAIL].']);
  });

  it('parts what leaves where something else stands in the text', async () => {
    const text = filtersOfTests.inspection(builtins('redact', 'credit-card')).text('response', 'text');
    text.append('one ');
    const mark = text.mark();
    text.append(`two ${'word '.repeat(100)}`);
    await text.advance(false);

    expect(text.takeTo(mark)).toBe('one ');
    expect(text.takeTo(text.length)).toMatch(/^two word/);
  });
});
