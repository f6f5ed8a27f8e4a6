import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { analyticsRows, numberOf } from '../../api/analytics';
import { REFRESH_MS } from './usage-steps';

/** What was used since some time. */
export interface Totals {
  /** US dollars. */
  readonly spend: number;
  readonly answered: number;
  /** Without an answer, before a provider was asked. */
  readonly refused: number;
  /** Without an answer, although a provider was asked. */
  readonly failed: number;
}

/** The times of the tiles: they begin at midnight in the time zone of the browser. */
export const SINCE = {
  today: {
    label: 'Today',
    start: (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate()),
  },
  month: { label: 'This month', start: (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), 1) },
} as const;

export type SinceName = keyof typeof SINCE;

/** The longest time for which the service reads records: a month with an hour more, when clocks were set back, has its last 31 days. */
const LONGEST_MS = 31 * 86_400_000;

function spanSince(name: SinceName): { readonly start: string; readonly end: string } {
  const now = new Date();
  // In the first moment of a day there would be no time at all.
  const end = new Date(now.getTime() + 1_000);
  const start = Math.max(SINCE[name].start(now).getTime(), end.getTime() - LONGEST_MS);
  return { start: new Date(start).toISOString(), end: end.toISOString() };
}

/** What was used today, or this month. */
export function useTotals(name: SinceName): UseQueryResult<Totals> {
  return useQuery({
    queryKey: ['usage', 'totals', name],
    queryFn: async ({ signal }) => {
      const metrics = ['request_count', 'refused_count', 'total_usage'];
      const rows = await analyticsRows({ metrics, dimensions: ['provider'], time_range: spanSince(name) }, signal);
      const sum = (field: string, isCounted: (provider: unknown) => boolean = () => true): number =>
        rows.filter((row) => isCounted(row['provider'])).reduce((total, row) => total + numberOf(row[field]), 0);
      return {
        spend: sum('total_usage'),
        answered: sum('request_count'),
        refused: sum('refused_count', (provider) => provider === null),
        failed: sum('refused_count', (provider) => provider !== null),
      };
    },
    refetchInterval: REFRESH_MS,
  });
}

/** The times to the first token, in milliseconds; null where there was none. */
export interface Latencies {
  readonly median: number | null;
  readonly p95: number | null;
}

/** How long the percentiles of a month are taken as they are, in milliseconds: all records of the month are read for them. */
const MONTH_FRESH_MS = 600_000;

/** The percentiles of today, or of this month. They are asked for apart, because they are read from records, which may take long. */
export function useLatencies(name: SinceName): UseQueryResult<Latencies> {
  const freshMs = name === 'month' ? MONTH_FRESH_MS : REFRESH_MS;
  return useQuery({
    queryKey: ['usage', 'latencies', name],
    queryFn: async ({ signal }) => {
      const metrics = ['p50_latency', 'p95_latency'];
      const [row] = await analyticsRows({ metrics, time_range: spanSince(name) }, signal);
      const of = (metric: string): number | null => (row?.[metric] == null ? null : numberOf(row[metric]));
      return { median: of('p50_latency'), p95: of('p95_latency') };
    },
    staleTime: freshMs,
    refetchInterval: freshMs,
  });
}
