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
    const judge = (length: number): void => {
      hasEntityTag(`${', \t'.repeat(length)}x`, '"a"');
      hasEntityTag('"b",'.repeat(length), '"a"');
      hasEntityTag(`"${'b'.repeat(3 * length)}`, '"a"');
    };
    // What of this thread's time it takes, at best: what else the machine does is not in it.
    const effort = (length: number): number => {
      const times = Array.from({ length: 7 }, () => {
        const begun = process.cpuUsage();
        judge(length);
        const { user, system } = process.cpuUsage(begun);
        return user + system;
      });
      return Math.min(...times);
    };
    judge(1_000);

    // 20 times the header: 400 times the effort, were it quadratic.
    expect(effort(200_000)).toBeLessThan(100 * Math.max(effort(10_000), 100));
  });
});
