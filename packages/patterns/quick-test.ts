import { RE2JS } from 're2js';

/** Patterns of this size are compiled in less than a millisecond (docs/adr/0012-patterns.md). */
const LARGEST_SIZE = 100;

/** How long a test may hold the event loop, and what one character takes at most, in nanoseconds. Measured, with a margin. */
const LONGEST_TEST_NS = 2_500_000;
const CHARACTER_NS = 150;
const CHARACTER_AND_INSTRUCTION_NS = 10;

/** Whether a small pattern occurs in a short text, found out on the event loop. */
export class QuickTest {
  private readonly longestText: number;
  private compiled: RE2JS | undefined;

  /** @param pattern one that compiles, and its size as `measurePattern` finds it */
  constructor(
    private readonly pattern: string,
    { size, instructions }: { readonly size: number; readonly instructions: number },
  ) {
    const characterNs = CHARACTER_NS + CHARACTER_AND_INSTRUCTION_NS * instructions;
    this.longestText = size > LARGEST_SIZE ? -1 : Math.floor(LONGEST_TEST_NS / characterNs);
  }

  /** @returns undefined when pattern or text are too large to find out in a few milliseconds */
  occursIn(text: string): boolean | undefined {
    if (text.length > this.longestText) return undefined;
    this.compiled ??= RE2JS.compile(this.pattern);
    return this.compiled.test(text);
  }
}
