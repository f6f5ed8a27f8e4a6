import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { analyticsRows, numberOf } from '../../api/analytics';
import { type RangeName, RANGES, REFRESH_MS, spanOf, startsOf, timeOf } from './usage-steps';

/** Why requests had no answer, and how many in each step of a time. */
export interface Reason {
  /** As in the record; a status where there is no other. */
  readonly reason: string;
  readonly requests: number;
  readonly steps: readonly number[];
}

/** The reasons of a time, the most frequent first. */
export interface Reasons {
  /** When the time begins. */
  readonly since: string;
  /** The beginnings of its steps, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly reasons: readonly Reason[];
}

/** Why requests were refused, or failed. */
export function useReasons(name: RangeName): UseQueryResult<Reasons> {
  const { granularity } = RANGES[name];
  return useQuery({
    queryKey: ['usage', 'reasons', name],
    queryFn: async ({ signal }) => {
      const span = spanOf(name);
      const times = startsOf(name, span);
      const body = { metrics: ['refused_count'], dimensions: ['refusal'], granularity, time_range: span };
      const found = new Map<string, number[]>();
      for (const row of await analyticsRows(body, signal)) {
        const reason = String(row['refusal']);
        const steps = found.get(reason) ?? times.map(() => 0);
        const place = times.indexOf(timeOf(row[`date__${granularity}`]));
        if (place !== -1) steps[place] = numberOf(row['refused_count']);
        found.set(reason, steps);
      }
      const reasons = [...found].map(([reason, steps]) => ({
        reason,
        requests: steps.reduce((sum, each) => sum + each, 0),
        steps,
      }));
      return {
        since: span.start,
        times,
        reasons: reasons.toSorted((one, other) => other.requests - one.requests),
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}
