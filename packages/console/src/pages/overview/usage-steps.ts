import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type AnalyticsRow, analyticsRows, lastDays, numberOf } from '../../api/analytics';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How often what the overview shows is asked anew while it is looked at, in milliseconds. */
export const REFRESH_MS = 60_000;

/** The times that the overview can show, with the length of a step. Steps are those of UTC. */
export const RANGES = {
  day: { label: 'Last 24 hours', granularity: 'hour', stepMs: HOUR_MS, steps: 24 },
  week: { label: 'Last 7 days', granularity: 'day', stepMs: DAY_MS, steps: 7 },
  month: { label: 'Last 30 days', granularity: 'day', stepMs: DAY_MS, steps: 30 },
} as const;

export type RangeName = keyof typeof RANGES;

/** What was used in one step. */
export interface UsageStep {
  /** The beginning, in milliseconds since 1970. */
  readonly start: number;
  readonly answered: number;
  readonly refused: number;
  /** US dollars. */
  readonly spend: number;
}

/** The time that a range has now, which begins with a whole step. */
export function spanOf(name: RangeName): { readonly start: string; readonly end: string } {
  const { stepMs, steps } = RANGES[name];
  const now = Date.now();
  const first = (Math.floor(now / stepMs) - steps + 1) * stepMs;
  return { start: new Date(first).toISOString(), end: new Date(now).toISOString() };
}

/** The beginnings of the steps of a span, in milliseconds since 1970. */
export function startsOf(name: RangeName, span: { readonly start: string }): readonly number[] {
  const { stepMs, steps } = RANGES[name];
  return Array.from({ length: steps }, (_, index) => Date.parse(span.start) + index * stepMs);
}

/** What was used in each step of a time, also in those in which nothing was; the last one is not over. */
export function useUsage(name: RangeName): UseQueryResult<readonly UsageStep[]> {
  const { granularity, steps } = RANGES[name];
  return useQuery({
    queryKey: ['usage', name],
    queryFn: async ({ signal }) => {
      const span = spanOf(name);
      const body = {
        metrics: ['request_count', 'refused_count', 'total_usage'],
        granularity,
        time_range: span,
        limit: steps,
      };
      const found = await analyticsRows(body, signal);
      const rows = new Map(found.map((row) => [timeOf(row[`date__${granularity}`]), row]));
      return startsOf(name, span).map((start): UsageStep => {
        const row = rows.get(start);
        return {
          start,
          answered: numberOf(row?.['request_count']),
          refused: numberOf(row?.['refused_count']),
          spend: numberOf(row?.['total_usage']),
        };
      });
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** The share of failures from which it is worth a look. */
export const FAILING = 0.05;

/** How a provider has answered in the last 24 hours. */
export interface ProviderUsage {
  readonly slug: string;
  readonly name: string;
  readonly answered: number;
  readonly failed: number;
  /** The mean time to the first token, in milliseconds; null where there was none. */
  readonly latencyMs: number | null;
}

/** What was asked in the last 24 hours, and how providers have answered. */
export interface ProvidersUsage {
  /** All requests, and those of them that have no answer. */
  readonly asked: number;
  readonly refused: number;
  readonly providers: readonly ProviderUsage[];
}

/** What was asked in the last 24 hours. A request that a provider was asked for and that has no answer has failed. */
const DAY_USAGE = queryOptions({
  queryKey: ['usage', 'providers'],
  queryFn: async ({ signal }): Promise<ProvidersUsage> => {
    const body = {
      metrics: ['request_count', 'refused_count', 'avg_latency'],
      dimensions: ['provider'],
      time_range: lastDays(1),
    };
    const rows = await analyticsRows(body, signal);
    const sum = (metric: string): number => rows.reduce((total, row) => total + numberOf(row[metric]), 0);
    const refused = sum('refused_count');
    return { asked: sum('request_count') + refused, refused, providers: rows.flatMap(toProviderUsage) };
  },
  refetchInterval: REFRESH_MS,
});

/** What was asked in the last 24 hours, and how providers have answered. */
export function useDayUsage(): UseQueryResult<ProvidersUsage> {
  return useQuery(DAY_USAGE);
}

/** The providers that were asked in the last 24 hours. */
export function useProviderUsage(): UseQueryResult<readonly ProviderUsage[]> {
  return useQuery({ ...DAY_USAGE, select: ({ providers }) => providers });
}

function toProviderUsage(row: AnalyticsRow): ProviderUsage[] {
  const { provider: slug, provider_name: name, avg_latency: latency } = row;
  if (typeof slug !== 'string') return [];
  return [
    {
      slug,
      name: typeof name === 'string' ? name : slug,
      answered: numberOf(row['request_count']),
      failed: numberOf(row['refused_count']),
      latencyMs: typeof latency === 'number' ? latency : null,
    },
  ];
}

/** A day as YYYY-MM-DD or a time, in milliseconds since 1970. */
export function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
