import { inspectText } from './text-inspection.js';

const NUL = 'must not contain a NUL character';
const SURROGATE = 'must not contain a lone surrogate';

describe('inspectText', () => {
  it.each(['', 'x', '\u{1F9EA}', '\u202e\ufeff\uffff', '\u0001', '%00', '\\u0000', 1, -0, true, null, undefined])(
    'finds nothing in %p',
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
    // One fault a string, however many it has.
    ['\u0000\u0000\ud800', NUL],
  ])('finds what is wrong with %j', (value, message) => {
    expect(inspectText(value)).toEqual([{ path: '', message }]);
  });

  it('says where, in lists and objects of any form', () => {
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

  it('looks at the names of fields too, and does not repeat them', () => {
    expect(inspectText({ outer: { 'a\u0000b': '\u0000' }, '\ud800': 1 })).toEqual([
      { path: 'outer', message: `has a field whose name ${NUL}` },
      { path: '', message: `has a field whose name ${SURROGATE}` },
    ]);
  });

  it('looks at fields that have the name of something else', () => {
    const value = JSON.parse('{"__proto__":"\\u0000","constructor":{"prototype":"\\u0000"}}') as unknown;

    expect(inspectText(value).map(({ path }) => path)).toEqual(['__proto__', 'constructor.prototype']);
  });
});
