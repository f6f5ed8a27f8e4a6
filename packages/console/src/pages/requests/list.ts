import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { api, answered } from '../../api/client';
import type { Schema } from '../../api/types';
import type { Filters } from '../../components/filters';

type Page = Schema<'ListGenerationsResponse'>;

/** How many records a page of the list has. */
const LIMIT = 50;

/** The names of the filters. They are sent as they are: what the service does not take it says, and nothing is passed over. */
const SENT = [
  'workspace_id',
  'key_hash',
  'user_id',
  'model',
  'provider',
  'status',
  'refused',
  'refusal',
  'label',
  'session_id',
  'limit_id',
  'server',
  'tool',
  'since',
  'until',
] as const;

/** The filters of the address that are set. */
export function sentFilters(filters: Filters): Readonly<Record<string, string>> {
  return Object.fromEntries(SENT.flatMap((name) => (filters.get(name) === '' ? [] : [[name, filters.get(name)]])));
}

/**
 * The records that the filters of the address let through, latest first, page by page. List and record share it, so that the next record
 * is the next of the list.
 */
export function useRequests(filters: Filters): UseInfiniteQueryResult<InfiniteData<Page, string | undefined>> {
  const query = { limit: LIMIT, ...sentFilters(filters) };
  return useInfiniteQuery({
    queryKey: ['requests', query],
    queryFn: async ({ signal, pageParam: cursor }) => {
      const page = await answered(
        api.GET('/api/v1/generations', {
          params: { query: { ...query, ...(cursor !== undefined && { cursor }) } },
          signal,
        }),
      );
      // The other forms are asked for by a header.
      return page as Page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}
