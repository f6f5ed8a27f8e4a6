import { RE2JS } from 're2js';
import { forgetStates, KEPT_STATES_BYTES } from './kept-states.js';
import { measurePattern } from './pattern-size.js';

/** Patterns of this size are compiled in less than a millisecond (docs/adr/0012-patterns.md). */
const LARGEST_SIZE = 100;

/** How long a test may hold the event loop, and what one character takes at most, in nanoseconds. Measured, with a margin. */
const LONGEST_TEST_NS = 2_500_000;
const CHARACTER_NS = 150;
const CHARACTER_AND_INSTRUCTION_NS = 10;

/** What a test takes in memory, and what its compiled pattern does, in bytes. Measured, with a margin (docs/adr/0012-patterns.md). */
const OWN_BYTES = 512;
const COMPILED_BYTES = 8_192;
const BYTES_OF_SIZE = 512;
const BYTES_OF_INSTRUCTION = 128;

/** Whether a small pattern occurs in a short text, found out on the event loop. */
export class QuickTest {
  /** About how much memory it takes once it was used, rather more than less. */
  readonly bytes: number;
  private readonly longestText: number;
  private compiled: RE2JS | undefined;

  /** @param pattern one that compiles @param maximumDepth how deep its groups are nested at most */
  constructor(
    private readonly pattern: string,
    maximumDepth: number,
  ) {
    const { size, instructions } = measurePattern(pattern, maximumDepth);
    const isSmall = size <= LARGEST_SIZE;
    const characterNs = CHARACTER_NS + CHARACTER_AND_INSTRUCTION_NS * instructions;
    this.longestText = isSmall ? Math.floor(LONGEST_TEST_NS / characterNs) : -1;
    const compiled = COMPILED_BYTES + BYTES_OF_SIZE * size + BYTES_OF_INSTRUCTION * instructions + KEPT_STATES_BYTES;
    this.bytes = OWN_BYTES + 2 * pattern.length + (isSmall ? compiled : 0);
  }

  /** @returns undefined when pattern or text are too large to find out in a few milliseconds */
  occursIn(text: string): boolean | undefined {
    if (text.length > this.longestText) return undefined;
    this.compiled ??= RE2JS.compile(this.pattern);
    const occurs = this.compiled.test(text);
    forgetStates(this.compiled, KEPT_STATES_BYTES);
    return occurs;
  }
}
