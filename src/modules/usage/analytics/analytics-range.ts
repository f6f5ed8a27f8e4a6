import type { TotalPeriod } from '../entities/usage-total.entity.js';
import type { Granularity } from './analytics-vocabulary.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest range of each granularity, and how long ago it may begin, in milliseconds (docs/interface/usage.md#time). */
const BOUNDS: Readonly<Record<Granularity | 'none', { readonly longest: number; readonly oldest?: number }>> = {
  minute: { longest: 3 * HOUR_MS, oldest: 7 * DAY_MS },
  hour: { longest: 31 * DAY_MS, oldest: 92 * DAY_MS },
  day: { longest: 366 * DAY_MS },
  week: { longest: 366 * DAY_MS },
  month: { longest: 366 * DAY_MS },
  none: { longest: 366 * DAY_MS },
};

/** The longest range of a query that reads records (docs/interface/usage.md#what-only-records-tell). */
const LONGEST_OF_RECORDS = 31 * DAY_MS;

/** The length of a period of totals, in milliseconds. */
const LENGTHS = { minute: 60_000, hour: HOUR_MS, day: DAY_MS } as const satisfies Partial<Record<TotalPeriod, number>>;

/** The time of a query that names none. */
const DEFAULT_LENGTH = 7 * DAY_MS;

/** Some time, in milliseconds since 1970. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

/** A kind of totals, of some time. */
export interface PeriodRange {
  readonly period: keyof typeof LENGTHS;
  readonly from: Date;
  readonly until: Date;
}

/** Which totals have the time of a query. Its period is the shortest of them. */
export interface TotalsRange extends PeriodRange {
  /** The totals to read, which follow one another: days instead of hours where all hours of a day count. */
  readonly parts: readonly PeriodRange[];
  /** Whether it is more than was asked for, because totals count as a whole. */
  readonly isWidened: boolean;
}

/** The time of a query that names none: the latest. @param now in milliseconds since 1970 */
export function defaultSpan(granularity: Granularity | undefined, now: number): TimeSpan {
  return { start: now - Math.min(DEFAULT_LENGTH, BOUNDS[granularity ?? 'none'].longest), end: now };
}

/** What is wrong with the time of a query, by the field of `time_range`; empty when nothing is. */
export function issuesOfSpan(
  { start, end }: TimeSpan,
  granularity: Granularity | undefined,
  now: number,
): { readonly field: 'start' | 'end'; readonly message: string }[] {
  const { longest, oldest = Infinity } = BOUNDS[granularity ?? 'none'];
  const name = granularity ?? 'no granularity';
  if (end <= start) return [{ field: 'end', message: 'must be after start' }];
  if (end - start > longest) {
    return [{ field: 'end', message: `must be at most ${inWords(longest)} after start with ${name}` }];
  }
  if (start < now - oldest) {
    return [{ field: 'start', message: `must not be more than ${inWords(oldest)} ago with ${name}` }];
  }
  return [];
}

/** What is wrong with the time of a query that reads records; undefined when nothing is. */
export function issueOfRecords({ start, end }: TimeSpan): string | undefined {
  return end - start > LONGEST_OF_RECORDS
    ? `must be at most ${inWords(LONGEST_OF_RECORDS)} after start for what is read from records`
    : undefined;
}

/**
 * The totals that have the time of a query: minutes, hours and days as its granularity is, hours for up to 31 days without one. A total
 * counts as a whole as soon as a part of it is asked for.
 */
export function totalsOf(span: TimeSpan, granularity: Granularity | undefined, now: number): TotalsRange {
  const period = periodOf(span, granularity, now);
  const { start: from, end: until } = widenedTo(LENGTHS[period], span);
  const range = rangeOf(period, from, until);
  return {
    ...range,
    parts: granularity === undefined && period === 'hour' ? hoursAndDays(from, until, now) : [range],
    isWidened: from < span.start || until > span.end,
  };
}

/** Hours at both ends, and days between them. A day that is not over has no later hours. */
function hoursAndDays(from: number, until: number, now: number): PeriodRange[] {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const isToday = Math.floor(now / DAY_MS) === Math.floor(until / DAY_MS);
  const afterDays = isToday && until > now ? until : Math.floor(until / DAY_MS) * DAY_MS;
  if (firstDay >= afterDays) return [rangeOf('hour', from, until)];
  return [
    rangeOf('hour', from, firstDay),
    rangeOf('day', firstDay, afterDays),
    rangeOf('hour', afterDays, until),
  ].filter((part) => part.from < part.until);
}

function rangeOf(period: keyof typeof LENGTHS, from: number, until: number): PeriodRange {
  return { period, from: new Date(from), until: new Date(until) };
}

function widenedTo(length: number, { start, end }: TimeSpan): TimeSpan {
  return {
    start: Math.max(0, Math.floor(start / length) * length),
    end: Math.max(0, Math.ceil(end / length) * length),
  };
}

function periodOf(span: TimeSpan, granularity: Granularity | undefined, now: number): TotalsRange['period'] {
  if (granularity === 'minute' || granularity === 'hour') return granularity;
  if (granularity !== undefined) return 'day';
  return issuesOfSpan(span, 'hour', now).length === 0 ? 'hour' : 'day';
}

function inWords(milliseconds: number): string {
  return milliseconds < DAY_MS ? `${milliseconds / HOUR_MS} hours` : `${milliseconds / DAY_MS} days`;
}
