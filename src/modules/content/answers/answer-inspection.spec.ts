import { createHash } from 'node:crypto';
import { readEnvironment } from '../../../config/environment.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { readExamples } from '../../../../packages/content-detectors/corpus/corpus.fixture.js';
import type { BuiltinFilter, ContentFilters, CustomFilter } from '../content-filters.js';
import { ContentService } from '../content.service.js';
import { CustomSearch } from '../custom/custom-search.js';
import { ClassifierClient } from '../inspectors/classifier/classifier-client.js';
import { AnalyzerClient } from '../inspectors/presidio/analyzer-client.js';
import type { AnswerInspection, WholeAnswerText } from './answer-inspection.js';
import { AnswerRefused } from './answer-text.js';

/** Marks an answer that was refused. */
const REFUSED = '\0';

/** Of so many examples one is tried here; `answer-inspection.exhaustive.spec.ts` tries all of them. */
const STEP = 25;

const ANSWERS = { applies_to: ['response', 'tool_call'], guardrailIds: ['guardrail-1'] } as const;

describe('AnswerInspection', () => {
  const environment = readEnvironment({});
  const customSearch = new CustomSearch();
  const service = new ContentService(
    customSearch,
    new AnalyzerClient(environment),
    new ClassifierClient(environment),
    new LoopTurns(),
  );

  afterAll(() => customSearch.onApplicationShutdown());

  function inspection(filters: Partial<ContentFilters>): AnswerInspection {
    return service
      .compileForAnswers('organization-1', { contentFilterBuiltins: [], contentFilters: [], ...filters })!
      .inspection(new AbortController().signal);
  }

  const builtins = (action: BuiltinFilter['action'], ...slugs: BuiltinFilter['slug'][]): Partial<ContentFilters> => ({
    contentFilterBuiltins: slugs.map((slug) => ({ slug, action, ...ANSWERS })),
  });
  const patterns = (action: CustomFilter['action'], ...texts: string[]): Partial<ContentFilters> => ({
    contentFilters: texts.map((pattern) => ({ pattern, action, label: '[X]', ...ANSWERS })),
  });

  async function whole(filters: Partial<ContentFilters>, text: string, kind: WholeAnswerText['kind']): Promise<string> {
    const [made] = await inspection(filters).whole([{ place: 'response', kind, text }]);
    return made!;
  }

  /** What leaves of a text that comes in pieces. */
  async function streamed(
    filters: Partial<ContentFilters>,
    pieces: readonly string[],
    kind: WholeAnswerText['kind'],
  ): Promise<string> {
    const text = inspection(filters).text('response', kind);
    let left = '';
    try {
      for (const piece of pieces) {
        text.append(piece);
        await text.advance(false);
        left += text.takeTo(text.length);
      }
      await text.advance(true);
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return left + REFUSED;
    }
    return left + text.takeTo(text.length);
  }

  function halves(text: string): string[][] {
    return Array.from({ length: text.length + 1 }, (_, cut) => [text.slice(0, cut), text.slice(cut)]);
  }

  const FILTERS: Partial<ContentFilters> = {
    ...builtins('redact', 'email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets', 'regex-prompt-injection'),
    ...patterns('redact', 'PROJECT-[0-9]{4}', '\\bfoo(bar){0,3}\\b', '(?i)caf\u00e9'),
  };
  /** Examples of all filters and look-alikes, each between others and prose. */
  function* paragraphs(): Generator<string> {
    for (const slug of [
      'email',
      'phone',
      'ssn',
      'credit-card',
      'ip-address',
      'secrets',
      'prompt-injection',
      'escaped',
    ]) {
      const examples = [...readExamples(`${slug}.found`), ...readExamples(`${slug}.ignored`)].map(({ text }) => text);
      for (const [index, example] of examples.entries()) {
        if (index % STEP !== 0) continue;
        const other = examples[(7 * index) % examples.length];
        yield `${'Plain words before it. '.repeat((index % 5) * 30)}${example}\nAnd words behind it, ${other}.`;
      }
    }
  }

  const inJson = (text: string): string =>
    JSON.stringify({ path: 'a.txt', 'content of': [text, 4111111111111111, { n: -1.5e3, ok: true }] });

  it.each(['text', 'tool_arguments'] as const)(
    'lets out of a %s what filters make of the whole, in pieces of any size',
    async (kind) => {
      const mistakes: string[] = [];
      for (const paragraph of paragraphs()) {
        const text = kind === 'text' ? paragraph : inJson(paragraph);
        const made = await whole(FILTERS, text, kind);
        for (const size of [1, 7, 50]) {
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
          if ((await streamed(FILTERS, pieces, kind)) !== made) mistakes.push(`${size}: ${text}`);
        }
      }
      expect(mistakes).toEqual([]);
    },
  );

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
  ] as const)('cuts a %s anywhere: what leaves is the same', async (kind, text) => {
    const made = await whole(FILTERS, text, kind);
    expect(made).not.toBe(text);
    for (const pieces of halves(text)) expect(await streamed(FILTERS, pieces, kind)).toBe(made);
  });

  it('lets no character of what is blocked leave, wherever the text is cut, and nothing behind it', async () => {
    const text = 'The address of the author is jane.roe@example.com, and that is all.';
    for (const pieces of halves(text)) {
      const left = await streamed(builtins('block', 'email'), pieces, 'text');
      expect(left.endsWith(REFUSED)).toBe(true);
      expect(text.slice(0, text.indexOf('jane')).startsWith(left.slice(0, -1))).toBe(true);
    }
  });

  it.each([
    ['email', 460],
    ['credit-card', 130],
    ['ip-address', 210],
  ] as const)('holds no more of prose than a match of %s may need: %i characters', async (slug, most) => {
    const text = inspection(builtins('redact', slug)).text('response', 'text');
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
    const text = inspection(builtins('redact', 'secrets')).text('response', 'text');
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
    const text = inspection(filters).text('response', 'text');
    text.append('x'.repeat(10_000));
    await text.advance(false);
    expect(text.heldLength).toBe(10_000);
  });

  it('lets a text leave at once under filters that only report, and reports what they find in all of it', async () => {
    const under = inspection(builtins('flag', 'email'));
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
    const text = inspection(builtins('redact', 'email')).text('response', 'text');
    text.append('Write to jane.roe@example.com, or john');
    await text.flush();
    const before = text.takeTo(text.length);
    text.append('.doe@example.com.');
    await text.advance(true);

    expect([before, text.takeTo(text.length)]).toEqual(['Write to [EMAIL], or john', '[EMAIL].']);
  });

  it('parts what leaves where something else stands in the text', async () => {
    const text = inspection(builtins('redact', 'credit-card')).text('response', 'text');
    text.append('one ');
    const mark = text.mark();
    text.append(`two ${'word '.repeat(100)}`);
    await text.advance(false);

    expect(text.takeTo(mark)).toBe('one ');
    expect(text.takeTo(text.length)).toMatch(/^two word/);
  });
});
