import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { analyticsRows, numberOf } from '../../api/analytics';
import { answered, api } from '../../api/client';

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

/** What was used in each step of a time, also in those in which nothing was; the last one is not over. */
export function useUsage(name: RangeName): UseQueryResult<readonly UsageStep[]> {
  const { granularity, stepMs, steps } = RANGES[name];
  return useQuery({
    queryKey: ['usage', name],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const first = (Math.floor(now / stepMs) - steps + 1) * stepMs;
      const body = {
        metrics: ['request_count', 'refused_count', 'total_usage'],
        granularity,
        time_range: { start: new Date(first).toISOString(), end: new Date(now).toISOString() },
        limit: steps,
      };
      const found = await analyticsRows(body, signal);
      const rows = new Map(found.map((row) => [timeOf(row[`date__${granularity}`]), row]));
      return Array.from({ length: steps }, (_, index): UsageStep => {
        const start = first + index * stepMs;
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

/** The providers that were asked in the last 24 hours. A request that a provider was asked for and that has no answer has failed. */
export function useProviderUsage(): UseQueryResult<readonly ProviderUsage[]> {
  return useQuery({
    queryKey: ['usage', 'providers'],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const body = {
        metrics: ['request_count', 'refused_count', 'avg_latency'],
        dimensions: ['provider'],
        time_range: { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() },
        limit: 100,
      };
      const found = await analyticsRows(body, signal);
      return found.flatMap((row): ProviderUsage[] => {
        const slug = row['provider'];
        if (typeof slug !== 'string') return [];
        const { provider_name: name, avg_latency: latency } = row;
        return [
          {
            slug,
            name: typeof name === 'string' ? name : slug,
            answered: numberOf(row['request_count']),
            failed: numberOf(row['refused_count']),
            latencyMs: typeof latency === 'number' ? latency : null,
          },
        ];
      });
    },
    refetchInterval: REFRESH_MS,
  });
}

/** How many requests of the last 24 hours had no answer, and why the latest of them. */
export interface Refusals {
  /** All requests. */
  readonly asked: number;
  readonly refused: number;
  /** How many of them were looked at. */
  readonly latest: number;
  /** Of these how many for each reason, the most frequent first; the status of those that have none. */
  readonly reasons: readonly (readonly [reason: string, times: number])[];
}

/** How many of the latest refusals are looked at for their reasons. */
const LATEST_REFUSALS = 100;

/** What was refused or failed in the last 24 hours. */
export function useRefusals(): UseQueryResult<Refusals> {
  return useQuery({
    queryKey: ['usage', 'refusals'],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const since = new Date(now - DAY_MS).toISOString();
      const body = {
        metrics: ['request_count', 'refused_count'],
        time_range: { start: since, end: new Date(now).toISOString() },
        limit: 1,
      };
      const query = { refused: true, since, limit: LATEST_REFUSALS };
      const [[sums], { data: records }] = await Promise.all([
        analyticsRows(body, signal),
        answered(api.GET('/api/v1/generations', { params: { query }, signal })),
      ]);
      const times = new Map<string, number>();
      for (const { refusal, status } of records) {
        const reason = refusal ?? String(status);
        times.set(reason, (times.get(reason) ?? 0) + 1);
      }
      const refused = numberOf(sums?.['refused_count']);
      return {
        asked: refused + numberOf(sums?.['request_count']),
        refused,
        latest: records.length,
        reasons: [...times].toSorted(([, one], [, other]) => other - one),
      };
    },
    refetchInterval: REFRESH_MS,
  });
}

/** A day as YYYY-MM-DD or a time, in milliseconds since 1970. */
function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
