import { inspectText } from './text-inspection.js';

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
