import { ValidateBy, ValidateIf } from 'class-validator';
import { type Issue, joinPath } from '../errors/issue.js';
import { parsesAsUrl } from '../../config/parses-as-url.js';

/** RFC 9562, section 4: ignoring case, and without the prefix `urn:uuid:`, which PostgreSQL does not accept. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** RFC 3339, section 5.6. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/i;

/** RFC 3986, section 3: the scheme, the authority, the path, the query and the fragment, in ASCII only. */
const URI =
  /^[a-z][a-z0-9+.-]*:(?:\/\/(?:(?:[\w\-.~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?=[/?#]|$))?(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9a-f]{2})*(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

/** The maximum length of a host name, in characters (RFC 1035, section 2.3.4). */
const MAXIMUM_HOST_LENGTH = 253;

/** The formats of text fields. The rest of the service can parse and store every text that matches. */
export const FORMATS = {
  uuid: (text: string): boolean => UUID.test(text),
  'date-time': isDateTime,
  uri: (text: string): boolean =>
    URI.test(text) && parsesAsUrl(text) && new URL(text).hostname.length <= MAXIMUM_HOST_LENGTH,
} as const;

type Format = keyof typeof FORMATS;

/** RFC 3339 allows leap seconds, but neither Date nor PostgreSQL supports them, so they are refused. */
function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  // Without offset groups if the offset is Z.
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part || 0));
  const isOnCalendar = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  const isOnClock = hour <= 23 && minute <= 59 && second <= 59 && offsetHour <= 23 && offsetMinute <= 59;
  if (!isOnCalendar || !isOnClock) return false;
  // Responses show times in UTC, where an offset can move a time outside the years 0000 to 9999.
  const yearInUtc = new Date(text).getUTCFullYear();
  return yearInUtc >= 0 && yearInUtc <= 9999;
}

function daysOf(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

/** Bounds of a text. */
export interface TextBounds {
  /** In Unicode code points, like all lengths of the interface (docs/interface/conventions.md). */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An ECMAScript regular expression without catastrophic backtracking. */
  readonly pattern?: string;
  readonly format?: Format;
}

/** Bounds of a number. */
export interface NumberBounds {
  readonly minimum?: number;
  /** The number must be more than this. */
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** The context of a validation error, because one message of class-validator cannot name several paths. */
export interface IssueContext {
  /** The issues of a value; their paths begin at the field. */
  readonly issuesOf: (value: unknown) => Issue[];
}

/** A constraint that reports issues with paths relative to the field. */
export function Constraint(name: string, issuesOf: (value: unknown) => Issue[]): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: { validate: (value: unknown) => issuesOf(value).length === 0, defaultMessage: () => 'is not valid' },
    },
    { context: { issuesOf } satisfies IssueContext },
  );
}

/**
 * Skips the other constraints of an optional field that is absent, or a nullable field that is null; IsOptional of
 * class-validator does not distinguish the two. Every field has exactly one such constraint, so that a redeclared field
 * replaces the inherited one.
 */
export function Presence(optional = false, nullable = false): PropertyDecorator {
  return ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null));
}

/** The length in code points: MinLength and MaxLength of class-validator do not count variation selectors. */
export function Length(bounds: TextBounds): PropertyDecorator {
  return Text('length', (text) => lengthMessages(text, bounds));
}

/** A format of {@link FORMATS}. Those of class-validator accept values that PostgreSQL cannot parse. */
export function IsFormat(format: Format): PropertyDecorator {
  return Text('format', (text) => formatMessages(text, format));
}

/** An exclusive lower bound. class-validator only has inclusive bounds. */
export function MoreThan(bound: number): PropertyDecorator {
  return Constraint('moreThan', (value) =>
    typeof value === 'number' && value > bound ? [] : [{ path: '', message: `must be > ${bound}` }],
  );
}

function Text(name: string, messagesOf: (text: string) => string[]): PropertyDecorator {
  return Constraint(name, (value) =>
    typeof value === 'string' ? messagesOf(value).map((message) => ({ path: '', message })) : [],
  );
}

/** Checks each item of a list, with its index in the path; `each` of class-validator only reports the list. */
export function Items(messagesOf: (item: unknown) => string[]): PropertyDecorator {
  return Constraint('items', (value) => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) =>
      messagesOf(item).map((message) => ({ path: joinPath('', index), message })),
    );
  });
}

/** The messages for a text; empty if it is within its bounds. */
export function textMessages(value: unknown, bounds: TextBounds & { readonly enum?: readonly unknown[] }): string[] {
  if (typeof value !== 'string') return ['must be string'];
  const { pattern, format, enum: values } = bounds;
  return [
    ...lengthMessages(value, bounds),
    ...(pattern === undefined || expressionOf(pattern).test(value) ? [] : [patternMessage(pattern)]),
    ...(format === undefined ? [] : formatMessages(value, format)),
    ...(values === undefined || values.includes(value) ? [] : [enumMessage(values)]),
  ];
}

/** The messages for a whole number; empty if it is within its bounds. */
export function integerMessages(value: unknown, { minimum = -Infinity, maximum = Infinity }: NumberBounds): string[] {
  if (typeof value !== 'number' || !Number.isInteger(value)) return ['must be integer'];
  return [...(value < minimum ? [`must be >= ${minimum}`] : []), ...(value > maximum ? [`must be <= ${maximum}`] : [])];
}

/** The messages for a finite number; empty if it is within its bounds. */
export function numberMessages(value: unknown, bounds: NumberBounds): string[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ['must be number'];
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = bounds;
  return [
    ...(value < minimum ? [`must be >= ${minimum}`] : []),
    ...(value <= exclusiveMinimum ? [`must be > ${exclusiveMinimum}`] : []),
    ...(value > maximum ? [`must be <= ${maximum}`] : []),
  ];
}

/** The message for a value that is not in a fixed set. */
export function enumMessage(values: readonly unknown[]): string {
  return `must be one of ${values.map(String).join(', ')}`;
}

const expressions = new Map<string, RegExp>();

/** Compiles and caches the pattern of a field. The number of patterns is bounded by the number of fields. */
export function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern, 'u');
    expressions.set(pattern, expression);
  }
  return expression;
}

/** The message for a text that does not match a pattern. */
export function patternMessage(pattern: string): string {
  return `must match pattern "${pattern}"`;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number of code points of a text; a lone surrogate counts as one. */
export function codePointsOf(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    // A character outside the basic plane is a high surrogate and a low one.
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) pairs += 1;
  }
  return text.length - pairs;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function lengthMessages(text: string, { minLength = 0, maxLength = Infinity }: TextBounds): string[] {
  // A text has at most as many code points as code units, and at least half as many, so most texts need no counting.
  if (text.length >= 2 * minLength && text.length <= maxLength) return [];
  // Nor do those that are far too long, whatever they consist of.
  const length = text.length > 2 * maxLength ? text.length : codePointsOf(text);
  if (length < minLength) return [`must NOT have fewer than ${minLength} characters`];
  return length > maxLength ? [`must NOT have more than ${maxLength} characters`] : [];
}

function formatMessages(text: string, format: Format): string[] {
  return FORMATS[format](text) ? [] : [`must be a valid ${format}`];
}
