import { inspectText } from './text-inspection.js';

const NUL = 'must not contain a NUL character';
const SURROGATE = 'must not contain a lone surrogate';

/** A value inside so many lists. */
function nested(depth: number, innermost: unknown = 'x'): unknown {
  let value = innermost;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('inspectText', () => {
  it.each(['', 'x', '\u{1F9EA}', '\u202e\ufeff\uffff', '\u0001', '%00', '\\u0000', 1, -0, true, null, undefined])(
    'finds nothing in %p',
    (value) => {
      expect(inspectText(value)).toEqual({ issues: [], values: 1 });
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
    expect(inspectText(value).issues).toEqual([{ path: '', message }]);
  });

  it('says where, in lists and objects of any form', () => {
    const { issues, values } = inspectText({
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
    expect(values).toBe(14);
  });

  it('looks at the names of fields too, and does not repeat them', () => {
    expect(inspectText({ outer: { 'a\u0000b': '\u0000' }, '\ud800': 1 }).issues).toEqual([
      { path: 'outer', message: `has a field whose name ${NUL}` },
      { path: '', message: `has a field whose name ${SURROGATE}` },
    ]);
  });

  it('looks at fields that have the name of something else', () => {
    const value = JSON.parse('{"__proto__":"\\u0000","constructor":{"prototype":"\\u0000"}}') as unknown;

    expect(inspectText(value).issues.map(({ path }) => path)).toEqual(['__proto__', 'constructor.prototype']);
  });

  it('goes 64 levels deep, and no further', () => {
    expect(inspectText(nested(64)).issues).toEqual([]);
    expect(inspectText(nested(64, '\u0000')).issues).toHaveLength(1);
    expect(inspectText(nested(65, '\u0000')).issues).toEqual([
      { path: '[0]'.repeat(64), message: 'must not be nested deeper than 64 levels' },
    ]);
  });

  it('does not mind how deep it is beyond that', () => {
    expect(inspectText(nested(1_000_000)).issues).toHaveLength(1);
  });

  it('counts every value, the whole included', () => {
    expect(inspectText([1, [2, 3], { a: 4, b: [] }]).values).toBe(8);
    expect(inspectText(Array(100_000).fill(0)).values).toBe(100_001);
  });
});
