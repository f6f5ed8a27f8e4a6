import fc from 'fast-check';
import { LongWork } from '../../concurrency/long-work.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { turnsDuring } from '../../../test/support/time/turns-during.js';
import { inspectText, inspectTextInTurns } from './text-inspection.js';

const NUL = 'must not contain a NUL character';
const SURROGATE = 'must not contain a lone surrogate';

describe('inspectText', () => {
  it.each(['', 'x', '\u{1F9EA}', '\u202e\ufeff\uffff', '\u0001', '%00', '\\u0000', 1, -0, true, null, undefined])(
    'accepts %p',
    (value) => {
      expect(inspectText(value)).toEqual([]);
    },
  );

  it.each([
    ['\u0000', NUL],
    ['a\u0000', NUL],
    ['\ud800', SURROGATE],
    ['\udc00', SURROGATE],
    ['a\udc00\ud800b', SURROGATE],
    ['\u{1F9EA}\ud83e', SURROGATE],
    // One issue a string, however many it has.
    ['\u0000\u0000\ud800', NUL],
  ])('reports the issue of %j', (value, message) => {
    expect(inspectText(value)).toEqual([{ path: '', message }]);
  });

  it('reports the path of an issue in nested lists and objects', () => {
    const issues = inspectText({
      good: ['x', { y: 'z' }],
      list: ['x', '\u0000', ['\ud800']],
      object: { inner: { deep: '\u0000' } },
      'with.dot': '\u0000',
    });

    expect(issues).toEqual([
      { path: 'list[1]', message: NUL },
      { path: 'list[2][0]', message: SURROGATE },
      { path: 'object.inner.deep', message: NUL },
      { path: 'with.dot', message: NUL },
    ]);
  });

  it('inspects field names too, without repeating them in the issue', () => {
    expect(inspectText({ outer: { 'a\u0000b': '\u0000' }, '\ud800': 1 })).toEqual([
      { path: 'outer', message: `has a field whose name ${NUL}` },
      { path: '', message: `has a field whose name ${SURROGATE}` },
    ]);
  });

  it('inspects fields named like members of Object.prototype', () => {
    const value = JSON.parse('{"__proto__":"\\u0000","constructor":{"prototype":"\\u0000"}}') as unknown;

    expect(inspectText(value).map(({ path }) => path)).toEqual(['__proto__', 'constructor.prototype']);
  });
});

describe('inspectTextInTurns', () => {
  const inTurns = (value: unknown): ReturnType<typeof inspectTextInTurns> =>
    inspectTextInTurns(value, new LongWork(new LoopTurns(), 'organization'));

  it('reports what inspectText does', async () => {
    const texts = fc.constantFrom('', 'x', '\u0000', '\ud800', '\u{1F9EA}');
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, texts, fc.integer(), fc.array(tie('value')), fc.dictionary(texts, tie('value'))),
    })).value;
    await fc.assert(
      fc.asyncProperty(values, async (value) => expect(await inTurns(value)).toEqual(inspectText(value))),
      { numRuns: 500 },
    );
  });

  it.each([
    ['x', '', undefined],
    ['x', '\u0000', NUL],
    ['x', '\ud800', SURROGATE],
    ['\ud800', 'x', SURROGATE],
    ['\ud800', '\u0000', NUL],
    ['\u0000', '\ud800', NUL],
    // Pairs, which stand at every place where a part could end.
    ['', '\u{1F9EA}'.repeat(1_500_000), undefined],
    ['x', '\u{1F9EA}'.repeat(1_500_000), undefined],
    ['x', `${'\u{1F9EA}'.repeat(1_500_000)}\ud83e`, SURROGATE],
  ])('finds the issue of a long text between %j and others', async (first, last, message) => {
    const text = `${first}${'y'.repeat(3_000_000)}${last}`;
    const issues = message === undefined ? [] : [{ path: 'list[1]', message }];
    expect(await inTurns({ list: ['x', text, 7] })).toEqual(issues);
    expect(inspectText({ list: ['x', text, 7] })).toEqual(issues);
  });

  it('lets others use the event loop before it is done', async () => {
    const texts = Array.from({ length: 20 }, () => '\u{1F9EA}'.repeat(1_000_000));

    expect(await turnsDuring(() => inTurns(texts))).toBeGreaterThanOrEqual(3);
  });
});
