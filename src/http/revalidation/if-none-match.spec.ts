import { hasEntityTag } from './if-none-match.js';

describe('hasEntityTag', () => {
  it.each(['"a"', 'W/"a"', '*', ' * ', '"b", "a"', '"b","a"', '"b" , W/"a" ', ',, "a",,', '"x,y", "a"', '"a", "a"'])(
    'finds "a" in %s',
    (header) => {
      expect(hasEntityTag(header, '"a"')).toBe(true);
    },
  );

  it.each([undefined, '', '"b"', 'W/"b"', '"A"', '"aa"', '"b", "c"', '"x,"a"', '"", "b"'])(
    'does not find "a" in %s',
    (header) => {
      expect(hasEntityTag(header, '"a"')).toBe(false);
    },
  );

  it.each(['a', '"a', 'a"', 'w/"a"', 'W/ "a"', '"a" "b"', '"a"; "b"', '*, "a"', '"a", *', '"b" x, "a"', '"a", b'])(
    'takes nothing from what is malformed: %s',
    (header) => {
      expect(hasEntityTag(header, '"a"')).toBe(false);
    },
  );

  it('takes time in proportion to the header alone', () => {
    const started = performance.now();
    hasEntityTag(`${', \t'.repeat(200_000)}x`, '"a"');
    hasEntityTag('"b",'.repeat(200_000), '"a"');
    hasEntityTag(`"${'b'.repeat(600_000)}`, '"a"');
    expect(performance.now() - started).toBeLessThan(500);
  });
});
