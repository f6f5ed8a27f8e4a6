import { readClassWidth, SMALL_CLASS_RANGES, UNICODE_CLASS_RANGES } from './character-class-width.js';
import { readEscape } from './escape.js';
import { ASSERTION, characterClass, type Extent } from './extent.js';
import { PatternGroup } from './pattern-group.js';
import { PatternReader } from './pattern-reader.js';
import { readQuantifier } from './quantifier.js';

/** The estimated size of a pattern, known before compiling. */
export interface PatternSize {
  /** Never fewer than the instructions of the program that the engine compiles. */
  readonly instructions: number;
  /** The time and memory of compiling, expressed as a number of instructions (docs/adr/0012-patterns.md). */
  readonly size: number;
  /** The nesting depth of groups. */
  readonly depth: number;
}

/** The ranges of `.`: all characters except line ends. */
const ANY_CHARACTER_RANGES = 2;

/** The program begins with an instruction that fails and ends with one that matches. */
const OWN_INSTRUCTIONS = 2;

/** The engine looks for a faster form of programs that begin at the start of the text and are smaller than this. */
const ONE_PASS_INSTRUCTIONS = 1_000;

/** Nested repetitions grow exponentially; numbers are capped here. */
const GREATEST_NUMBER = 999_999_999;

// How many of each cost as much time or memory as one instruction.
const PLAIN_CHARACTERS = 10;
const COLLECTED_RANGES = 8;
const STORED_RANGES = 120;
const REACHABLE_RANGES = 400;
const COPIED_PIECES = 60;

const SYNTAX = new Set(Array.from('()|[\\.^$*+?{', (character) => character.charCodeAt(0)));

/**
 * Measures a pattern in RE2 syntax without compiling it, in a time that is linear in its length.
 *
 * It does not check the syntax: the result for an invalid pattern is arbitrary.
 *
 * @param maximumDepth groups that stand deeper than this are not read, and the depth is one more
 */
export function measurePattern(pattern: string, maximumDepth: number): PatternSize {
  return new PatternMeasure(pattern, maximumDepth).measure();
}

class PatternMeasure {
  private readonly reader: PatternReader;
  private readonly groups: PatternGroup[] = [];
  private group = new PatternGroup(false, false);
  private ignoresCase = false;
  private deepest = 0;
  private collectedRanges = 0;
  private startsAtTextStart = false;

  constructor(
    pattern: string,
    private readonly maximumDepth: number,
  ) {
    this.reader = new PatternReader(pattern);
  }

  measure(): PatternSize {
    while (this.reader.hasMore && this.deepest <= this.maximumDepth) this.readPart();
    while (this.groups.length > 0) this.endGroup();
    return this.sizeOf();
  }

  private readPart(): void {
    const { reader, group } = this;
    switch (reader.text.charAt(reader.position)) {
      case '(':
        this.startGroup();
        break;
      case ')':
        reader.skip();
        this.endGroup();
        break;
      case '|':
        reader.skip();
        group.startAlternative();
        break;
      case '[':
        this.addClass(readClassWidth(reader, this.ignoresCase));
        break;
      case '.':
        reader.skip();
        this.addClass(ANY_CHARACTER_RANGES);
        break;
      case '^':
      case '$':
        this.startsAtTextStart ||= reader.isAt('^');
        reader.skip();
        group.add(ASSERTION);
        break;
      case '\\':
        this.readEscape();
        break;
      case '*':
      case '+':
      case '?':
      case '{':
        this.readQuantifier();
        break;
      default:
        this.readText();
    }
  }

  private readText(): void {
    const { reader } = this;
    let characters = 0;
    for (; reader.hasMore && !SYNTAX.has(reader.unit); characters += 1) reader.next();
    this.group.addText(characters);
  }

  private startGroup(): void {
    const { reader, ignoresCase } = this;
    reader.skip();
    if (!reader.take('?')) {
      this.openGroup(true, ignoresCase);
      return;
    }
    if (reader.take('P<') || reader.take('<')) {
      reader.takeThrough('>');
      this.openGroup(true, ignoresCase);
      return;
    }
    this.readFlags();
    // Flags without a colon hold up to the end of the group in which they stand.
    if (reader.take(':')) this.openGroup(false, ignoresCase);
    else reader.take(')');
  }

  /** `i`, `m`, `s` and `U`, set or, behind a hyphen, unset. */
  private readFlags(): void {
    const { reader } = this;
    this.group.endText();
    for (let isSet = true; reader.hasMore;) {
      if (reader.take('-')) isSet = false;
      else if (reader.take('i')) this.ignoresCase = isSet;
      else if (!reader.take('m') && !reader.take('s') && !reader.take('U')) return;
    }
  }

  private openGroup(captures: boolean, ignoredCaseBefore: boolean): void {
    this.groups.push(this.group);
    this.group = new PatternGroup(captures, ignoredCaseBefore);
    this.deepest = Math.max(this.deepest, this.groups.length);
  }

  private endGroup(): void {
    const outer = this.groups.pop();
    // A parenthesis that closes nothing: the engine refuses it.
    if (outer === undefined) return;
    this.ignoresCase = this.group.ignoredCaseBefore;
    outer.addGroup(this.group.end());
    this.group = outer;
  }

  private addClass(width: number): void {
    this.collectedRanges += width;
    this.group.add(characterClass(width));
  }

  private readEscape(): void {
    const { reader, group } = this;
    const escape = readEscape(reader);
    switch (escape.kind) {
      case 'character':
        group.addText(1);
        break;
      case 'perl-class':
        this.addClass(SMALL_CLASS_RANGES);
        break;
      case 'unicode-class':
        this.addClass(UNICODE_CLASS_RANGES);
        break;
      case 'assertion':
        this.startsAtTextStart ||= escape.isTextStart;
        group.add(ASSERTION);
        break;
      case 'quotation':
        this.readQuotation();
    }
  }

  private readQuotation(): void {
    const { reader, group } = this;
    const text = reader.takeThrough('\\E');
    // Not fewer than its characters, some of which may take two code units.
    if (text !== '') group.addText(text.length);
  }

  private readQuantifier(): void {
    const { reader, group } = this;
    const repetition = readQuantifier(reader);
    if (repetition === undefined) {
      // A literal brace.
      reader.skip();
      group.addText(1);
    } else group.repeat(repetition);
  }

  private sizeOf(): PatternSize {
    const { extent, copies } = this.group.end();
    const instructions = Math.min(OWN_INSTRUCTIONS + extent.instructions, GREATEST_NUMBER);
    const size =
      instructions -
      extent.plain +
      extent.plain / PLAIN_CHARACTERS +
      this.collectedRanges / COLLECTED_RANGES +
      (this.startsAtTextStart ? this.onePassSize(instructions, extent) : 0) +
      copies / COPIED_PIECES;
    return { instructions, size: Math.min(Math.ceil(size), GREATEST_NUMBER), depth: this.deepest };
  }

  /** The faster form has the ranges of each instruction once more, and those that may be reached from each choice. */
  private onePassSize(instructions: number, { matchers, ranges }: Extent): number {
    const reachable = instructions < ONE_PASS_INSTRUCTIONS ? (instructions - matchers) * this.collectedRanges : 0;
    return ranges / STORED_RANGES + reachable / REACHABLE_RANGES;
  }
}
