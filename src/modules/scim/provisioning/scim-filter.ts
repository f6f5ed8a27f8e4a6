import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { INVALID_FILTER } from './provisioning.errors.js';
import { type AttributePath, attributePathOf } from './scim-path.js';

/** The most characters of a filter. */
export const MAXIMUM_FILTER_LENGTH = 2_048;

const MAXIMUM_COMPARISONS = 20;

/** How deep parentheses, brackets and negations may be nested. */
const MAXIMUM_DEPTH = 10;

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

/** How an attribute is compared with a value (RFC 7644, table 3). */
export type FilterOperator = (typeof OPERATORS)[number];

/** What an attribute is compared with. */
export type FilterValue = string | number | boolean | null;

/** A filter, parsed. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly operator: FilterOperator;
      readonly path: AttributePath;
      readonly value: FilterValue;
    }
  /** One value of an attribute with several meets the filter, whose paths begin at that value: `emails[type eq "work"]`. */
  | { readonly kind: 'some'; readonly path: AttributePath; readonly filter: ScimFilter };

/** Spaces, parentheses and brackets, a string of JSON, or a word: an attribute, an operator or another value. Never backtracks. */
const TOKEN = /\s+|[()]|\[|\]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+/gy;

/**
 * Parses a filter (RFC 7644, section 3.4.2.2), in time that grows with its length alone.
 *
 * @param mostComparisons how many comparisons it may have
 * @throws BadRequestError `scim_invalid_filter` for one that is malformed, or has more than 2,048 characters, 20 comparisons or 10 levels
 */
export function parseFilter(text: string, mostComparisons = MAXIMUM_COMPARISONS): ScimFilter {
  if (text.length > MAXIMUM_FILTER_LENGTH)
    throw invalidFilter(`must not have more than ${MAXIMUM_FILTER_LENGTH} characters`);
  return new FilterParser(tokensOf(text), mostComparisons).whole();
}

/** The error of a filter. @param message what is wrong with it */
export function invalidFilter(message: string): BadRequestError {
  return BadRequestError.of([INVALID_FILTER.at('filter', message)]);
}

function tokensOf(text: string): string[] {
  const tokens = text.match(TOKEN) ?? [];
  const length = tokens.reduce((sum, token) => sum + token.length, 0);
  if (length !== text.length) throw invalidFilter('has a string without an end');
  return tokens.filter((token) => token.trim() !== '');
}

/** A parser by recursive descent: `or` binds less than `and`, which binds less than `not`. */
class FilterParser {
  private next = 0;
  private comparisons = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly mostComparisons: number,
  ) {}

  whole(): ScimFilter {
    const filter = this.disjunction();
    if (this.next < this.tokens.length) throw invalidFilter(`has ${this.found()} where it should end`);
    return filter;
  }

  private disjunction(): ScimFilter {
    return this.joined('or', () => this.joined('and', () => this.term()));
  }

  private joined(kind: 'and' | 'or', part: () => ScimFilter): ScimFilter {
    const filters = [part()];
    while (this.isWord(kind)) {
      this.next += 1;
      filters.push(part());
    }
    return filters.length === 1 ? filters[0]! : { kind, filters };
  }

  private term(): ScimFilter {
    if (this.isWord('not') && this.tokens[this.next + 1] === '(') {
      this.next += 1;
      return { kind: 'not', filter: this.nested('(', ')') };
    }
    return this.tokens[this.next] === '(' ? this.nested('(', ')') : this.comparison();
  }

  private nested(open: string, close: string): ScimFilter {
    this.depth += 1;
    if (this.depth > MAXIMUM_DEPTH) throw invalidFilter(`must not be nested deeper than ${MAXIMUM_DEPTH} levels`);
    this.expect(open);
    const filter = this.disjunction();
    this.expect(close);
    this.depth -= 1;
    return filter;
  }

  private comparison(): ScimFilter {
    const path = this.path();
    if (this.tokens[this.next] === '[') {
      const filter = this.nested('[', ']');
      const rest = this.tokens[this.next];
      if (rest?.startsWith('.') !== true) return { kind: 'some', path, filter };
      // One value must meet both what stands in the brackets and what is said of its sub-attribute.
      const sub = attributePathOf(rest.slice(1));
      if (sub === undefined) throw invalidFilter(`has ${this.found()} where an attribute is expected`);
      this.next += 1;
      return { kind: 'some', path, filter: { kind: 'and', filters: [filter, this.compared(sub)] } };
    }
    return this.compared(path);
  }

  private path(): AttributePath {
    const path = attributePathOf(this.tokens[this.next] ?? '');
    if (path === undefined) throw invalidFilter(`has ${this.found()} where an attribute is expected`);
    this.next += 1;
    return path;
  }

  private compared(path: AttributePath): ScimFilter {
    this.comparisons += 1;
    if (this.comparisons > this.mostComparisons) {
      throw invalidFilter(`must not have more than ${this.mostComparisons} comparisons`);
    }
    const word = this.tokens[this.next]?.toLowerCase();
    if (word === 'pr') {
      this.next += 1;
      return { kind: 'present', path };
    }
    const operator = OPERATORS.find((known) => known === word);
    if (operator === undefined) throw invalidFilter(`has ${this.found()} where an operator is expected`);
    this.next += 1;
    return { kind: 'compare', operator, path, value: this.value() };
  }

  private value(): FilterValue {
    const token = this.tokens[this.next];
    const value = token === undefined ? undefined : valueIn(token);
    if (value === undefined) throw invalidFilter(`has ${this.found()} where a value is expected`);
    this.next += 1;
    return value;
  }

  private expect(token: string): void {
    if (this.tokens[this.next] !== token) throw invalidFilter(`has ${this.found()} where ${token} is expected`);
    this.next += 1;
  }

  private isWord(word: string): boolean {
    return this.tokens[this.next]?.toLowerCase() === word;
  }

  private found(): string {
    return this.next < this.tokens.length ? `something else at its part ${this.next + 1}` : 'its end';
  }
}

/** A value as JSON writes it: a string, a number, true, false or null; undefined for anything else. */
function valueIn(token: string): FilterValue | undefined {
  try {
    const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token);
    // PostgreSQL takes neither NUL characters nor lone surrogates.
    if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed() ? undefined : value;
    return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
