import { RE2JS } from 're2js';
import { boundAutomatonMemory } from './automaton-memory.js';
import { measurePattern } from './pattern-size.js';

/** Patterns of this size are compiled in less than a millisecond (docs/adr/0012-patterns.md). */
const MAXIMUM_PATTERN_SIZE = 100;

/** How long a test may hold the event loop, and what one character takes at most, in nanoseconds. Measured, with a margin. */
const MAXIMUM_TEST_NS = 2_500_000;
const CHARACTER_NS = 150;
const CHARACTER_AND_INSTRUCTION_NS = 10;

/** What a test takes in memory, and what its compiled pattern does, in bytes. Measured, with a margin (docs/adr/0012-patterns.md). */
const OWN_BYTES = 512;
const COMPILED_BYTES = 8_192;
const BYTES_OF_SIZE = 512;
const BYTES_OF_INSTRUCTION = 128;

/** How many bytes of states a pattern keeps for the next text: those of most patterns. */
export const STATES_BYTES = 65_536;

/** Whether a small pattern occurs in a short text, found out on the event loop. */
export class QuickTest {
  private readonly longestText: number;
  private readonly ownBytes: number;
  private statesBytes = 0;
  private compiled: RE2JS | undefined;

  /** @param pattern one that compiles @param maximumDepth how deep its groups are nested at most */
  constructor(
    private readonly pattern: string,
    maximumDepth: number,
  ) {
    const { size, instructions } = measurePattern(pattern, maximumDepth);
    const isSmall = size <= MAXIMUM_PATTERN_SIZE;
    const characterNs = CHARACTER_NS + CHARACTER_AND_INSTRUCTION_NS * instructions;
    this.longestText = isSmall ? Math.floor(MAXIMUM_TEST_NS / characterNs) : -1;
    const compiled = COMPILED_BYTES + BYTES_OF_SIZE * size + BYTES_OF_INSTRUCTION * instructions;
    this.ownBytes = OWN_BYTES + 2 * pattern.length + (isSmall ? compiled : 0);
  }

  /** About how much memory it takes, rather more than less: as if it were compiled before it is, and more after some texts. */
  get bytes(): number {
    return this.ownBytes + this.statesBytes;
  }

  /** @returns undefined when pattern or text are too large to find out in a few milliseconds */
  occursIn(text: string): boolean | undefined {
    if (text.length > this.longestText) return undefined;
    this.compiled ??= RE2JS.compile(this.pattern);
    const occurs = this.compiled.test(text);
    this.statesBytes = boundAutomatonMemory(this.compiled, STATES_BYTES);
    return occurs;
  }
}
