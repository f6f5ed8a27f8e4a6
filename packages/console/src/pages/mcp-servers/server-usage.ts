import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { analyticsRows, lastDays, numberOf } from '../../api/analytics';
import { useMay } from '../../api/session';

/** The most servers that are told apart. */
const LIMIT = 1_000;

/** What a server was asked for in the last 24 hours. */
export interface ServerUsage {
  /** All calls, also those that were refused. */
  readonly calls: number;
  /** The calls that the server has not answered as it should. */
  readonly failed: number;
  /** The calls that the server has answered, and whose tool says that it has failed. */
  readonly toolErrors: number;
}

/** What each server was asked for in the last 24 hours, by the names of servers; nothing for who may not see usage. */
export function useServersUsage(): UseQueryResult<ReadonlyMap<string, ServerUsage>> {
  const may = useMay();
  return useQuery({
    queryKey: ['usage', 'mcp-servers'],
    queryFn: async ({ signal }) => {
      const query = {
        metrics: ['request_count', 'refused_count', 'failed_count', 'tool_error_count'],
        dimensions: ['server'],
        time_range: lastDays(1),
        limit: LIMIT,
      };
      const rows = await analyticsRows(query, signal);
      return new Map(
        rows.flatMap((row): [string, ServerUsage][] => {
          const { server } = row;
          if (typeof server !== 'string' || server === '') return [];
          const calls = numberOf(row['request_count']) + numberOf(row['refused_count']);
          const [failed, toolErrors] = [numberOf(row['failed_count']), numberOf(row['tool_error_count'])];
          return [[server, { calls, failed, toolErrors }]];
        }),
      );
    },
    enabled: may('usage_read'),
  });
}
