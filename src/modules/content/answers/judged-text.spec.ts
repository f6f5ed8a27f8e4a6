import type { AnswerInspection } from './answer-inspection.js';
import { FiltersOfTests } from './answer-inspection.fixture.js';
import type { AnswerJudge } from './answer-judge.js';
import { AnswerRefused, type AnswerText } from './answer-text.js';

describe('a text of an answer that is judged', () => {
  const filtersOfTests = new FiltersOfTests();

  afterAll(() => filtersOfTests.stop());

  interface Asked {
    readonly text: string;
    readonly answer: (text?: string) => void;
    readonly refuse: () => void;
  }

  let asked: Asked[];

  beforeEach(() => (asked = []));

  const REFUSAL = {
    reason: 'content_blocked',
    filter: { custom: 0, label: 'G' },
    label: 'G',
    guardrailIds: [],
  } as const;

  const judging = (window: AnswerJudge['window'], isEnforcing = true): AnswerInspection => {
    const judge: AnswerJudge = {
      places: new Set(['response']),
      isEnforcing,
      window,
      judge: (_place, [piece]) =>
        new Promise((resolve, reject) => {
          const { text } = piece!;
          asked.push({
            text,
            answer: (made = text) => resolve([made]),
            refuse: () => reject(new AnswerRefused(REFUSAL)),
          });
        }),
    };
    return filtersOfTests.inspection({}, [judge]);
  };

  const come = async (text: AnswerText, piece: string, isEnd = false): Promise<string> => {
    text.append(piece);
    await text.advance(isEnd);
    return text.takeTo(text.length);
  };

  it('lets windows leave that were judged, but for the overlap, and reads the next one meanwhile', async () => {
    const text = judging({ characters: 10, overlap: 4 }).text('response', 'text');
    expect(await come(text, '0123456789')).toBe('');
    expect(asked.map((one) => one.text)).toEqual(['0123456789']);
    expect(await come(text, 'abcde')).toBe('');
    asked[0]!.answer();
    await new Promise(setImmediate);
    expect(await come(text, 'f')).toBe('012345');
    expect(await come(text, 'ghij')).toBe('');
    expect(asked[1]!.text).toBe('6789abcdefghij');
    asked[1]!.answer();
    await new Promise(setImmediate);
    const last = come(text, 'k', true);
    await new Promise(setImmediate);
    expect(asked[2]!.text).toBe('ghijk');
    asked[2]!.answer();
    expect(await last).toBe('6789abcdefghijk');
  });

  it('does not read on when a second window waits', async () => {
    const text = judging({ characters: 4, overlap: 0 }).text('response', 'text');
    await come(text, '0123');
    let isRead = false;
    const second = come(text, '4567').then((left) => {
      isRead = true;
      return left;
    });
    await new Promise(setImmediate);
    expect(isRead).toBe(false);
    asked[0]!.answer();
    expect(await second).toBe('0123');
  });

  it('lets what a judge has changed leave in its place, also across windows', async () => {
    const text = judging({ characters: 10, overlap: 5 }).text('response', 'text');
    await come(text, '0123456abc');
    asked[0]!.answer();
    const end = come(text, 'def7890', true);
    await new Promise(setImmediate);
    expect(asked[1]!.text).toBe('56abcdef7890');
    asked[1]!.answer('56[LETTERS]7890');
    expect(await end).toBe('0123456[LETTERS]7890');
    expect(text.isChanged).toBe(true);
  });

  it('holds a text to its end for a judge of the whole, and lets nothing leave of what it blocks', async () => {
    const text = judging('whole').text('response', 'text');
    expect(await come(text, 'x'.repeat(5_000))).toBe('');
    expect(asked).toEqual([]);
    const end = come(text, 'y', true);
    await new Promise(setImmediate);
    asked[0]!.refuse();
    await expect(end).rejects.toThrow(AnswerRefused);
    expect(text.takeTo(text.length)).toBe('');
  });

  it('asks one that observes when all has come, and holds nothing', async () => {
    const under = judging({ characters: 4, overlap: 0 }, false);
    const text = under.text('response', 'text');
    expect(await come(text, '0123456')).toBe('0123456');
    expect(asked).toEqual([]);
    const reported = under.report();
    await new Promise(setImmediate);
    expect(asked.map((one) => one.text)).toEqual(['0123456']);
    asked[0]!.answer('nothing');
    await reported;
  });
});
