import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { SeededRandom } from '../corpus/seeded-random.fixture.js';

/** How often words are repeated at most beyond their least number: as often as any expression lets them. */
const MAXIMUM_WORDS = 8;
/** The same of single characters. */
const MAXIMUM_CHARACTERS = 2;

/** What stands for a letter, a digit and anything else that an expression leaves open. */
const ANY_LETTER = 'q';
const ANY_DIGIT = '7';
const ANY_CHARACTER = 'x';
/** Not one of what a class excludes. */
const NOT_EXCLUDED = 'k';

/**
 * Texts that an expression may match, made from the expression itself. What it asserts is left out, so that some of them do
 * not match.
 */
export class SampledTexts {
  private readonly pattern: AST.Pattern;

  constructor(
    expression: RegExp,
    private readonly random: SeededRandom,
  ) {
    const { source, unicode } = expression;
    this.pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  }

  next(): string {
    return this.oneOf(this.pattern.alternatives);
  }

  private oneOf(alternatives: readonly AST.Alternative[]): string {
    return this.random
      .of(alternatives)
      .elements.map((element) => this.textOf(element))
      .join('');
  }

  private textOf(element: AST.Element | AST.QuantifiableElement): string {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.oneOf(element.alternatives);
      case 'Quantifier':
        return this.repeated(element);
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
        return setMember(element.kind);
      case 'CharacterClass':
        return this.classMember(element);
      case 'Assertion':
        return '';
      default:
        throw new Error(`The expressions of injections have no ${element.type} so far`);
    }
  }

  private repeated({ min, max, element }: AST.Quantifier): string {
    const more = Math.min(max - min, element.type === 'Group' ? MAXIMUM_WORDS : MAXIMUM_CHARACTERS);
    return Array.from({ length: min + this.random.below(more + 1) }, () => this.textOf(element)).join('');
  }

  private classMember({ negate, elements }: AST.CharacterClass): string {
    if (negate) return NOT_EXCLUDED;
    const member = this.random.of(elements);
    switch (member.type) {
      case 'Character':
        return String.fromCodePoint(member.value);
      case 'CharacterSet':
        return setMember(member.kind);
      case 'CharacterClassRange':
        return String.fromCodePoint(member.min.value);
      default:
        throw new Error(`The expressions of injections have no ${member.type} in a class so far`);
    }
  }
}

function setMember(kind: AST.CharacterSet['kind']): string {
  if (kind === 'word') return ANY_LETTER;
  if (kind === 'space') return ' ';
  return kind === 'digit' ? ANY_DIGIT : ANY_CHARACTER;
}
